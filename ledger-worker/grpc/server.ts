/** Serves both gRPC services, each on an address of its own, with health checks. */
import {
  type Metadata,
  Server,
  type ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerOptions,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { createQuota } from '../../platform/quota.ts';
import type { Tracing } from '../../platform/tracing.ts';
import {
  AdminService,
  CONTRACT_METADATA,
  KEY_PREFIX_METADATA,
  LedgerService,
  MESSAGE_BYTES_MAX,
} from '../../proto/contract.ts';
import { CONTRACT } from '../../proto/domain.ts';
import type { AdminHandlers, LedgerHandlers } from '../handlers.ts';
import { bindAdmin } from './admin.ts';
import { createExecute, type RpcObserver } from './execute.ts';
import { type CheckedDatabase, type HealthObserver, reportTimes, startHealth } from './health.ts';
import { listen, noticeCalls, type SilentConnections } from './listen.ts';

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
  { listenAddress, adminAddress: listenAdminAddress, security, keyPrefix, requestsInFlightMax }: ServeOptions,
  observer: RpcObserver & HealthObserver,
  tracing: Tracing | undefined,
  log: Logger,
): Promise<RunningServer> {
  const health = startHealth(database, observer, log);
  const execute = createExecute(ledger, observer, tracing, log);
  const ledgerSilent: SilentConnections = new Map();
  const adminSilent: SilentConnections = new Map();
  const ledgerServer = newServer(
    LedgerService,
    { Execute: execute },
    {
      interceptors: [
        noticeCalls(ledgerSilent),
        requireServable(keyPrefix),
        reportTimes(() => database.times()),
      ],
      ...LEDGER_OPTIONS,
    },
  );
  // Not the limit of the Ledger service: a key can be revoked even when its owner saturates that service.
  const adminMethods = bindAdmin(admin, createQuota(requestsInFlightMax), health.isDatabaseUp, observer, log);
  const adminServer = newServer(AdminService, adminMethods, {
    interceptors: [noticeCalls(adminSilent)],
    ...ADMIN_OPTIONS,
  });

  // Each server reports its own service: a gateway with the address of the Admin service must not be ready.
  health.addTo(ledgerServer, 'ledger.v1.Ledger');
  health.addTo(adminServer, 'ledger.v1.Admin');
  const forLedger = await listen(ledgerServer, ledgerSilent, 'LISTEN_ADDRESS', listenAddress, security);
  const forAdmin = await listen(adminServer, adminSilent, 'ADMIN_ADDRESS', listenAdminAddress, security);

  return {
    address: forLedger.address,
    adminAddress: forAdmin.address,
    async drain(graceMs) {
      health.drain();
      await Promise.all([forLedger, forAdmin].map((listening) => listening.close(graceMs)));
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

// Far more streams than a gateway opens in one connection.
const STREAMS_MAX = 1_000;

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

/** A server of one service. */
function newServer(
  definition: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  options: ServerOptions,
): Server {
  const server = new Server({ 'grpc.max_concurrent_streams': STREAMS_MAX, ...options });
  server.addService(definition, implementation);
  return server;
}
