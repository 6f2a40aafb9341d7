/**
 * The pre-check of the daily cap (docs/api/limits.md). Refuses early a write that certainly exceeds the cap, by a sliding window
 * of created entries per account in Redis. The database decides: it counts again in the transaction of the write.
 */
import type { Span } from '../../platform/tracing.ts';
import type { CommittedWrite, LimitScripts } from '../redis/scripts.ts';

export interface DailyCap {
  /**
   * The number of new entries that fit now, and the time until `entries` fit. Undefined if they fit now, or while Redis is unavailable.
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

export function createDailyCap(scripts: LimitScripts, observer: DailyCapObserver): DailyCap {
  /** The writes of one turn of the event loop. */
  let created: CommittedWrite[] = [];

  return {
    async refusal(accountId, entries, entriesLeft, span) {
      if (entriesLeft === undefined || entries <= entriesLeft) return undefined;
      // Entries may have left the window while the body arrived.
      const day = await scripts.dayFits(accountId, entries, span);
      if (!day || entries <= day.fitsNow) return undefined;
      observer.dayRefused();
      return day;
    },

    recordCreated(accountId, entries, ageMs) {
      if (entries === 0) return;
      if (created.length === 0) {
        setImmediate(() => {
          scripts.dayRecord(created);
          created = [];
        });
      }
      created.push({ accountId, entries, begunAt: performance.now() - ageMs });
    },
  };
}
