/** The three kinds of connection to Redis: one server, a master behind sentinels, a cluster. */
import keySlot from 'cluster-key-slot';
import Redis, { Cluster, type RedisOptions } from 'ioredis';
import type { RedisAddress, Servers } from './address.ts';

export type Scripts = Record<string, { lua: string; numberOfKeys?: number }>;

export interface RedisClient {
  commands: Redis | Cluster;
  /** The server that holds a key, as last known: servers fail one by one. */
  serverOf(key: string): string;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  /** One key for each server. */
  probes(): readonly string[];
  /** The sockets that commands are written to at present. */
  sockets(): Redis['stream'][];
  close(): void;
}

// Without the option that would change the type of replies.
type Options = Omit<RedisOptions, 'replyMapping'>;

// Pause before a connection is tried again.
const RETRY_AFTER_MS = 500;
const CONNECT_MS_MAX = 1_000;

const OPTIONS = {
  connectTimeout: CONNECT_MS_MAX,
  // A command that cannot be sent now must fail now and never be sent later: the limits then run in this process.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies Options;

const PROBE = 'ledger:probe';

/** Starts connecting. @param scripts Lua by command name */
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
    // A master that hangs leaves its connection open. The sentinels report the new one.
    failoverDetector: true,
    // A master that was partitioned comes back as a replica, with its connections open.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  };
}

function oneServer(commands: Redis): RedisClient {
  return {
    commands,
    serverOf: () => 'redis',
    slotOf: () => 0,
    probes: () => [PROBE],
    sockets: () => (commands.stream ? [commands.stream] : []),
    close: () => commands.disconnect(),
  };
}

function masterOf(redis: Redis): RedisClient {
  let isClosed = false;
  // ioredis gives up for good when sentinels report another master while it is connecting.
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

const UNASSIGNED = 'unassigned';

function clusterOf(seeds: Servers, scripts: Scripts): RedisClient {
  const cluster = new Cluster(seeds.nodes, {
    redisOptions: { ...OPTIONS, ...accessTo(seeds) },
    enableOfflineQueue: false,
    // A command that may have been executed must not be sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: () => RETRY_AFTER_MS,
    // By default the slots are refreshed only after certain errors.
    slotsRefreshInterval: CONNECT_MS_MAX,
    slotsRefreshTimeout: RETRY_AFTER_MS,
    scripts,
  });
  const serverAt = (slot: number) => cluster.slots[slot]?.[0] ?? UNASSIGNED;
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
    slotOf: keySlot,
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
