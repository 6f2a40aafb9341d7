/**
 * The system as in production, on one machine: two gateways, two workers, one Postgres or a cluster of Citus, one Redis. Every
 * process can be killed or paused, and every link between them is a proxy that can be cut.
 */
import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import type { Postgres } from '../../local/servers/postgres.ts';
import { type Redis as RedisService, startRedis } from '../../local/servers/redis.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { startCleanUp } from '../fixtures/clean-up.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type ClusterDatabase, type Kind, startCitus, startOnePostgres } from './cluster-database.ts';
import { ClusterProcess } from './cluster-process.ts';
import { type Link, PASS, startProxy, type Target, targetOf } from './proxy.ts';

const PAIR = [0, 1] as const;
/** Connections per worker: fewer than clients, so that statements also wait for a connection. */
const POOL_MAX = 3;
/** How long a gateway still serves after SIGTERM, so that the load balancer can notice, also on a slow machine. */
const SHUTDOWN_DELAY_MS = 3_000;

export interface Cluster {
  gateways: ClusterProcess<Gateway>[];
  workers: ClusterProcess<Worker>[];
  /** Where the gateways' address of Redis leads. */
  readonly redis: ClusterProcess<RedisService>;
  /** Another one, which a fault starts. */
  readonly redisStandby: ClusterProcess<RedisService>;
  /** Exchanges the two. Open connections stay where they are. */
  moveRedis(): void;
  links: {
    /** From the gateways to a worker, one link per worker. */
    worker: Link[];
    /** To the database. */
    postgres: Link[];
    /** From a gateway to Redis, one link per gateway. */
    redis: Link[];
  };
  database: ClusterDatabase;
  /** The data of Postgres; `canFill` when it is on a file system of its own, which needs the right to mount one. */
  files: { directory: string; canFill: boolean };
  /** Descriptions of processes that ended by themselves. */
  unexpectedEnds: string[];
  /** Registers a process for SIGCONT in the clean-up. Call it before a SIGSTOP. */
  registerFrozen(pid: number): void;
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves once every process serves. The clean-up also runs when this process is killed. @param env of the gateways */
export async function startCluster(kind: Kind, env: Record<string, string>): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-faults-'));
  const cleanUp = startCleanUp(directory);
  const files = { directory: join(directory, 'postgres'), canFill: mount(join(directory, 'postgres')) };
  const unexpectedEnds: string[] = [];
  const logFile = (name: string) => join(directory, `${name.replace(' ', '-')}.log`);

  const addProcess = <S extends Gateway | Worker | Postgres | RedisService>(
    name: string,
    launch: (logFile: string) => Promise<S>,
  ) => {
    const added = new ClusterProcess<S>({
      name,
      launch: () => launch(logFile(name)),
      onUnexpectedEnd: (how) => {
        unexpectedEnds.push(`${name}: ${how}`);
        // Restarted as by an orchestrator. If the start fails, the cluster counts as not recovered.
        added.start().catch(() => {});
      },
      onFreeze: cleanUp.registerFrozen,
    });
    return added;
  };

  const addRedis = (name: string) =>
    addProcess(name, async (logFile) => {
      // One can be the replica of the other.
      const settings = { bind: '127.0.0.1', port: String(freePort()), 'repl-diskless-sync-delay': '0' };
      const service = await startRedis({ directory: join(directory, name), logFile, settings });
      if (!service) throw new Error('neither Redis nor Valkey is on the PATH');
      return service;
    });
  let [redis, redisStandby] = [addRedis('redis'), addRedis('redis-standby')];
  const [database] = await Promise.all([
    kind === 'citus' ? startCitus() : startOnePostgres(directory, files.directory, addProcess),
    redis.start(),
  ]);

  const workers = PAIR.map((n) =>
    addProcess(`worker ${n}`, (logFile) =>
      startWorker({
        databaseUrl: database.urlFor(n),
        env: { DATABASE_POOL_MAX: String(POOL_MAX) },
        logFile,
      }),
    ),
  );
  await Promise.all(workers.map((worker) => worker.start()));

  const toWorker = await startProxies((n) => targetOf(workers[n]?.current.address));
  const toRedis = await startProxies(() => ({ path: redis.current.url }));
  const workerAddress = `ipv4:${toWorker.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  const gateways = PAIR.map((n) =>
    addProcess(`gateway ${n}`, (logFile) =>
      startGateway({
        workerAddress,
        redisUrl: `redis://127.0.0.1:${toRedis[n]?.port}`,
        env: { SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS), ...env },
        logFile,
      }),
    ),
  );
  await Promise.all(gateways.map((gateway) => gateway.start()));

  const links = { worker: toWorker, postgres: database.links, redis: toRedis };
  // Of Citus, a fault adds some.
  const proxies = () => Object.values(links).flat();
  // In the order of their start.
  const processes = () => [redis, ...workers, ...gateways];

  return {
    gateways,
    workers,
    get redis() {
      return redis;
    },
    get redisStandby() {
      return redisStandby;
    },
    moveRedis() {
      [redis, redisStandby] = [redisStandby, redis];
    },
    database,
    links,
    files,
    unexpectedEnds,
    registerFrozen: cleanUp.registerFrozen,
    async heal() {
      await Promise.all(proxies().map((proxy) => proxy.set(PASS)));
      await database.heal();
      for (const each of processes()) await each.start();
    },
    async stop() {
      for (const each of [redisStandby, ...processes()].reverse()) await each.stop();
      await database.stop();
      for (const proxy of proxies()) await proxy.close();
      await cleanUp.run();
    },
  };
}

function startProxies(target: (n: number) => ReturnType<Target>) {
  return Promise.all(PAIR.map((n) => startProxy(() => target(n))));
}

// More than a long run writes. A tmpfs takes memory only for its content.
const FILES_SIZE = '4g';

/** Mounts a tmpfs, which can be filled without harm to other programs. Returns whether that succeeded. */
function mount(directory: string): boolean {
  mkdirSync(directory, { recursive: true });
  if (process.platform !== 'linux') return false;
  const options = `size=${FILES_SIZE},mode=0755`;
  return Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'ledger-faults', directory]).success;
}

const RESIZE_ATTEMPTS_MAX = 50;

/** Shrinks the file system at `directory` until it is full, or restores its size. */
export function setFull(directory: string, full: boolean): void {
  for (let attempt = 1; attempt <= RESIZE_ATTEMPTS_MAX; attempt++) {
    const { blocks, bfree, bsize } = statfsSync(directory);
    const size = full ? (blocks - bfree) * bsize : FILES_SIZE;
    // Fails when Postgres has written more in the meantime.
    if (Bun.spawnSync(['mount', '-o', `remount,size=${size}`, directory]).success) return;
  }
  throw new Error(`the file system at ${directory} could not be resized`);
}
