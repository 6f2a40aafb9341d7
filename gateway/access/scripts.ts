/** The Lua scripts of the two limits, and how a request runs them. */
import type { RedisCommander } from 'ioredis';
import type { Span } from '../../platform/tracing.ts';
import type { RedisStore } from '../redis/store.ts';
import admitLua from './admit.lua' with { type: 'text' };
import dayFitsLua from './day-fits.lua' with { type: 'text' };
import dayRecordLua from './day-record.lua' with { type: 'text' };

/** By the command names under which connectRedis defines them. */
export const SCRIPTS = {
  admit: { lua: admitLua, numberOfKeys: 2 },
  dayFits: { lua: dayFitsLua, numberOfKeys: 1 },
  dayRecord: { lua: dayRecordLua, numberOfKeys: 1 },
};

interface Commands extends RedisCommander {
  admit(
    ...args: [string, string, limit: number, windowUs: number, accountId: string, ttlMs: number]
  ): Promise<[] | [accountId: string, admitted: 0 | 1, remaining: number, retryAfterUs: number]>;
  dayFits(
    ...args: [string, cap: number, windowUs: number, entries: number]
  ): Promise<[fitsNow: number, retryAfterUs: number]>;
  dayRecord(...args: [string, windowUs: number, entries: number, ageUs: number]): Promise<1>;
}

/**
 * Runs commands in Redis. Undefined while Redis is down, or not configured.
 * @param key the command's first key: all of its keys share a hash tag
 * @param trace the script's name and the span of the request that waits for it
 */
export type RunCommand = <Reply>(
  key: string,
  command: (commands: Commands) => Promise<Reply>,
  trace?: { script: keyof typeof SCRIPTS; span: Span | undefined },
) => Promise<Reply | undefined>;

export function createScripts(redis: RedisStore | undefined): RunCommand {
  return async (key, command, trace) => {
    if (!redis) return undefined;
    const span = trace?.span?.child(`EVALSHA ${trace.script}`, {
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'db.stored_procedure.name': trace.script,
    });
    const reply = await redis.run(key, (client) => command(client as Commands));
    if (reply === undefined) span?.fail('unavailable');
    span?.end();
    return reply;
  };
}
