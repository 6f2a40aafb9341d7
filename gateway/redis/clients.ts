/** The three kinds of client of Redis: one server, a master behind sentinels, a cluster. */
import { once } from 'node:events';
import keySlot from 'cluster-key-slot';
import Redis, { Cluster, type RedisOptions } from 'ioredis';
import type { RedisAddress, Servers } from './address.ts';
import deadlineLua from './deadline.lua' with { type: 'text' };
import probeLua from './probe.lua' with { type: 'text' };
import { type Call, CONNECT_MS_MAX, type Connection, NO_DEADLINE, type TimedReply } from './server.ts';

/** Lua by command name. */
export type Scripts = Readonly<Record<string, string>>;

interface RedisClient {
  /** The server that holds a key, as last known: servers fail one by one. */
  serverOf(key: string): string;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  close(): void;
}

interface RedisClientObserver {
  /** Called with the current servers, each with its connection. */
  servers(connections: ReadonlyMap<string, Connection>): void;
  /** The connection to a server has ended. */
  ended(server: string): void;
}

// Without the option that would change the type of replies.
type Options = Omit<RedisOptions, 'replyMapping'>;

const OPTIONS = {
  connectTimeout: CONNECT_MS_MAX,
  // By default a connection that delivers nothing stays for 2 s after its end.
  disconnectTimeout: 0,
  // RedisServer opens the connections.
  lazyConnect: true,
  retryStrategy: null,
  // A command that cannot be sent now must fail now and never be sent later: the limits then run in this process.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies Options;

const PROBE = 'ledger:probe';
const SLOTS = 16_384;
const REFRESH_SLOTS_MS = 1_000;
// After so long without the slots, a cluster is found by its seeds again.
const SLOTS_AGE_MS_MAX = 5_000;

/** @param scripts each is framed by deadline.lua */
export function createRedisClient(
  address: RedisAddress,
  scripts: Scripts,
  observer: RedisClientObserver,
): RedisClient {
  const framed = Object.entries({ ...scripts, probe: probeLua }).map(([name, lua]) => [
    name,
    { lua: deadlineLua.replace('-- SCRIPT', () => lua) },
  ]);
  const options = { enableOfflineQueue: false, scripts: Object.fromEntries(framed) } as const;
  switch (address.kind) {
    case 'server':
      return oneServer(new Redis(address.url, { ...OPTIONS, ...options }), observer);
    case 'sentinel': {
      const sentinels = sentinelOptions(address.sentinels, address.masterName);
      return oneServer(new Redis({ ...OPTIONS, ...options, ...sentinels }), observer);
    }
    case 'cluster':
      return clusterOf(address.seeds, options, observer);
  }
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
    // Sentinels that hang must leave time for one that does not.
    sentinelCommandTimeout: CONNECT_MS_MAX / (sentinels.nodes.length + 1),
    sentinelRetryStrategy: () => null,
    sentinelReconnectStrategy: () => CONNECT_MS_MAX,
    // A master that is cut off from the sentinels still serves. They report the new one.
    failoverDetector: true,
  };
}

function oneServer(redis: Redis, { servers, ended }: RedisClientObserver): RedisClient {
  redis.on('close', () => ended('redis'));
  const connection: Connection = {
    async open(signal) {
      if (redis.status !== 'wait' && redis.status !== 'end') await once(redis, 'end', { signal });
      await redis.connect();
      // The library would use database 0 if the server has no such database.
      if (redis.options.db) await redis.select(redis.options.db);
    },
    send: senderOf(redis, () => (redis.stream ? [redis.stream] : [])),
    probe: () => probeOf(PROBE),
    end() {
      if (redis.status !== 'end') redis.disconnect(true);
    },
    lastError: lastErrorOf(redis),
  };
  servers(new Map([['redis', connection]]));
  return {
    serverOf: () => 'redis',
    slotOf: () => 0,
    close: () => redis.disconnect(),
  };
}

const UNASSIGNED = 'unassigned';

