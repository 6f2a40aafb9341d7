/** The RPCs of the Admin service, which are unary calls, and the caller's name for the action log. */
import {
  type ServerUnaryCall,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Quota } from '../../platform/quota.ts';
import { ACTOR_METADATA, AdminService, uncapitalize } from '../../proto/contract.ts';
import type { AdminContext } from '../handler-types.ts';
import { withReservations } from '../quotas.ts';
import { toStatus, unavailable } from '../status.ts';
import type { Telemetry } from './execute.ts';

/** Adapts async handlers to grpc-js: a callback, and a status instead of an exception. */
export function bindAdmin(
  handlers: Record<string, (request: never, context: AdminContext) => Promise<unknown>>,
  requests: Quota,
  isDatabaseUp: () => boolean,
  { observer, log }: Telemetry,
): UntypedServiceImplementation {
  observer.registerInFlight({ admin_requests: requests.used });
  const methods = Object.keys(AdminService).map((name) => {
    const handler = handlers[uncapitalize(name)];
    if (!handler) throw new Error(`no handler for ${name}`);
    const handle = (call: ServerUnaryCall<never, unknown>, callback: sendUnaryData<unknown>) => {
      const abort = new AbortController();
      call.on('cancelled', () => abort.abort());
      const context = { signal: abort.signal, actor: () => actorOf(call) };
      const startedAt = performance.now();
      const finish = (code: status) =>
        observer.rpcFinished(uncapitalize(name), code, (performance.now() - startedAt) / 1000);
      withReservations([requests.open()], async () => {
        if (!isDatabaseUp()) throw unavailable('the database is unavailable');
        return handler(call.request, context);
      }).then(
        (response) => {
          finish(status.OK);
          callback(null, response);
        },
        (error) => {
          const failure = toStatus(error, name, log);
          finish(failure.code);
          callback(failure);
        },
      );
    };
    return [name, handle];
  });
  return Object.fromEntries(methods);
}

// With the rest of the text they stay within the limit of ledger.admin_action.
const GIVEN_LENGTH_MAX = 150;
const PROVED_LENGTH_MAX = 64;

/**
 * The caller for the action log: the name that the caller gives itself, which is not verified, its address and, under mutual TLS,
 * the name in its certificate.
 */
function actorOf(call: ServerUnaryCall<never, unknown>): string {
  const [given] = call.metadata.get(ACTOR_METADATA);
  const name = cleaned(given?.toString() ?? '', GIVEN_LENGTH_MAX);
  const peer = call.getPeer();
  const address = peer.slice(0, peer.lastIndexOf(':')) || peer;
  const proved = call.getAuthContext().sslPeerCertificate?.subject.CN;
  const certificate = proved && `, by the certificate of ${cleaned(String(proved), PROVED_LENGTH_MAX)}`;
  return `${name || 'unnamed'} from ${address}${certificate ?? ''}`;
}

function cleaned(name: string, lengthMax: number): string {
  return [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, lengthMax).join('');
}
