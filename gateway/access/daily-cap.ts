/**
 * The pre-check of the daily cap (docs/api/limits.md). Refuses early a write that certainly exceeds the cap, by a sliding window
 * of created entries per account in Redis. The database decides: it counts again in the transaction of the write.
 */
import type { Span } from '../../platform/tracing.ts';
import type { DailyCapReached__Output as DailyCapReached } from '../../proto/contract.ts';
import type { CommittedWrite, LimitScripts } from '../redis/scripts.ts';

export interface DailyCap {
  /**
   * The refusal of a write, if it certainly exceeds the cap. Undefined also while Redis is unavailable.
   * @param newEntries the positions of the entries that are certainly new
   * @param entriesLeft the number that fitted when the request was admitted
   * @param span the span of the request
   */
  refusal(
    accountId: string,
    newEntries: readonly number[],
    entriesLeft: number | undefined,
    span?: Span,
  ): Promise<DailyCapReached | undefined>;
  /** Counts the entries that a write has created. @param begunAt a time of performance.now() before the write */
  recordCreated(accountId: string, entries: number, begunAt: number): void;
}

export interface DailyCapObserver {
  /** The pre-check refused a write. */
  dayRefused(): void;
}

export function createDailyCap(scripts: LimitScripts, observer: DailyCapObserver): DailyCap {
  /** The writes of one turn of the event loop. */
  let created: CommittedWrite[] = [];

  return {
    async refusal(accountId, newEntries, entriesLeft, span) {
      if (entriesLeft === undefined || newEntries.length <= entriesLeft) return undefined;
      // Entries may have left the window while the body arrived.
      const day = await scripts.dayFits(accountId, newEntries.length, span);
      const index = day && newEntries[day.entriesLeft];
      if (!day || index === undefined) return undefined;
      observer.dayRefused();
      // An entry before this one may not fit either: one with a reference may be new.
      return { ...day, index };
    },

    recordCreated(accountId, entries, begunAt) {
      if (entries === 0) return;
      if (created.length === 0) {
        setImmediate(() => {
          scripts.dayRecord(created);
          created = [];
        });
      }
      created.push({ accountId, entries, begunAt });
    },
  };
}