function clusterOf(
  seeds: Servers,
  options: { enableOfflineQueue: false; scripts: Record<string, { lua: string }> },
  { servers, ended }: RedisClientObserver,
): RedisClient {
  const cluster = new Cluster(seeds.nodes, {
    ...options,
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
  const serverAt = (slot: number) => cluster.slots[slot]?.[0] ?? UNASSIGNED;
  const serverOf = (key: string) => serverAt(keySlot(key));
  const nameOf = ({ options: { host, port } }: Redis) => `${host}:${port}`;
  cluster.on('+node', (node: Redis) => node.once('end', () => ended(nameOf(node))));
  const lastError = lastErrorOf(cluster);
  let refreshedAt = performance.now();

  /** A key that each server holds. */
  let keys = new Map([[UNASSIGNED, PROBE]]);

  const send = senderOf(cluster, () => cluster.nodes('master').flatMap(({ stream }) => stream ?? []));
  const connectionTo = (server: string): Connection => {
    const probe = () => probeOf(keys.get(server) ?? PROBE);
    return {
      send,
      probe,
      async open(signal) {
        if (cluster.status !== 'ready') await once(cluster, 'ready', { signal });
        const node = cluster.nodes().find((each) => nameOf(each) === server);
        if (node?.status.startsWith('connect')) await once(node, 'ready', { signal });
        // Opens a connection where there is none.
        await send(probe(), NO_DEADLINE);
      },
      end() {
        for (const node of cluster.nodes()) if (nameOf(node) === server) node.disconnect(true);
        const isLost = performance.now() - refreshedAt > SLOTS_AGE_MS_MAX;
        if (isLost && cluster.status === 'ready') cluster.disconnect(true);
      },
      lastError,
    };
  };

  cluster.on('refresh', () => {
    refreshedAt = performance.now();
    const names = new Set(Array.from({ length: SLOTS }, (_, slot) => serverAt(slot)));
    keys = new Map();
    for (let n = 0; keys.size < names.size; n++) keys.set(serverOf(`${PROBE}:${n}`), `${PROBE}:${n}`);
    servers(connections());
  });
  const connections = () => new Map([...keys.keys()].map((server) => [server, connectionTo(server)]));
  servers(connections());
  return {
    serverOf,
    slotOf: keySlot,
    close: () => cluster.disconnect(),
  };
}

/** @param key that the server holds now */
const probeOf = (key: string): Call => ({ script: 'probe', keys: [key], args: [] });

type Command = (...args: (string | number)[]) => Promise<TimedReply<unknown>>;

/**
 * Sends scripts. ioredis writes each command by itself: corking writes the commands of one turn of the event loop together.
 * @param sockets that commands are written to now
 */
function senderOf(commands: Redis | Cluster, sockets: () => Redis['stream'][]): Connection['send'] {
  let isCorked = false;
  const corkUntilNextTurn = () => {
    if (isCorked) return;
    isCorked = true;
    const corked = sockets();
    for (const socket of corked) socket.cork();
    setImmediate(() => {
      isCorked = false;
      for (const socket of corked) socket.uncork();
    });
  };
  return <Reply>({ script, keys, args }: Call, deadlineUs: number) => {
    corkUntilNextTurn();
    const command = (commands as unknown as Record<string, Command>)[script] as Command;
    const reply = command.call(commands, keys.length, ...keys, ...args, deadlineUs);
    return reply as Promise<TimedReply<Reply>>;
  };
}

/** The error of a failed command mostly lacks the reason. */
function lastErrorOf(commands: Redis | Cluster): Connection['lastError'] {
  let last: Error | undefined;
  for (const event of ['error', 'node error']) {
    commands.on(event, (error: Error) => {
      last = error;
    });
  }
  for (const event of ['ready', 'refresh']) {
    commands.on(event, () => {
      last = undefined;
    });
  }
  return () => last;
}

function accessTo({ username, password, isEncrypted }: Servers): Options {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: {} }),
  };
}
