/**
 * The commands of ioredis: to one server, or to the master behind sentinels. Each server is a RedisServer, which opens its connections and
 * decides when one has failed. The library itself connects nothing again: it would send commands whose requests were answered long ago.
 */
import { once } from 'node:events';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { Servers } from './address.ts';
import { type Call, CONNECT_MS_MAX, type Connection, RedisServer, type TimedReply } from './server.ts';

export interface RedisClient {
  /** All servers, as last known: they fail one by one. */
  servers(): readonly RedisServer[];
  /** The server that holds a key. Undefined: none is known. */
  serverOf(key: string): RedisServer | undefined;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  close(): void;
}

export type Scripts = Record<string, { lua: string }>;

// Without the option that would change the type of replies.
type Options = Omit<RedisOptions, 'replyMapping'>;

export const OPTIONS = {
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

export const PROBE = 'ledger:probe';

/** @param key that the server holds now */
export const probeOf = (key: string): Call => ({ script: 'probe', keys: [key], args: [] });

export function oneServer(redis: Redis, log: Logger): RedisClient {
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
  const server = new RedisServer('redis', connection, log);
  redis.on('close', () => server.disconnected());
  return {
    servers: () => [server],
    serverOf: () => server,
    slotOf: () => 0,
    close: () => redis.disconnect(),
  };
}

export function sentinelOptions(sentinels: Servers, name: string): Options {
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

type Command = (...args: (string | number)[]) => Promise<TimedReply<unknown>>;

/**
 * Sends scripts. ioredis writes each command by itself: corking writes the commands of one turn of the event loop together.
 * @param sockets that commands are written to now
 */
export function senderOf(commands: Redis | Cluster, sockets: () => Redis['stream'][]): Connection['send'] {
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
export function lastErrorOf(commands: Redis | Cluster): Connection['lastError'] {
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

export function accessTo({ username, password, isEncrypted }: Servers): Options {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: {} }),
  };
}
