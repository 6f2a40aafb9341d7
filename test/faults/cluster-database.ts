/** The database of the cluster: one Postgres, or servers of Citus over which it is distributed. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgresClient, { type Sql } from 'postgres';
import { type Postgres, startPostgres } from '../../local/servers/postgres.ts';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { startDistributedDatabase } from '../fixtures/distributed-database.ts';
import { copyData } from '../fixtures/postgres-pair.ts';
import type { Database } from './books.ts';
import type { ClusterProcess } from './cluster-process.ts';
import { type Link, startProxy } from './proxy.ts';

export type Kind = 'postgres' | 'citus';

export interface ClusterDatabase extends Database {
  /** Undefined: Citus. */
  postgres: ClusterProcess<Postgres> | undefined;
  /** Undefined: one Postgres. */
  citus: CitusCluster | undefined;
  /** Of one Postgres: the name, and one per server. Of Citus: one per server, the coordinator first, for workers and other servers. */
  links: Link[];
  /** The DATABASE_URL of a worker. */
  urlFor(worker: number): string;
  /**
   * The other server continues with the data of the one that accepts writes, which comes back as its standby. The name still leads
   * there. Only of one Postgres.
   * @returns moves the name
   */
  switchOver?(): Promise<() => Promise<void>>;
  /** Starts what does not run. */
  heal(): Promise<void>;
  /** Descriptions of server processes that have crashed since the last call. */
  crashes(): string[];
  stop(): Promise<void>;
}

/** Few, so that the fault "postgres out of connections" can take all of them. */
const CONNECTIONS_MAX = 40;

/** A server of one Postgres: the one that accepts writes, or its standby. */
interface Server {
  dataDir: string;
  socketDir: string;
}

/**
 * Worker 0 connects to a name, worker 1 to a list of both servers. The other server runs only after `switchOver`.
 * @param directory of the sockets @param files of the data
 */
export async function startOnePostgres(
  directory: string,
  files: string,
  addProcess: (name: string, launch: (logFile: string) => Promise<Postgres>) => ClusterProcess<Postgres>,
): Promise<ClusterDatabase> {
  const server = (name: string): Server => ({
    dataDir: join(files, name),
    socketDir: join(directory, `${name}-socket`),
  });
  const servers: [Server, Server] = [server('one'), server('other')];
  let [primary, standby] = servers;
  let named = primary;
  let runningStandby: Postgres | undefined;
  const launch = (server: Server, settings: Record<string, string>, logFile?: string) =>
    startPostgres({
      ...server,
      settings: {
        max_connections: String(CONNECTIONS_MAX),
        shared_buffers: '64MB',
        max_wal_size: '128MB',
        ...settings,
      },
      logFile,
    });
  const postgres = addProcess('postgres', (logFile) => launch(primary, {}, logFile));
  await postgres.start();
  const links = await Promise.all([toSocket(() => named), ...servers.map((each) => toSocket(() => each))]);
  let sql = connect(postgres.current);
  return {
    postgres,
    citus: undefined,
    links,
    urlFor: (worker) => urlOf(worker === 0 ? links.slice(0, 1) : links.slice(1)),
    get sql() {
      return sql;
    },
    servers: () => [sql],
    isDistributed: false,
    async switchOver() {
      await postgres.end('SIGINT');
      await runningStandby?.stop();
      rmSync(standby.dataDir, { recursive: true, force: true });
      copyData(primary.dataDir, standby.dataDir);
      [primary, standby] = [standby, primary];
      await postgres.start();
      const replaced = sql;
      sql = connect(postgres.current);
      await replaced.end({ timeout: 1 });
      writeFileSync(join(standby.dataDir, 'standby.signal'), '');
      const follows = { primary_conninfo: `host=${primary.socketDir} user=ledger` };
      runningStandby = await launch(standby, follows);
      return async () => {
        named = primary;
      };
    },
    heal: () => postgres.start(),
    crashes: () => [],
    async stop() {
      await sql.end({ timeout: 1 });
      await postgres.stop();
      await runningStandby?.stop();
    },
  };
}

/** A client that connects to the server directly. */
export function connect({ url }: Pick<Postgres, 'url'>): Sql {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return postgresClient({
    host,
    ...(port && { port: Number(port) }),
    username,
    database: pathname.slice(1),
    max: 2,
    onnotice: () => {},
  });
}

const toSocket = (server: () => Server) =>
  startProxy(() => ({ path: join(server().socketDir, '.s.PGSQL.5432') }));

const urlOf = (links: (Link | undefined)[]) =>
  `postgres://ledger@${links.map((link) => `127.0.0.1:${link?.port}`).join()}/ledger`;

const NODES = 2;

/** A coordinator and two nodes, which know each other by their links. */
export async function startCitus(): Promise<ClusterDatabase> {
  const links: Link[] = [];
  const citus = await startDistributedDatabase({
    nodes: NODES,
    settings: {
      fsync: 'on',
      // The log then has the statement of a server process that crashes.
      log_error_verbosity: 'default',
      // Each is moved by a task of its own.
      'citus.shard_count': '8',
      'citus.background_task_queue_interval': '1s',
    },
    async knownPort(port) {
      const link = await startProxy(() => ({ host: '127.0.0.1', port }));
      links.push(link);
      return link.port;
    },
  });
  const all = () => [citus.coordinator, ...citus.nodes];
  const connections = new Map<CitusNode, Sql>();
  const sqlOf = (node: CitusNode) => {
    const sql = connections.get(node) ?? connect(node);
    connections.set(node, sql);
    return sql;
  };
  const sql = sqlOf(citus.coordinator);
  let known = 0;
  return {
    postgres: undefined,
    citus,
    links,
    // Not the coordinator, and not the nodes that a fault adds.
    urlFor: () => urlOf(links.slice(1, 1 + NODES)),
    sql,
    servers: () => citus.nodes.map(sqlOf),
    isDistributed: true,
    async heal() {
      for (const node of all()) {
        node.thaw();
        await node.start();
      }
    },
    crashes() {
      const lines = all().flatMap((node) =>
        [...node.readLog().matchAll(/.*was terminated by signal.*(?:\n.*DETAIL:.*)?/g)].map(
          ([line]) => `${node.name}: ${line}`,
        ),
      );
      const crashes = lines.slice(known);
      known = lines.length;
      return crashes;
    },
    async stop() {
      await Promise.all([...connections.values()].map((each) => each.end({ timeout: 1 })));
      await citus.stop();
    },
  };
}
