/**
 * The pre-check of the daily cap (docs/api/limits.md). Refuses early a write that certainly exceeds the cap, by a sliding window
 * of created entries per account in Redis. The database decides: it counts again in the transaction of the write.
 */
import type { Span } from '../../platform/tracing.ts';
import { LIMITS } from '../../proto/domain.ts';
import { dayKey, type LimitScripts } from './scripts.ts';

export interface DailyCap {
  /**
   * The number of new entries that fit now, and the time until `entries` certainly fit. Undefined if they fit, or without Redis.
   * @param entriesLeft the number that fitted when the request was admitted
   * @param span the span of the request
   */
  refusal(
    accountId: string,
    entries: number,
    entriesLeft: number | undefined,
    span?: Span,
  ): Promise<DayCapacity | undefined>;
  /** Counts entries created by a write that began `ageMs` ago. */
  recordCreated(accountId: string, entries: number, ageMs: number): void;
}

interface DayCapacity {
  fitsNow: number;
  retryAfterMs: number;
}

export interface DailyCapObserver {
  /** The pre-check refused a write. */
  dayRefused(): void;
}

const DAY_US = LIMITS.dayWindowMs * 1000;
// Longer than the way from the commit to Redis.
const TO_REDIS_MS_MAX = 1_000;

export function createDailyCap(scripts: LimitScripts, observer: DailyCapObserver): DailyCap {
  // The writes of one turn of the event loop, by slot.
  const created = new Map<number, { key: string; entries: number; begunAt: number }[]>();

  function sendCreated(): void {
    for (const writes of created.values()) {
      const keys = writes.map(({ key }) => key);
      void scripts.run(keys[0] as string, (redis, deadlineUs) => {
        const arrivesAt = performance.now() + TO_REDIS_MS_MAX;
        const figures = writes.flatMap(({ entries, begunAt }) => [
          entries,
          Math.ceil((arrivesAt - begunAt) * 1000),
        ]);
        return redis.dayRecord(keys.length, ...keys, DAY_US, ...figures, deadlineUs);
      });
    }
    created.clear();
  }

  return {
    async refusal(accountId, entries, entriesLeft, span) {
      if (entriesLeft === undefined || entries <= entriesLeft) return undefined;
      const key = dayKey(accountId);
      // Entries may have left the window while the body arrived.
      const reply = await scripts.run(
        key,
        (redis, deadlineUs) => redis.dayFits(key, LIMITS.entriesPerDay, DAY_US, entries, deadlineUs),
        { script: 'dayFits', span },
      );
      if (!reply || entries <= reply[0]) return undefined;
      observer.dayRefused();
      return { fitsNow: reply[0], retryAfterMs: reply[1] / 1000 };
    },

    recordCreated(accountId, entries, ageMs) {
      if (entries === 0) return;
      const key = dayKey(accountId);
      const slot = scripts.slotOf(key);
      const write = { key, entries, begunAt: performance.now() - ageMs };
      if (created.size === 0) setImmediate(sendCreated);
      const others = created.get(slot);
      if (others) others.push(write);
      else created.set(slot, [write]);
    },
  };
}
