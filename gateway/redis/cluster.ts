/** The servers of a Redis Cluster, each up or down by itself, and the server that holds a key. */
import { once } from 'node:events';
import keySlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Servers } from './address.ts';
import {
  accessTo,
  lastErrorOf,
  OPTIONS,
  PROBE,
  probeOf,
  type RedisClient,
  type Scripts,
  senderOf,
} from './client.ts';
import { CONNECT_MS_MAX, type Connection, NO_DEADLINE, RedisServer } from './server.ts';

const SLOTS = 16_384;
const REFRESH_SLOTS_MS = 1_000;
// After so long without the slots, a cluster is found by its seeds again.
const SLOTS_AGE_MS_MAX = 5_000;
// The name of the server of slots that no server has.
const UNASSIGNED = 'unassigned';

export function clusterOf(seeds: Servers, scripts: Scripts, log: Logger): RedisClient {
  const cluster = new Cluster(seeds.nodes, {
    enableOfflineQueue: false,
    scripts,
    redisOptions: { ...OPTIONS, ...accessTo(seeds) },
    // RedisServer probes each server.
    enableReadyCheck: false,
    // A command that may have been executed must not be sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: () => CONNECT_MS_MAX / 2,
    // By default the slots are refreshed only after certain errors.
    slotsRefreshInterval: REFRESH_SLOTS_MS,
    slotsRefreshTimeout: CONNECT_MS_MAX,
  });
  // Each connection that is opened waits for it.
  cluster.setMaxListeners(0);
  const servers = new Map<string, RedisServer>();
  const nameAt = (slot: number) => cluster.slots[slot]?.[0] ?? UNASSIGNED;
  const nameOf = ({ options: { host, port } }: Redis) => `${host}:${port}`;
  cluster.on('+node', (node: Redis) => node.once('end', () => servers.get(nameOf(node))?.disconnected()));
  const lastError = lastErrorOf(cluster);
  let refreshedAt = performance.now();

  /** A key that each server holds. */
  let keys = new Map([[UNASSIGNED, PROBE]]);

  const send = senderOf(cluster, () => cluster.nodes('master').flatMap(({ stream }) => stream ?? []));
  const connectionTo = (name: string): Connection => {
    const probe = () => probeOf(keys.get(name) ?? PROBE);
    return {
      send,
      probe,
      async open(signal) {
        if (cluster.status !== 'ready') await once(cluster, 'ready', { signal });
        const node = cluster.nodes().find((each) => nameOf(each) === name);
        if (node?.status.startsWith('connect')) await once(node, 'ready', { signal });
        // Opens a connection where there is none.
        await send(probe(), NO_DEADLINE);
      },
      end() {
        for (const node of cluster.nodes()) if (nameOf(node) === name) node.disconnect(true);
        const isLost = performance.now() - refreshedAt > SLOTS_AGE_MS_MAX;
        if (isLost && cluster.status === 'ready') cluster.disconnect(true);
      },
      lastError,
    };
  };

  cluster.on('refresh', () => {
    refreshedAt = performance.now();
    const names = new Set(Array.from({ length: SLOTS }, (_, slot) => nameAt(slot)));
    keys = new Map();
    for (let n = 0; keys.size < names.size; n++) {
      const key = `${PROBE}:${n}`;
      keys.set(nameAt(keySlot(key)), key);
    }
    update();
  });

  /** Brings the servers in line with the names in `keys`. */
  function update(): void {
    for (const [name, server] of servers) {
      if (keys.has(name)) continue;
      servers.delete(name);
      if (server.close()) log.info({ server: name }, 'redis is back: another server has its keys');
    }
    for (const name of keys.keys())
      if (!servers.has(name)) servers.set(name, new RedisServer(name, connectionTo(name), log));
  }

  update();
  return {
    servers: () => [...servers.values()],
    serverOf: (key) => servers.get(nameAt(keySlot(key))),
    slotOf: keySlot,
    close: () => cluster.disconnect(),
  };
}
