/** A Redis Cluster of three masters, on ports of 127.0.0.1. */
import keySlot from 'cluster-key-slot';
import { type Link, startProxy } from '../faults/proxy.ts';
import { freePort } from '../fixtures/free-port.ts';
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

/** With a replica of each master. Resolves once the cluster works and each replica is in sync. */
export async function startRedisCluster(): Promise<Cluster> {
  const servers = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startClusterServer()));
  const master = (n: number) => servers[n] as Server;
  const replica = (n: number) => servers[n + MASTERS] as Server;

  await join(servers);
  for (let n = 0; n < MASTERS; n++) {
    await command(replica(n), 'CLUSTER', 'REPLICATE', await nodeId(master(n)));
  }
  await until('replicas in sync', async () => {
    const infos = await Promise.all(
      servers.slice(MASTERS).map((server) => command(server, 'INFO', 'replication')),
    );
    return infos.every((info) => String(info).includes('master_link_status:up'));
  });
  return { master, replica, seeds: seedsOf(master(1), replica(2)), stop: () => stopAll(servers) };
}

/** Without replicas. Clients reach each server through a proxy. A server that hangs stays a master. */
export async function startProxiedCluster() {
  const servers: Server[] = [];
  const proxies: Link[] = [];
  for (let n = 0; n < MASTERS; n++) {
    const proxy = await startProxy(() => ({ host: '127.0.0.1', port: servers[n]?.port ?? 0 }));
    proxies.push(proxy);
    const busPort = freePort();
    servers.push(
      await startClusterServer({
        'cluster-port': busPort,
        'cluster-announce-ip': '127.0.0.1',
        'cluster-announce-port': proxy.port,
        'cluster-announce-bus-port': busPort,
        'cluster-node-timeout': 120_000,
      }),
    );
  }
  await join(servers);
  return {
    master: (n: number) => servers[n] as Server,
    proxy: (n: number) => proxies[n] as Link,
    seeds: seedsOf(...proxies),
    async stop() {
      await stopAll(servers);
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

const seedsOf = (...servers: { port: number }[]) =>
  `redis://:${encodeURIComponent(PASSWORD)}@${servers.map(({ port }) => `127.0.0.1:${port}`)}`;

async function stopAll(servers: Server[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}

/** Makes one cluster of the servers. The slots are those of the first three. */
async function join(servers: Server[]): Promise<void> {
  const master = (n: number) => servers[n] as Server;
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
  await until('a working cluster', async () => (await Promise.all(servers.map(isComplete))).every(Boolean));
}
