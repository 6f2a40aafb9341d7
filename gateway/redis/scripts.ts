/** The Lua scripts of the two limits, one function each. They return undefined while Redis is unavailable, or not configured. */
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/domain.ts';
import admitLua from './admit.lua' with { type: 'text' };
import dayFitsLua from './day-fits.lua' with { type: 'text' };
import dayRecordLua from './day-record.lua' with { type: 'text' };
import dayWindowLua from './day-window.lua' with { type: 'text' };
import type { RedisDeployment } from './deployment.ts';

/** The scripts, by the command names under which connectRedis defines them. */
export const SCRIPTS = {
  admit: dayWindowLua + admitLua,
  dayFits: dayWindowLua + dayFitsLua,
  dayRecord: dayWindowLua + dayRecordLua,
};

export interface LimitScripts {
  /**
   * Counts a request against its key's minute. For a write, also reads the account's day.
   * @param keyHash in hex
   */
  admit(
    accountId: string,
    keyHash: string,
    request: { isWrite: boolean; span: Span | undefined },
  ): Promise<
    | { admitted: boolean; remaining: number; retryAfterMs: number; entriesLeft: number | undefined }
    | undefined
  >;
  /** The number of new entries that fit the account's day now, and the time until `entries` fit. */
  dayFits(
    accountId: string,
    entries: number,
    span: Span | undefined,
  ): Promise<{ entriesLeft: number; retryAfterMs: number } | undefined>;
  /** Adds committed writes to the days of their accounts. Nobody waits for it. */
  dayRecord(writes: readonly CommittedWrite[]): void;
}

export interface CommittedWrite {
  accountId: string;
  entries: number;
  /** The time of performance.now() before which the write had not begun. */
  begunAt: number;
}

const MINUTE_US = LIMITS.minuteWindowMs * 1000;
const DAY_US = LIMITS.dayWindowMs * 1000;
// Longer than the way from the commit to Redis. Each write is made older by it, so that none is older than its age when Redis reads that.
const TO_REDIS_MS_MAX = 1_000;

/** The Redis key of an account's writes in the last 24 hours. All keys of an account have one slot. */
const dayKey = (accountId: string) => `ledger:{${accountId}}:day`;
/** The Redis key of the requests of an API key that were admitted in the last minute. */
const minuteKey = (accountId: string, keyHash: string) => `ledger:{${accountId}}:minute:${keyHash}`;

export function createScripts(redis: RedisDeployment | undefined): LimitScripts {
  /** Runs a script for a request that waits for it. */
  async function run<Reply>(
    script: keyof typeof SCRIPTS,
    keys: string[],
    args: (string | number)[],
    parent: Span | undefined,
  ): Promise<Reply | undefined> {
    if (!redis) return undefined;
    const span = parent?.child(`EVALSHA ${script}`, {
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'db.stored_procedure.name': script,
    });
    const reply = await redis.run<Reply>({ script, keys, args });
    if (reply === undefined) span?.fail('unavailable');
    span?.end();
    return reply;
  }

  return {
    async admit(accountId, keyHash, { isWrite, span }) {
      const keys = [minuteKey(accountId, keyHash), ...(isWrite ? [dayKey(accountId)] : [])];
      const args = [LIMITS.requestsPerMinute, MINUTE_US, LIMITS.entriesPerDay, DAY_US];
      type Reply = [admitted: 0 | 1, remaining: number, retryAfterUs: number, entriesLeft?: number];
      const reply = await run<Reply>('admit', keys, args, span);
      if (!reply) return undefined;
      const [admitted, remaining, retryAfterUs, entriesLeft] = reply;
      return { admitted: admitted === 1, remaining, retryAfterMs: retryAfterUs / 1000, entriesLeft };
    },

    async dayFits(accountId, entries, span) {
      const args = [LIMITS.entriesPerDay, DAY_US, entries];
      const reply = await run<[entriesLeft: number, retryAfterUs: number]>(
        'dayFits',
        [dayKey(accountId)],
        args,
        span,
      );
      return reply && { entriesLeft: reply[0], retryAfterMs: reply[1] / 1000 };
    },

    dayRecord(writes) {
      if (!redis) return;
      // Keys of one slot may be in one command.
      const bySlot = Map.groupBy(writes, ({ accountId }) => redis.slotOf(dayKey(accountId)));
      for (const together of bySlot.values()) {
        const arrivesAt = performance.now() + TO_REDIS_MS_MAX;
        const keys = together.map(({ accountId }) => dayKey(accountId));
        const figures = together.flatMap(({ entries, begunAt }) => [
          entries,
          Math.ceil((arrivesAt - begunAt) * 1000),
        ]);
        void redis.run({ script: 'dayRecord', keys, args: [DAY_US, ...figures] });
      }
    },
  };
}
