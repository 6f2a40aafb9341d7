/** The three ways to Redis: one server, the master that sentinels name, a cluster. */
import keySlot from 'cluster-key-slot';
import Redis, { Cluster, type RedisOptions } from 'ioredis';
import type { RedisAddress, Servers } from './address.ts';

export type Scripts = Record<string, { lua: string; numberOfKeys: number }>;

export interface RedisClient {
  commands: Redis | Cluster;
  /** The server that holds a key, as far as is known; servers fail one by one. */
  serverOf(key: string): string;
  /** A key on each of the servers. */
  probes(): readonly string[];
  /** By which commands leave at present. */
  sockets(): Redis['stream'][];
  close(): void;
}

// With the answers as they are by default.
type Options = Omit<RedisOptions, 'replyMapping'>;

// How long what does not answer is left alone before it is tried again.
const RETRY_AFTER_MS = 500;
const CONNECT_MS_MAX = 1_000;

const OPTIONS = {
  connectTimeout: CONNECT_MS_MAX,
  // A command that cannot be sent now must fail now, and never be sent later: the limits have their stand-in.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies Options;

const PROBE = 'ledger:probe';

/** Begins to connect. @param scripts Lua by command name */
export function createRedisClient(address: RedisAddress, scripts: Scripts): RedisClient {
  switch (address.kind) {
    case 'server':
      return oneServer(new Redis(address.url, serverOptions(scripts)));
    case 'sentinel':
      return masterOf(
        new Redis({ ...serverOptions(scripts), ...sentinelOptions(address.sentinels, address.masterName) }),
      );
    case 'cluster':
      return clusterOf(address.seeds, scripts);
  }
}

function serverOptions(scripts: Scripts): Options {
  return { ...OPTIONS, enableOfflineQueue: false, retryStrategy: () => RETRY_AFTER_MS, scripts };
}

function sentinelOptions(sentinels: Servers, name: string): Options {
  const { username, password, tls } = accessTo(sentinels);
  return {
    name,
    sentinels: sentinels.nodes,
    username,
    password,
    sentinelUsername: username,
    sentinelPassword: password,
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: CONNECT_MS_MAX,
    sentinelRetryStrategy: () => RETRY_AFTER_MS,
    sentinelReconnectStrategy: () => RETRY_AFTER_MS,
    // A master that hangs leaves its connection open: the sentinels say that there is another.
    failoverDetector: true,
    // So does one that was out of their reach, and is a replica when it comes back.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  };
}

function oneServer(commands: Redis): RedisClient {
  return {
    commands,
    serverOf: () => 'redis',
    probes: () => [PROBE],
    sockets: () => (commands.stream ? [commands.stream] : []),
    close: () => commands.disconnect(),
  };
}

function masterOf(redis: Redis): RedisClient {
  let isClosed = false;
  // The library gives up for good when sentinels tell of another master while it is about to connect to one.
  redis.on('end', () => {
    if (!isClosed) setTimeout(() => redis.connect().catch(() => {}), RETRY_AFTER_MS);
  });
  return {
    ...oneServer(redis),
    close() {
      isClosed = true;
      redis.disconnect();
    },
  };
}

const NOBODY = 'nobody';

function clusterOf(seeds: Servers, scripts: Scripts): RedisClient {
  const cluster = new Cluster(seeds.nodes, {
    redisOptions: { ...OPTIONS, ...accessTo(seeds) },
    enableOfflineQueue: false,
    // What may have been done must not be done again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: () => RETRY_AFTER_MS,
    // By default it is looked up only when commands fail in certain ways who has the slots.
    slotsRefreshInterval: CONNECT_MS_MAX,
    slotsRefreshTimeout: RETRY_AFTER_MS,
    scripts,
  });
  const serverAt = (slot: number) => cluster.slots[slot]?.[0] ?? NOBODY;
  const serverOf = (key: string) => serverAt(keySlot(key));
  let probes = [PROBE];
  cluster.on('refresh', () => {
    const servers = new Set(Array.from({ length: SLOTS }, (_, slot) => serverAt(slot)));
    const found = new Map<string, string>();
    for (let n = 0; found.size < servers.size; n++) found.set(serverOf(`${PROBE}:${n}`), `${PROBE}:${n}`);
    probes = [...found.values()];
  });
  return {
    commands: cluster,
    serverOf,
    probes: () => probes,
    sockets: () => cluster.nodes('master').flatMap(({ stream }) => stream ?? []),
    close: () => cluster.disconnect(),
  };
}

const SLOTS = 16_384;

function accessTo({ username, password, isEncrypted }: Servers): Options {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: {} }),
  };
}
