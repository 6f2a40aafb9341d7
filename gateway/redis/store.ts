/** Runs commands in Redis behind a circuit breaker per server. */
import { once } from 'node:events';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { type RedisCommander, ReplyError } from 'ioredis';
import type { Logger } from 'pino';
import type { RedisAddress } from './address.ts';
import { createRedisClient, type Scripts } from './clients.ts';

// Limit of one command. Together with the rest of a request's work it stays within 100 ms when Redis is unavailable.
const COMMAND_MS_MAX = 80;
// How long a breaker stays open before one command probes the server again.
const RETRY_AFTER_MS = 500;
const FIRST_CONNECTION_MS_MAX = 1000;
// How often the log repeats that a server is away.
const REMINDER_MS = 60_000;

export interface RedisStore {
  /**
   * The command's reply. Undefined, at once or within 100 ms, while Redis is unavailable (refused, hung, read-only, or without a
   * master).
   * @param key any key of the command, all of which share a hash tag: only a part of a cluster may be unavailable
   */
  run<Reply>(key: string, command: (redis: RedisCommander) => Promise<Reply>): Promise<Reply | undefined>;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  /** Probes every server. */
  isAvailable(): Promise<boolean>;
  /** Whether every server replied to its last command. */
  isUp(): boolean;
  close(): void;
}

/**
 * Connects. Waits at most one second for the first connection, because the gateway also serves without Redis.
 * @param scripts Lua by command name.
 */
export async function connectRedis(
  address: RedisAddress,
  scripts: Scripts,
  log: Logger,
): Promise<RedisStore> {
  const client = createRedisClient(address, scripts);
  const { commands } = client;
  // The reason for a command's failure is mostly in the last error of the connection, not in its own.
  let lastError: Error | undefined;
  for (const event of ['error', 'node error']) {
    commands.on(event, (error: Error) => {
      lastError = error;
    });
  }
  commands.on('ready', () => {
    lastError = undefined;
  });
  const connected = once(commands, 'ready').then(() => true);
  if (!(await Promise.race([connected, Bun.sleep(FIRST_CONNECTION_MS_MAX)]).catch(() => false))) {
    log.warn({ reason: lastError?.message }, 'redis does not answer: limits are kept in this process');
  }

  const breakers = new Map<string, CircuitBreakerPolicy>();
  // When the log last said so of a server that is away.
  const saidAt = new Map<string, number>();
  const breakerOf = (server: string) => {
    const known = breakers.get(server);
    if (known) return known;
    const breaker = circuitBreaker(handleWhen(isServerFailure), {
      halfOpenAfter: RETRY_AFTER_MS,
      breaker: new ConsecutiveBreaker(1),
    });
    breaker.onBreak((reason) => {
      const error = reason && 'error' in reason ? (reason.error as Error) : undefined;
      const now = performance.now();
      // Each probe that fails opens the breaker again.
      if (now - (saidAt.get(server) ?? Number.NEGATIVE_INFINITY) < REMINDER_MS) return;
      saidAt.set(server, now);
      log.warn(
        { server, reason: (lastError ?? error)?.message },
        'redis is unavailable: limits are kept in this process',
      );
    });
    breaker.onReset(() => {
      saidAt.delete(server);
      log.info({ server }, 'redis is back: limits are shared again');
    });
    breakers.set(server, breaker);
    return breaker;
  };
  // In a cluster another server may have replaced one that was unavailable.
  commands.on('refresh', () => {
    const servers = new Set(client.probes().map(client.serverOf));
    for (const [server, { state }] of breakers) {
      if (servers.has(server)) continue;
      breakers.delete(server);
      saidAt.delete(server);
      if (state !== CircuitState.Closed) log.info({ server }, 'redis is back: another server has its keys');
    }
  });

  // ioredis writes each command by itself. Those of one turn of the event loop are corked and written together.
  let isCorked = false;
  const corkUntilNextTurn = () => {
    if (isCorked) return;
    isCorked = true;
    const sockets = client.sockets();
    for (const socket of sockets) socket.cork();
    setImmediate(() => {
      isCorked = false;
      for (const socket of sockets) socket.uncork();
    });
  };

  const run: RedisStore['run'] = async (key, command) => {
    corkUntilNextTurn();
    try {
      return await breakerOf(client.serverOf(key)).execute(() =>
        withTimeout(command(commands as RedisCommander)),
      );
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) {
        // Not the error itself: it holds the command, and so the hash of a key.
        log.debug({ reason: (error as Error).message }, 'redis did not reply');
      }
      return undefined;
    }
  };

  return {
    run,
    slotOf: client.slotOf,
    async isAvailable() {
      // A write, because a read-only Redis is of no use.
      const probe = (key: string) => run(key, (redis) => redis.set(key, '1', 'PX', 1000));
      return (await Promise.all(client.probes().map(probe))).every((reply) => reply !== undefined);
    },
    isUp: () => [...breakers.values()].every(({ state }) => state === CircuitState.Closed),
    close: client.close,
  };
}

/** An error about one key's value says nothing about the server. */
function isServerFailure(error: unknown): boolean {
  return !(error instanceof ReplyError && /^WRONGTYPE|^ERR .*user_script/.test((error as Error).message));
}

/**
 * ioredis never settles some commands when a connection breaks. If the timer fires late, this process was busy and the reply
 * may already be in the socket: then it gets another 5 ms.
 */
function withTimeout<Reply>(reply: Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const due = performance.now() + COMMAND_MS_MAX;
    const fail = () => reject(new Error(`no reply within ${COMMAND_MS_MAX} ms`));
    let timer = setTimeout(() => {
      if (performance.now() - due > 5) timer = setTimeout(fail, 5);
      else fail();
    }, COMMAND_MS_MAX);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
