/** What is asked of Redis, and the knowledge of whether it is there. */
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

// Longest wait for one answer. With what else a request does, it stays within 100 ms of noticing that Redis is away.
const ANSWER_MS_MAX = 80;
// How long a server is left alone after a failure, before one request tries it again.
const RETRY_AFTER_MS = 500;
const FIRST_CONNECTION_MS_MAX = 1000;

export interface RedisStore {
  /**
   * What `command` answers; undefined, at once or within 100 ms, while Redis is away (refused, hung, read-only, without a
   * master).
   * @param key one of those that the command names, which all have one hash tag: of a cluster, a part may be away
   */
  ask<Answer>(key: string, command: (redis: RedisCommander) => Promise<Answer>): Promise<Answer | undefined>;
  /** Whether all of it is there. */
  isWhole(): Promise<boolean>;
  /** Whether all of what was asked last was answered. */
  isUp(): boolean;
  close(): void;
}

/**
 * Connects, and waits at most a second for the first connection: the gateway serves without it too.
 * @param scripts Lua by command name.
 */
export async function connectRedis(
  address: RedisAddress,
  scripts: Scripts,
  log: Logger,
): Promise<RedisStore> {
  const client = createRedisClient(address, scripts);
  const { commands } = client;
  // Why a command failed is mostly not in its own error, but in the last one of the connection.
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
  const breakerOf = (server: string) => {
    const known = breakers.get(server);
    if (known) return known;
    const breaker = circuitBreaker(handleWhen(isAway), {
      halfOpenAfter: RETRY_AFTER_MS,
      breaker: new ConsecutiveBreaker(1),
    });
    breaker.onBreak((reason) => {
      const error = reason && 'error' in reason ? (reason.error as Error) : undefined;
      log.warn(
        { server, reason: (lastError ?? error)?.message },
        'redis is away: limits are kept in this process',
      );
    });
    breaker.onReset(() => log.info({ server }, 'redis is back: limits are shared again'));
    breakers.set(server, breaker);
    return breaker;
  };
  // Of a cluster: others may have taken the place of one that was away.
  commands.on('refresh', () => {
    const servers = new Set(client.probes().map(client.serverOf));
    for (const [server, { state }] of breakers) {
      if (servers.has(server)) continue;
      breakers.delete(server);
      if (state !== CircuitState.Closed) log.info({ server }, 'redis is back: another server has its keys');
    }
  });

  // The library sends each command by itself: those of one turn of the event loop are held back, and sent together.
  let isHolding = false;
  const hold = () => {
    if (isHolding) return;
    isHolding = true;
    const sockets = client.sockets();
    for (const socket of sockets) socket.cork();
    setImmediate(() => {
      isHolding = false;
      for (const socket of sockets) socket.uncork();
    });
  };

  const ask: RedisStore['ask'] = async (key, command) => {
    hold();
    try {
      const answer = () => answerInTime(command(commands as RedisCommander));
      return await breakerOf(client.serverOf(key)).execute(answer);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) {
        // Its own properties hold the command, and that the hash of a key.
        log.debug({ reason: (error as Error).message }, 'redis did not answer');
      }
      return undefined;
    }
  };

  return {
    ask,
    async isWhole() {
      // A write, because a Redis that has become read-only is away too.
      const probe = (key: string) => ask(key, (redis) => redis.set(key, '1', 'PX', 1000));
      return (await Promise.all(client.probes().map(probe))).every((answer) => answer !== undefined);
    },
    isUp: () => [...breakers.values()].every(({ state }) => state === CircuitState.Closed),
    close: client.close,
  };
}

/** What one key holds may be wrong: that says nothing about Redis. */
function isAway(error: unknown): boolean {
  return !(error instanceof ReplyError && /^WRONGTYPE|^ERR .*user_script/.test((error as Error).message));
}

/**
 * ioredis leaves some commands unsettled when a connection breaks, so every answer is raced. A timer that fires late
 * says that this process was busy, not that Redis was silent: then the sockets are read once more before giving up.
 */
function answerInTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const due = performance.now() + ANSWER_MS_MAX;
    const giveUp = () => reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`));
    let timer = setTimeout(() => {
      if (performance.now() - due > 5) timer = setTimeout(giveUp, 5);
      else giveUp();
    }, ANSWER_MS_MAX);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
