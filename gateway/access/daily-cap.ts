/**
 * The pre-check of the daily cap (specification: Limits). Refuses early what certainly exceeds the cap, by a sliding window of
 * created entries per account in Redis. The database decides: it counts again in the transaction of the write.
 */
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { RunCommand } from './scripts.ts';

export interface DailyCap {
  /**
   * How many new entries fit now, and when `entries` of them certainly fit. Undefined when not known here: they may fit.
   * @param span of the request
   */
  check(accountId: string, entries: number, span?: Span): Promise<DayCapacity | undefined>;
  /** Counts entries created by a write that began `ageMs` ago. */
  recordCreated(accountId: string, entries: number, ageMs: number): void;
}

interface DayCapacity {
  fitsNow: number;
  /** 0 when the entries fit now. */
  retryAfterMs: number;
}

export interface DailyCapObserver {
  /** The pre-check refused a write. */
  dayShed(): void;
}

const DAY_US = LIMITS.dayWindowMs * 1000;
// More than the time from the commit to Redis.
const TO_REDIS_MS_MAX = 1_000;

export function createDailyCap(run: RunCommand, observer: DailyCapObserver): DailyCap {
  const keyOf = (accountId: string) => `ledger:{${accountId}}:day`;
  return {
    async check(accountId, entries, span) {
      if (entries === 0) return undefined;
      const key = keyOf(accountId);
      const reply = await run(key, (redis) => redis.dayFits(key, LIMITS.entriesPerDay, DAY_US, entries), {
        script: 'dayFits',
        span,
      });
      if (!reply) return undefined;
      const [fitsNow, retryAfterUs] = reply;
      if (entries > fitsNow) observer.dayShed();
      return { fitsNow, retryAfterMs: retryAfterUs / 1000 };
    },

    recordCreated(accountId, entries, ageMs) {
      if (entries === 0) return;
      const key = keyOf(accountId);
      const ageUs = Math.ceil((ageMs + TO_REDIS_MS_MAX) * 1000);
      void run(key, (redis) => redis.dayRecord(key, DAY_US, entries, ageUs));
    },
  };
}
