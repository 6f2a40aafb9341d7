/** The connection to Redis, and the knowledge of whether it is there. */
import { once } from 'node:events';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import Redis, { ReplyError } from 'ioredis';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

// Longest wait for one answer. With what else a request does, it stays within 100 ms of noticing that Redis is away.
const ANSWER_MS_MAX = 80;
// How long Redis is left alone after a failure, before one request tries it again.
const RETRY_AFTER_MS = 500;
const FIRST_CONNECTION_MS_MAX = 1000;

export interface RedisStore {
  /** What `command` answers; undefined, at once or within 100 ms, while Redis is away (refused, hung, read-only). */
  ask<Answer>(command: (redis: Redis) => Promise<Answer>): Promise<Answer | undefined>;
  close(): void;
}

/**
 * Connects, and waits at most a second for the first connection: the gateway serves without it too.
 * @param url `redis://…`, `rediss://…` or the path of a unix socket.
 * @param scripts Lua by command name.
 */
export async function connectRedis(
  url: string,
  scripts: Record<string, { lua: string; numberOfKeys: number }>,
  metrics: Metrics,
  log: Logger,
): Promise<RedisStore> {
  const redis = new Redis(url, {
    // A command that cannot be sent now must fail now: the limits have their stand-in.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    retryStrategy: () => RETRY_AFTER_MS,
    scripts,
  });
  // Why a command failed is mostly not in its own error, but in the last one of the connection.
  let lastError: Error | undefined;
  redis.on('error', (error) => {
    lastError = error;
  });
  redis.on('ready', () => {
    lastError = undefined;
  });
  const connected = once(redis, 'ready').then(() => true);
  const isUp = await Promise.race([connected, Bun.sleep(FIRST_CONNECTION_MS_MAX)]).catch(() => false);
  metrics.redisIsUp(isUp === true);
  if (!isUp) {
    log.warn({ reason: lastError?.message }, 'redis does not answer: limits are kept in this process');
  }

  const breaker = circuitBreaker(handleWhen(isAway), {
    halfOpenAfter: RETRY_AFTER_MS,
    breaker: new ConsecutiveBreaker(1),
  });
  breaker.onBreak((reason) => {
    metrics.redisIsUp(false);
    const error = reason && 'error' in reason ? (reason.error as Error) : undefined;
    log.warn({ reason: (lastError ?? error)?.message }, 'redis is away: limits are kept in this process');
  });
  breaker.onReset(() => {
    metrics.redisIsUp(true);
    log.info('redis is back: limits are shared again');
  });

  // The library sends each command by itself: those of one turn of the event loop are held back, and sent together.
  let held: Redis['stream'] | undefined;
  const hold = () => {
    const { stream } = redis;
    if (!stream || stream === held) return;
    held = stream;
    stream.cork();
    setImmediate(() => {
      held = undefined;
      stream.uncork();
    });
  };

  return {
    async ask(command) {
      hold();
      try {
        return await breaker.execute(() => answerInTime(command(redis)));
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) {
          // Its own properties hold the command, and that the hash of a key.
          log.debug({ reason: (error as Error).message }, 'redis did not answer');
        }
        return undefined;
      }
    },
    close: () => redis.disconnect(),
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
