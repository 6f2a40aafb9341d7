/**
 * The system as it runs in production, on one machine: two gateways and two workers, one Postgres and one
 * Redis, each a process that can be killed or stopped, each link between them a proxy that can be cut.
 */
import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgresClient, { type Sql } from 'postgres';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { type Postgres, startPostgres } from '../../local/servers/postgres.ts';
import { type Redis as RedisService, startRedis } from '../../local/servers/redis.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { startJanitor } from './janitor.ts';
import { Part } from './part.ts';
import { type Link, PASS, startProxy } from './proxy.ts';

const PAIR = [0, 1] as const;
/** Few, so that other clients can take all of them. */
const CONNECTIONS_MAX = 40;
/** Of a worker: fewer than there are clients, so that some statements wait for others. */
const POOL_MAX = 3;
/** How long a gateway that was told to end still answers, so that whoever shares out requests can notice. */
const SHUTDOWN_DELAY_MS = 1_000;

export interface Cluster {
  gateways: Part<Gateway>[];
  workers: Part<Worker>[];
  redis: Part<RedisService>;
  postgres: Part<Postgres>;
  links: {
    /** Gateways to a worker, one for each worker. */
    worker: Link[];
    /** A worker to Postgres, one for each worker. */
    postgres: Link[];
    /** A gateway to Redis, one for each gateway. */
    redis: Link[];
  };
  /** The database itself, past every proxy. */
  sql: Sql;
  /** Where Postgres keeps its files: a file system of its own, where this machine lets us make one. */
  files: { directory: string; canFill: boolean };
  /** Everything that a part has logged since it first started. */
  logOf(name: string): Promise<string>;
  /** Processes that ended by themselves. */
  unexpectedEnds: string[];
  /** Tells whoever tidies up that a process is about to be stopped (SIGSTOP). */
  wakeLater(pid: number): void;
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves once every part serves. Nothing is left, however this process ends. */
export async function startCluster(): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-faults-'));
  const janitor = startJanitor(directory);
  const files = { directory: join(directory, 'postgres'), canFill: mount(join(directory, 'postgres')) };
  const unexpectedEnds: string[] = [];
  const logFile = (name: string) => join(directory, `${name.replace(' ', '-')}.log`);

  const part = <S extends Gateway | Worker | Postgres | RedisService>(
    name: string,
    launch: (logFile: string) => Promise<S>,
  ) => {
    const part = new Part<S>({
      name,
      launch: () => launch(logFile(name)),
      onUnexpectedEnd: (how) => {
        unexpectedEnds.push(`${name}: ${how}`);
        // As an orchestrator would. Should it not come up, the cluster does not recover.
        part.start().catch(() => {});
      },
      onStop: janitor.wakeLater,
    });
    return part;
  };

  const postgres = part('postgres', (logFile) =>
    startPostgres({
      dataDir: join(files.directory, 'data'),
      socketDir: join(directory, 'postgres-socket'),
      settings: {
        max_connections: String(CONNECTIONS_MAX),
        shared_buffers: '64MB',
        max_wal_size: '128MB',
        // For the audit: which rows were committed together, and in which order.
        track_commit_timestamp: 'on',
      },
      logFile,
    }),
  );
  const redis = part('redis', async (logFile) => {
    const service = await startRedis({ directory: join(directory, 'redis'), logFile });
    if (!service) throw new Error('neither Redis nor Valkey is on the PATH');
    return service;
  });
  await Promise.all([postgres.start(), redis.start()]);

  const toPostgres = await startProxies(() => ({
    path: join(directory, 'postgres-socket', '.s.PGSQL.5432'),
  }));
  const workers = PAIR.map((n) =>
    part(`worker ${n}`, (logFile) =>
      startWorker({
        databaseUrl: `postgres://ledger@127.0.0.1:${toPostgres[n]?.port}/ledger`,
        env: { DATABASE_POOL_MAX: String(POOL_MAX) },
        logFile,
      }),
    ),
  );
  await Promise.all(workers.map((worker) => worker.start()));

  const toWorker = await startProxies((n) => hostAndPort(workers[n]?.current.address));
  const toRedis = await startProxies(() => ({ path: redis.current.url }));
  const workerAddress = `ipv4:${toWorker.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  const gateways = PAIR.map((n) =>
    part(`gateway ${n}`, (logFile) =>
      startGateway({
        workerAddress,
        redisUrl: `redis://127.0.0.1:${toRedis[n]?.port}`,
        env: { SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) },
        logFile,
      }),
    ),
  );
  await Promise.all(gateways.map((gateway) => gateway.start()));

  const links = { worker: toWorker, postgres: toPostgres, redis: toRedis };
  const proxies = Object.values(links).flat();
  const sql = connect(postgres.current);
  // In the order in which they come up.
  const parts = [redis, postgres, ...workers, ...gateways];

  return {
    gateways,
    workers,
    redis,
    postgres,
    links,
    sql,
    files,
    unexpectedEnds,
    wakeLater: janitor.wakeLater,
    logOf: (name) => Bun.file(logFile(name)).text(),
    async heal() {
      await Promise.all(proxies.map((proxy) => proxy.set(PASS)));
      for (const part of parts) await part.start();
    },
    async stop() {
      await sql.end({ timeout: 1 });
      for (const part of parts.reverse()) await part.stop();
      for (const proxy of proxies) await proxy.close();
      await janitor.tidy();
    },
  };
}

/** A client of the server itself. */
export function connect({ url }: Postgres): Sql {
  const { username, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? '';
  return postgresClient({ host, username, database: pathname.slice(1), max: 2, onnotice: () => {} });
}

function startProxies(target: (n: number) => { host: string; port: number } | { path: string }) {
  return Promise.all(PAIR.map((n) => startProxy(() => target(n))));
}

function hostAndPort(address = ''): { host: string; port: number } {
  const [host = '', port] = address.split(':');
  return { host, port: Number(port) };
}

// Far more than the books of a long run: memory is taken only by what is written.
const FILES_SIZE = '4g';

/** A file system in memory, which can be filled without harm to others. Whether it could be made. */
function mount(directory: string): boolean {
  mkdirSync(directory, { recursive: true });
  if (process.platform !== 'linux') return false;
  const options = `size=${FILES_SIZE},mode=0755`;
  return Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'ledger-faults', directory]).success;
}

const RESIZE_ATTEMPTS_MAX = 50;

/** Leaves no free byte in the file system mounted at `directory`, or gives the space back. */
export function setFull(directory: string, full: boolean): void {
  for (let attempt = 1; attempt <= RESIZE_ATTEMPTS_MAX; attempt++) {
    const { blocks, bfree, bsize } = statfsSync(directory);
    const size = full ? (blocks - bfree) * bsize : FILES_SIZE;
    // Refused when Postgres has just written more.
    if (Bun.spawnSync(['mount', '-o', `remount,size=${size}`, directory]).success) return;
  }
  throw new Error(`the file system at ${directory} could not be resized`);
}
