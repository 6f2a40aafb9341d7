/** The whole system on one machine: up in order, down in reverse. `bun run start`, the tests and the benches use it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildDied, Service } from './processes/child.ts';
import { type Lock, lockDataDirectory } from './processes/lock.ts';
import { onFreePort, requireFreePort } from './processes/ports.ts';
import { removeSocketDirectories, socketDirectories } from './processes/private-directory.ts';
import { startGateway } from './servers/gateway.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import { startWorker } from './servers/worker.ts';

export { startGateway, startRedis, startWorker };

export interface SystemOptions {
  /** Everything that outlives a run: the books, the logs. One system at a time. */
  dataDir: string;
  /** The lock on dataDir, where the caller holds it already. It is given back with the stop. */
  lock?: Lock;
  /** Of the gateway, in the order in which they are tried; 0 lets the system choose, and is the default. */
  ports?: number[];
  /** Of the Admin service, likewise. */
  adminPorts?: number[];
  /** Takes the place of the private Postgres. */
  databaseUrl?: string | undefined;
  /** Takes the place of the private Redis; `false`: no Redis at all. */
  redisUrl?: string | false | undefined;
  /** Settings of the private Postgres beside the usual ones. */
  postgresSettings?: Record<string, string>;
  /** For worker and gateway, beside the environment of this process. */
  env?: Record<string, string>;
  /** Runs before a private Redis is looked for, while Postgres starts. */
  beforeRedis?: (signal: AbortSignal) => Promise<void>;
  /** Aborting it while the system comes up takes down what is up, and startSystem throws its reason. */
  signal?: AbortSignal | undefined;
}

export interface System {
  /** Of the gateway: `http://127.0.0.1:port`. */
  url: string;
  workerAddress: string;
  adminAddress: string;
  databaseUrl: string;
  /** undefined: the gateway keeps the limits in its own memory. */
  redisUrl: string | undefined;
  /** The process of each part that is this system's own, by its name: gateway, ledger worker, Postgres, Redis. */
  pids: ReadonlyMap<string, number>;
  /** Settles when a part ends without having been told to. The others still run. */
  died: Promise<ChildDied>;
  /** Gateway, worker, Redis, Postgres; each may take its time, within bounds. Never rejects. */
  stop(): Promise<void>;
}

/** Resolves once everything serves. @throws CannotStart, ChildDied; nothing is left running then. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir, env = {}, ports = [0], adminPorts = [0] } = options;
  mkdirSync(dataDir, { recursive: true });
  const lock = options.lock ?? lockDataDirectory(dataDir);
  const running = keepWatch(options.signal);
  const { up, signal } = running;
  const logFile = logsIn(dataDir);

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= running.stop().then(() => {
      removeSocketDirectories(dataDir);
      lock.release();
    });
    return stopped;
  };

  try {
    signal.throwIfAborted();
    await requireFreePort(ports);
    const { databaseUrl, redisUrl } = await startStores(options, running, logFile);
    const worker = up(
      await onFreePort(adminPorts, (port) => {
        const adminAddress = `127.0.0.1:${port}`;
        return startWorker({ databaseUrl, adminAddress, env, logFile: logFile('worker'), signal });
      }),
    );
    const workerAddress = worker.address;
    const gateway = up(
      await onFreePort(ports, (port) =>
        startGateway({ workerAddress, redisUrl, port, env, logFile: logFile('gateway'), signal }),
      ),
    );
    const { adminAddress } = worker;
    const { died, pids } = running;
    return { url: gateway.url, workerAddress, adminAddress, databaseUrl, redisUrl, pids, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Postgres and Redis at once. When one fails, the other is still waited for, so that it can be stopped. */
async function startStores(options: SystemOptions, { up, signal }: Watch, logFile: (name: string) => string) {
  const { dataDir, postgresSettings: settings = {}, beforeRedis } = options;
  const { postgresDir, redisDir } = socketDirectories(dataDir);

  const database = async () => {
    if (options.databaseUrl !== undefined) return options.databaseUrl;
    const directories = { dataDir: join(dataDir, 'postgres'), socketDir: postgresDir };
    return up(await startPostgres({ ...directories, settings, logFile: logFile('postgres'), signal })).url;
  };
  const limits = async () => {
    if (options.redisUrl !== undefined) return options.redisUrl || undefined;
    await beforeRedis?.(signal);
    const redis = await startRedis({ directory: redisDir, logFile: logFile('redis'), signal });
    return redis && up(redis).url;
  };

  const [databaseUrl, redisUrl] = await Promise.allSettled([database(), limits()]);
  if (databaseUrl.status === 'rejected') throw databaseUrl.reason;
  if (redisUrl.status === 'rejected') throw redisUrl.reason;
  return { databaseUrl: databaseUrl.value, redisUrl: redisUrl.value };
}

interface Watch {
  /** Takes a service that has come up among those that are watched and, in the end, stopped. */
  up<S extends Service>(service: S): S;
  /** Aborts at the first death, and with the caller's own signal: whatever is still coming up gives up. */
  signal: AbortSignal;
  pids: Map<string, number>;
  died: Promise<ChildDied>;
  /** The last one that came up goes first. */
  stop(): Promise<void>;
}

function keepWatch(caller: AbortSignal | undefined): Watch {
  const services: Service[] = [];
  const pids = new Map<string, number>();
  const death = Promise.withResolvers<ChildDied>();
  const abort = new AbortController();
  death.promise.then((reason) => abort.abort(reason));
  return {
    up(service) {
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
