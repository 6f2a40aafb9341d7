/** Starts the whole system on one machine and stops it in reverse order. `bun run start`, tests and benches use it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildDied, Service } from './processes/child.ts';
import { type Lock, lockDataDirectory } from './processes/lock.ts';
import { onFreePort } from './processes/ports.ts';
import { buildWebPages } from './servers/builds.ts';
import { startGateway } from './servers/gateway.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import { startWorker } from './servers/worker.ts';

export { startGateway, startRedis, startWorker };

interface SystemOptions {
  /** Holds the database and the logs. One system at a time. */
  dataDir: string;
  /** The lock on dataDir if the caller already holds it. The stop releases it. */
  lock?: Lock;
  /** Ports of the gateway, tried in this order; 0, the default, lets the system choose. */
  ports?: number[];
  /** Ports of the Admin service, likewise. */
  adminPorts?: number[];
  /** Used in place of a private Postgres. */
  databaseUrl?: string | undefined;
  /** Used in place of a private Redis; `false`: no Redis at all. */
  redisUrl?: string | false | undefined;
  /** Settings of the private Postgres in addition to the defaults. */
  postgresSettings?: Record<string, string>;
  /** For worker and gateway, added to the environment of this process. */
  env?: Record<string, string>;
  /** Aborts the start: stops the running servers. Then startSystem throws the abort reason. */
  signal?: AbortSignal | undefined;
}

export interface System {
  /** The gateway's address: `http://127.0.0.1:port`. */
  url: string;
  workerAddress: string;
  adminAddress: string;
  /** The metrics of gateway and worker, as `host:port`. */
  services: { metricsAddress: string }[];
  databaseUrl: string;
  /** undefined: the gateway keeps the limits in its own memory. */
  redisUrl: string | undefined;
  /** The process ids of the servers that this system has started, by name: gateway, ledger worker, Postgres, Redis. */
  pids: ReadonlyMap<string, number>;
  /** Resolves when one of them ends without a stop. The others still run. */
  died: Promise<ChildDied>;
  /** Stops the gateway, then the worker, then Redis and Postgres, each within its own time limit. Never rejects. */
  stop(): Promise<void>;
}

/** Resolves once everything serves. @throws CannotStart, ChildDied; then no process is left running. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir, env = {}, ports = [0], adminPorts = [0] } = options;
  mkdirSync(dataDir, { recursive: true });
  const lock = options.lock ?? lockDataDirectory(dataDir);
  const supervisor = createSupervisor(options.signal);
  const { supervise, signal } = supervisor;
  const logFile = logsIn(dataDir);

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= supervisor.stop().then(() => lock.release());
    return stopped;
  };

  try {
    signal.throwIfAborted();
    // Fails here rather than after the start of the others.
    await onFreePort(ports, async () => {});
    const [{ databaseUrl, redisUrl }] = await Promise.all([
      startStores(options, supervisor, logFile),
      buildWebPages(signal),
    ]);
    const worker = supervise(
      await onFreePort(adminPorts, (port) => {
        const adminAddress = `127.0.0.1:${port}`;
        return startWorker({ databaseUrl, adminAddress, env, logFile: logFile('worker'), signal });
      }),
    );
    const workerAddress = worker.address;
    const gateway = supervise(
      await onFreePort(ports, (port) =>
        startGateway({ workerAddress, redisUrl, port, env, logFile: logFile('gateway'), signal }),
      ),
    );
    const { adminAddress } = worker;
    const services = [gateway, worker];
    const { died, pids } = supervisor;
    const addresses = { url: gateway.url, workerAddress, adminAddress, databaseUrl, redisUrl };
    return { ...addresses, services, pids, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts Postgres and Redis in parallel. If one fails, this still waits for the other, so that it can be stopped. */
async function startStores(
  options: SystemOptions,
  { supervise, signal }: Supervisor,
  logFile: (name: string) => string,
) {
  const { dataDir, postgresSettings: settings = {} } = options;

  const database = async () => {
    if (options.databaseUrl !== undefined) return options.databaseUrl;
    const files = { dataDir: join(dataDir, 'postgres'), logFile: logFile('postgres') };
    return supervise(await startPostgres({ ...files, settings, signal })).url;
  };
  const limits = async () => {
    if (options.redisUrl !== undefined) return options.redisUrl || undefined;
    const redis = await startRedis({ logFile: logFile('redis'), signal });
    return redis && supervise(redis).url;
  };

  const [databaseUrl, redisUrl] = await Promise.allSettled([database(), limits()]);
  if (databaseUrl.status === 'rejected') throw databaseUrl.reason;
  if (redisUrl.status === 'rejected') throw redisUrl.reason;
  return { databaseUrl: databaseUrl.value, redisUrl: redisUrl.value };
}

interface Supervisor {
  /** From now on the end of `service` is reported by `died`, and `stop` stops it. */
  supervise<S extends Service>(service: S): S;
  /** Aborts at the first death and with the caller's signal, so that servers which are still starting give up. */
  signal: AbortSignal;
  pids: Map<string, number>;
  died: Promise<ChildDied>;
  /** Stops the services in the reverse order of their start. */
  stop(): Promise<void>;
}

function createSupervisor(caller: AbortSignal | undefined): Supervisor {
  const services: Service[] = [];
  const pids = new Map<string, number>();
  const death = Promise.withResolvers<ChildDied>();
  const abort = new AbortController();
  death.promise.then((reason) => abort.abort(reason));
  return {
    supervise(service) {
      services.push(service);
      pids.set(service.name, service.pid);
      service.died.then(death.resolve);
      return service;
    },
    signal: caller === undefined ? abort.signal : AbortSignal.any([abort.signal, caller]),
    pids,
    died: death.promise,
    async stop() {
      for (const service of services.reverse()) await service.stop();
    },
  };
}

function logsIn(dataDir: string): (name: string) => string {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  return (name) => join(directory, `${name}.log`);
}
