/** A Redis Cluster of three masters, each with a replica, on ports of 127.0.0.1. */
import keySlot from 'cluster-key-slot';
import { until } from '../fixtures/until.ts';
import { command, PASSWORD, type Server, startClusterServer } from './redis-servers.ts';

const SLOTS = 16_384;
export const MASTERS = 3;

export interface Cluster {
  /** In the order of their creation. */
  master(n: number): Server;
  replica(n: number): Server;
  /** For REDIS_CLUSTER: two of its servers, with the password. */
  seeds: string;
  stop(): Promise<void>;
}

/** The index of the master that has a key. */
export const masterOf = (key: string) => Math.floor((keySlot(key) * MASTERS) / SLOTS);

const firstSlot = (n: number) => Math.ceil((n * SLOTS) / MASTERS);
const nodeId = (server: Server) => command(server, 'CLUSTER', 'MYID') as Promise<string>;
const busPort = async (server: Server) =>
  Number(((await command(server, 'CONFIG', 'GET', 'cluster-port')) as string[])[1]);
const isComplete = async (server: Server) =>
  String(await command(server, 'CLUSTER', 'INFO')).includes('cluster_state:ok');

/** Resolves once the cluster works and each replica is in sync. */
export async function startRedisCluster(): Promise<Cluster> {
  const servers = await Promise.all(Array.from({ length: 2 * MASTERS }, startClusterServer));
  const master = (n: number) => servers[n] as Server;
  const replica = (n: number) => servers[n + MASTERS] as Server;

  for (let n = 0; n < MASTERS; n++) {
    await command(master(n), 'CLUSTER', 'ADDSLOTSRANGE', firstSlot(n), firstSlot(n + 1) - 1);
    await command(master(n), 'CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
  }
  for (const server of servers.slice(1)) {
    await command(master(0), 'CLUSTER', 'MEET', '127.0.0.1', server.port, await busPort(server));
  }
  await until('all nodes known to each other', async () => {
    const known = await Promise.all(servers.map((server) => command(server, 'CLUSTER', 'NODES')));
    return known.every((nodes) => String(nodes).trim().split('\n').length === servers.length);
  });
  for (let n = 0; n < MASTERS; n++) {
    await command(replica(n), 'CLUSTER', 'REPLICATE', await nodeId(master(n)));
  }
  await until('a working cluster', async () => (await Promise.all(servers.map(isComplete))).every(Boolean));
  await until('replicas in sync', async () => {
    const infos = await Promise.all(
      servers.slice(MASTERS).map((server) => command(server, 'INFO', 'replication')),
    );
    return infos.every((info) => String(info).includes('master_link_status:up'));
  });

  const ports = [master(1), replica(2)].map(({ port }) => `127.0.0.1:${port}`);
  return {
    master,
    replica,
    seeds: `redis://:${encodeURIComponent(PASSWORD)}@${ports}`,
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
