/**
 * `bun run bench:citus`: what a distributed database costs, against one plain PostgreSQL of the same version.
 *
 * Starts both on this machine, each with a worker, a gateway and a Redis, and measures each row in alternation. The CPU time is that of
 * the database servers. It is the figure that counts: the machine has no cores for each node.
 */
import { openServers } from '../../fixtures/citus-cluster.ts';
import type { CitusNode } from '../../fixtures/citus-node.ts';
import { runCommand, startDistributedDatabase } from '../../fixtures/distributed-database.ts';
import { heading, measure } from '../measure.ts';
import { CITUS_ROWS } from '../rows.ts';
import { collectStops, fill, startService, type Target } from '../target.ts';

// The same for both sides.
const SETTINGS = { shared_buffers: '128MB', max_wal_size: '2GB', max_connections: '200' };

const TIMES = { seconds: 1, rounds: 3 };
const WRITERS = 3_500;

const { stops, stopAll } = collectStops();
try {
  const plain = await startPlain();
  const cluster = await startDistributedDatabase({ settings: SETTINGS });
  stops.push(() => cluster.stop());
  const sides: [Target, Target] = [
    await startSide('plain Postgres', plain.url, [plain]),
    await startSide('Citus', cluster.nodesUrl(), [cluster.coordinator, ...cluster.nodes]),
  ];
  console.log(heading(sides));
  for (const row of CITUS_ROWS) await measure(row, sides, TIMES);
} finally {
  await stopAll();
}

/** The PostgreSQL that has Citus, without loading it. */
async function startPlain(): Promise<CitusNode> {
  const servers = openServers();
  stops.push(servers.stop);
  await servers.initialise({ ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: '' });
  const server = await servers.launch('plain', false);
  await runCommand('migrate', server.url);
  return server;
}

async function startSide(name: string, databaseUrl: string, servers: readonly CitusNode[]): Promise<Target> {
  const service = await startService(name, { databaseUrl });
  stops.push(service.stop);
  const pids = new Map(servers.map((server) => [server.name, server.pid]));
  return { ...service, pids, accounts: await fill(service, WRITERS) };
}
