/** The Lua scripts of the two limits, and how a request runs them. */
import type { RedisCommander } from 'ioredis';
import type { Span } from '../../platform/tracing.ts';
import type { TimedReply } from '../redis/server.ts';
import type { RedisStore } from '../redis/store.ts';
import admitLua from './admit.lua' with { type: 'text' };
import dayFitsLua from './day-fits.lua' with { type: 'text' };
import dayRecordLua from './day-record.lua' with { type: 'text' };
import dayWindowLua from './day-window.lua' with { type: 'text' };

/** The scripts, by the command names under which connectRedis defines them. */
export const SCRIPTS = {
  admit: { lua: dayWindowLua + admitLua },
  dayFits: { lua: dayWindowLua + dayFitsLua, numberOfKeys: 1 },
  dayRecord: { lua: dayWindowLua + dayRecordLua },
};

/** The last argument of each is the deadline. */
interface Commands extends RedisCommander {
  /** The minute, for a write also the day; then limit, window, cap and day in µs. */
  admit(
    keyCount: number,
    ...args: (string | number)[]
  ): Promise<TimedReply<[admitted: 0 | 1, remaining: number, retryAfterUs: number, entriesLeft?: number]>>;
  dayFits(
    ...args: [string, cap: number, windowUs: number, entries: number, deadlineUs: number]
  ): Promise<TimedReply<[fitsNow: number, retryAfterUs: number]>>;
  /** The keys, the window in µs, and for each key's write its entries and its age in µs. */
  dayRecord(keyCount: number, ...args: (string | number)[]): Promise<TimedReply<number>>;
}

export interface LimitScripts {
  /**
   * Runs commands in Redis. Undefined while Redis is unavailable, or not configured.
   * @param key the command's first key: all of its keys have one slot
   * @param trace the script's name and the span of the request that waits for it
   */
  run<Reply>(
    key: string,
    command: (commands: Commands, deadlineUs: number) => Promise<TimedReply<Reply>>,
    trace?: { script: keyof typeof SCRIPTS; span: Span | undefined },
  ): Promise<Reply | undefined>;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
}

/** The Redis key of an account's writes in the last 24 hours. All keys of an account have one slot. */
export const dayKey = (accountId: string) => `ledger:{${accountId}}:day`;
/** The Redis key of the requests of an API key that were admitted in the last minute. */
export const minuteKey = (accountId: string, key: string) => `ledger:{${accountId}}:minute:${key}`;

export function createScripts(redis: RedisStore | undefined): LimitScripts {
  return {
    async run(key, command, trace) {
      if (!redis) return undefined;
      const span = trace?.span?.child(`EVALSHA ${trace.script}`, {
        'db.system.name': 'redis',
        'db.operation.name': 'EVALSHA',
        'db.stored_procedure.name': trace.script,
      });
      const reply = await redis.run(key, (client, deadlineUs) => command(client as Commands, deadlineUs));
      if (reply === undefined) span?.fail('unavailable');
      span?.end();
      return reply;
    },
    slotOf: (key) => redis?.slotOf(key) ?? 0,
  };
}
