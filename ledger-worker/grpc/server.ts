/** Serves both gRPC services, each on an address of its own, with health checks. */
import {
  type Metadata,
  type ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { createQuota } from '../../platform/quota.ts';
import {
  AdminService,
  CONTRACT_METADATA,
  KEY_PREFIX_METADATA,
  LedgerService,
  MESSAGE_BYTES_MAX,
} from '../../proto/contract.ts';
import { CONTRACT } from '../../proto/domain.ts';
import type { AdminHandlers, LedgerHandlers } from '../handler-types.ts';
import { bindAdmin } from './admin.ts';
import { createExecute, type Telemetry } from './execute.ts';
import { type CheckedDatabase, type HealthObserver, reportTimes, startHealth } from './health.ts';
import { listen } from './listen.ts';

export interface WorkerServices {
  ledger: LedgerHandlers;
  admin: AdminHandlers;
  database: CheckedDatabase;
}

interface ServeOptions {
  /** host:port */
  listenAddress: string;
  adminAddress: string;
  security: ServerCredentials;
  /** Of the API keys that it creates. */
  keyPrefix: string;
  /** Requests in flight per service; more are refused at once with RESOURCE_EXHAUSTED. */
  requestsInFlightMax: number;
}

interface RunningServer {
  /** host:port as bound. */
  address: string;
  adminAddress: string;
  /** Accepts no new streams, waits up to `graceMs` for the requests in flight, then cancels them. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Starts both servers.
 * @throws Error when an address cannot be bound
 */
export async function serve(
  { ledger, admin, database }: WorkerServices,
  { listenAddress, adminAddress, security, keyPrefix, requestsInFlightMax }: ServeOptions,
  telemetry: Telemetry & { observer: HealthObserver },
): Promise<RunningServer> {
  const health = startHealth(database, telemetry);
  // Not the limit of the Ledger service: a key can be revoked even when its owner saturates that service.
  const adminRequests = createQuota(requestsInFlightMax);

  const ledgerServer = await listen(
    { variable: 'LISTEN_ADDRESS', address: listenAddress, security },
    {
      ...LEDGER_OPTIONS,
      interceptors: [requireServable(keyPrefix), reportTimes(() => database.times())],
    },
    (server) => {
      server.addService(LedgerService, { Execute: createExecute(ledger, telemetry) });
      health.addTo(server, 'ledger.v1.Ledger');
    },
  );
  const adminServer = await listen(
    { variable: 'ADMIN_ADDRESS', address: adminAddress, security },
    ADMIN_OPTIONS,
    (server) => {
      server.addService(AdminService, bindAdmin(admin, adminRequests, health.isDatabaseUp, telemetry));
      // Its own service alone: a gateway with the address of the Admin service must not be ready.
      health.addTo(server, 'ledger.v1.Admin');
    },
  );

  return {
    address: ledgerServer.address,
    adminAddress: adminServer.address,
    async drain(graceMs) {
      health.drain();
      await Promise.all([ledgerServer, adminServer].map((server) => server.close(graceMs)));
    },
  };
}

// A gateway resolves the workers' name when it reconnects. Without a limit on the age of connections it would not find a new
// worker while the others live.
const CONNECTION_AGE = {
  'grpc.max_connection_age_ms': 5_000,
  // Longer than one attempt of a gateway.
  'grpc.max_connection_age_grace_ms': 10_000,
};

/** Refuses the health checks and the streams of a gateway that this worker cannot serve. Another worker may be able to. */
const requireServable =
  (keyPrefix: string): ServerInterceptor =>
  (_, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, receive) {
            const details = mismatch(metadata, keyPrefix);
            if (details === undefined) receive(metadata);
            else call.sendStatus({ code: status.UNAVAILABLE, details });
          },
        }),
    });

/** Undefined also for a caller that names neither its contract nor its prefix, such as a probe. */
function mismatch(metadata: Metadata, keyPrefix: string): string | undefined {
  const { number, oldest } = CONTRACT;
  const theirs = Number(metadata.get(CONTRACT_METADATA)[0]);
  if (theirs > number)
    return `the worker serves contracts up to ${number}, not ${theirs}: upgrade the worker`;
  if (theirs < oldest)
    return `the worker serves contracts from ${oldest} on, not ${theirs}: upgrade the gateway`;
  const [prefix = keyPrefix] = metadata.get(KEY_PREFIX_METADATA);
  if (prefix !== keyPrefix)
    return `KEY_PREFIX is ${prefix} here and ${keyPrefix} at the worker: set both to the prefix of your keys`;
  return undefined;
}

const LEDGER_OPTIONS = { 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX, ...CONNECTION_AGE };
// The texts of a request have at most a few hundred characters.
const ADMIN_OPTIONS = { 'grpc.max_receive_message_length': 64 * 1024 };
