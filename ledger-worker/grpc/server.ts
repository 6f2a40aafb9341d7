/** Binds the RPCs of both services to functions, and serves them. */
import {
  Server,
  type ServerCredentials,
  type ServerOptions,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { Logger } from 'pino';
import type { Tracing } from '../../platform/tracing.ts';
import {
  type AdminCall,
  type AdminHandlers,
  AdminService,
  adminPackage,
  type LedgerHandlers,
  LedgerService,
  ledgerPackage,
  MESSAGE_BYTES_MAX,
  uncapitalize,
} from '../../proto/client.ts';
import type { Metrics } from '../metrics.ts';
import { actorOf } from './actor.ts';
import { createDoor, type Door } from './concurrency-limit.ts';
import { answerQuestions } from './multiplexer.ts';
import { toStatus } from './status.ts';

export interface Services {
  ledger: LedgerHandlers;
  admin: AdminHandlers;
  /** Whether the services can do their work; asked again and again. While they cannot, calls are refused at once. */
  isHealthy(): Promise<boolean>;
}

export interface ServeOptions {
  /** host:port, both. */
  listenAddress: string;
  adminAddress: string;
  /** What callers are shown, and must show, on both. */
  security: ServerCredentials;
  /** At the same time; more are refused at once, with RESOURCE_EXHAUSTED. */
  callsMax: number;
}

const HEALTH_EVERY_MS = 1_000;
const HEALTH_MS_MAX = 1_000;

export interface RunningServer {
  /** host:port as bound. */
  address: string;
  adminAddress: string;
  /** Takes no new calls, lets those in progress finish within `graceMs`, then cuts them off. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Serves the ledger on one address, the admin service on another, both with health and reflection.
 * @throws Error when an address cannot be bound.
 */
export async function serve(
  { ledger, admin, isHealthy }: Services,
  { listenAddress, adminAddress: listenAdminAddress, security, callsMax }: ServeOptions,
  metrics: Metrics,
  tracing: Tracing | undefined,
  log: Logger,
): Promise<RunningServer> {
  const health = new HealthImplementation({ '': 'SERVING', 'ledger.v1.Ledger': 'SERVING' });
  let reachable = true;
  metrics.databaseIsUp(true);
  const stopFollowing = follow(isHealthy, (isServing) => {
    if (isServing !== reachable)
      log.warn(isServing ? 'the database is back' : 'the database is out of reach');
    reachable = isServing;
    metrics.databaseIsUp(isServing);
    setHealth(health, isServing);
  });
  // One for each service: a key can be revoked however busy its owner keeps the house.
  const newDoor = () => createDoor(callsMax, () => reachable);
  const ledgerMethods = { Ask: answerQuestions(ledger, newDoor(), metrics, tracing, log) };
  const ledgerServer = newServer(ledgerPackage, LedgerService, ledgerMethods, health, CONNECTION_AGE);
  const adminMethods = bind(admin, newDoor(), metrics, log);
  const adminServer = newServer(adminPackage, AdminService, adminMethods, health);

  const address = await listen(ledgerServer, listenAddress, security);
  const adminAddress = await listen(adminServer, listenAdminAddress, security);

  return {
    address,
    adminAddress,
    async drain(graceMs) {
      stopFollowing();
      setHealth(health, false);
      await Promise.all([ledgerServer, adminServer].map((server) => shutDown(server, graceMs)));
    },
  };
}

function setHealth(health: HealthImplementation, isServing: boolean): void {
  for (const service of ['', 'ledger.v1.Ledger']) {
    health.setStatus(service, isServing ? 'SERVING' : 'NOT_SERVING');
  }
}

/** Reports every so often what `ask` answers; no answer in time is a no. Returns what ends it. */
function follow(ask: () => Promise<boolean>, report: (answer: boolean) => void): () => void {
  let underWay: Promise<boolean> | undefined;
  const timer = setInterval(async () => {
    // A question that hangs is not asked a second time: each would hold a connection.
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    const answer = await Promise.race([underWay, Bun.sleep(HEALTH_MS_MAX).then(() => false)]);
    if (!ended) report(answer);
  }, HEALTH_EVERY_MS);
  let ended = false;
  return () => {
    ended = true;
    clearInterval(timer);
  };
}

// Who connects anew asks again which workers there are: nothing else tells a gateway of a new one while those it knows live.
const CONNECTION_AGE = {
  'grpc.max_connection_age_ms': 5_000,
  // For the calls of a connection that ends; longer than one attempt of a gateway.
  'grpc.max_connection_age_grace_ms': 10_000,
};

/** A server of one service, with health and a reflection that shows that service only. */
function newServer(
  ownPackage: PackageDefinition,
  definition: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  health: HealthImplementation,
  options: ServerOptions = {},
): Server {
  const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX, ...options });
  server.addService(definition, implementation);
  health.addToServer(server);
  new ReflectionService(ownPackage).addToServer(server);
  return server;
}

/** The Admin service: an async function per RPC, as grpc-js wants it: a callback, and a status instead of an exception. */
function bind(
  handlers: Record<string, (request: never, call: AdminCall) => Promise<unknown>>,
  door: Door,
  metrics: Metrics,
  log: Logger,
): UntypedServiceImplementation {
  const methods = Object.keys(AdminService).map((name) => {
    const handler = handlers[uncapitalize(name)];
    if (!handler) throw new Error(`no handler for ${name}`);
    const answer = (call: ServerUnaryCall<never, unknown>, callback: sendUnaryData<unknown>) => {
      const abort = new AbortController();
      call.on('cancelled', () => abort.abort());
      const deadline = Number(call.getDeadline());
      const context = {
        cancelled: abort.signal,
        remainingMs: () => deadline - Date.now(),
        actor: () => actorOf(call),
      };
      const begun = performance.now();
      const answered = (code: status) =>
        metrics.callAnswered(uncapitalize(name), code, (performance.now() - begun) / 1000);
      door
        .enter(() => handler(call.request, context))
        .then(
          (reply) => {
            answered(status.OK);
            callback(null, reply);
          },
          (error) => {
            const failure = toStatus(error, name, log);
            answered(failure.code);
            callback(failure);
          },
        );
    };
    return [name, answer];
  });
  return Object.fromEntries(methods);
}

function listen(server: Server, address: string, security: ServerCredentials): Promise<string> {
  const host = address.slice(0, address.lastIndexOf(':'));
  return new Promise((resolve, reject) => {
    server.bindAsync(address, security, (error, port) =>
      error ? reject(new Error(`Cannot listen on ${address}: ${error.message}`)) : resolve(`${host}:${port}`),
    );
  });
}

function shutDown(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(cutOff);
      resolve();
    });
  });
}
