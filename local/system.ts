/** The whole system on one machine: up in order, down in reverse. `bun run start`, the tests and the benches use it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ChildDied, Service } from './child.ts';
import { startGateway } from './gateway.ts';
import { type Lock, lockDataDirectory } from './lock.ts';
import { onFreePort, requireFreePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { PRIVATE_PREFIX, privateDirectory } from './private-directory.ts';
import { startRedis } from './redis.ts';
import { startWorker } from './worker.ts';

export { startGateway, startPostgres, startRedis, startWorker };

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

  const services: Service[] = [];
  const firstDeath = Promise.withResolvers<ChildDied>();
  const abort = new AbortController();
  options.signal?.addEventListener('abort', () => abort.abort(options.signal?.reason));
  const up = <S extends Service>(service: S): S => {
    services.push(service);
    service.died.then((death) => {
      firstDeath.resolve(death);
      abort.abort(death);
    });
    return service;
  };

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      for (const service of services.reverse()) await service.stop();
      removeSocketDirectories(dataDir);
      lock.release();
    })();
    return stopped;
  };

  try {
    options.signal?.throwIfAborted();
    await requireFreePort(ports);
    removeSocketDirectories(dataDir);
    const [socketDir, redisDir] = makeSocketDirectories(dataDir);
    const logsDir = join(dataDir, 'logs');
    mkdirSync(logsDir, { recursive: true });
    const common = { env, signal: abort.signal };
    const logFile = (name: string) => join(logsDir, `${name}.log`);

    const [postgres, redis] = await bothOrNeither(
      async () => {
        if (options.databaseUrl !== undefined) return undefined;
        return up(
          await startPostgres({
            dataDir: join(dataDir, 'postgres'),
            socketDir,
            logFile: logFile('postgres'),
            signal: abort.signal,
            ...(options.postgresSettings && { settings: options.postgresSettings }),
          }),
        );
      },
      async () => {
        if (options.redisUrl !== undefined) return undefined;
        await options.beforeRedis?.(abort.signal);
        const redis = await startRedis({
          directory: redisDir,
          logFile: logFile('redis'),
          signal: abort.signal,
        });
        return redis && up(redis);
      },
    );
    const databaseUrl = options.databaseUrl ?? postgres?.url ?? '';
    const redisUrl = options.redisUrl || redis?.url;

    const worker = up(
      await onFreePort(adminPorts, (port) =>
        startWorker({
          ...common,
          databaseUrl,
          adminAddress: `127.0.0.1:${port}`,
          logFile: logFile('worker'),
        }),
      ),
    );
    const gateway = up(
      await onFreePort(ports, (port) =>
        startGateway({
          ...common,
          port,
          workerAddress: worker.address,
          redisUrl,
          logFile: logFile('gateway'),
        }),
      ),
    );
    return {
      url: gateway.url,
      workerAddress: worker.address,
      adminAddress: worker.adminAddress,
      databaseUrl,
      redisUrl,
      died: firstDeath.promise,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs both at once. When one fails, the other is still waited for, so that it can be stopped. */
async function bothOrNeither<A, B>(one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([one(), other()]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

// The directories of the sockets are not in the data directory, whose path may be too long for a socket. Their names
// are kept there, so that the next start can remove those of one that was killed.
const LIST = 'socket-directories';

function makeSocketDirectories(dataDir: string): [postgres: string, redis: string] {
  const directories: [string, string] = [privateDirectory('postgres'), privateDirectory('redis')];
  writeFileSync(join(dataDir, LIST), directories.join('\n'));
  return directories;
}

function removeSocketDirectories(dataDir: string) {
  const list = join(dataDir, LIST);
  let directories: string[];
  try {
    directories = readFileSync(list, 'utf8').split('\n');
  } catch {
    return;
  }
  for (const directory of directories) {
    if (basename(directory).startsWith(PRIVATE_PREFIX)) rmSync(directory, { recursive: true, force: true });
  }
  rmSync(list, { force: true });
}
