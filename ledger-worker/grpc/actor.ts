/** The name of an Admin caller, for the log of actions. */
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { ACTOR_METADATA } from '../../proto/contract.ts';

// With the rest of the text they stay within the limit of ledger.admin_action.
const GIVEN_LENGTH_MAX = 150;
const PROVED_LENGTH_MAX = 64;

/**
 * The name that the caller gives itself, which is not verified, its address and, under mutual TLS, the name in its certificate.
 */
export function actorOf(call: ServerUnaryCall<never, unknown>): string {
  const [given] = call.metadata.get(ACTOR_METADATA);
  const name = printable(given?.toString() ?? '', GIVEN_LENGTH_MAX);
  const peer = call.getPeer();
  const address = peer.slice(0, peer.lastIndexOf(':')) || peer;
  const proved = call.getAuthContext().sslPeerCertificate?.subject.CN;
  const certificate = proved && `, by the certificate of ${printable(String(proved), PROVED_LENGTH_MAX)}`;
  return `${name || 'unnamed'} from ${address}${certificate ?? ''}`;
}

function printable(name: string, lengthMax: number): string {
  return [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, lengthMax).join('');
}
