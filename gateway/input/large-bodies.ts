/** Limits the work on large bodies, so that it neither fills the memory nor blocks the event loop. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import { inTurns, untilDone } from '../../platform/turns.ts';
import { ClientDisconnected } from '../http/context.ts';
import { type Entries, readEntries } from './entries.ts';
import { freeBytes } from './free-bytes.ts';

// A parsed body takes ten times its size in memory.
const LARGE_BYTES = 16 * 1024;
const LARGE_CONCURRENCY_MAX = 8;
// One account must not delay the large bodies of all others while its writes wait for a lock.
const LARGE_PER_ACCOUNT_MAX = LARGE_CONCURRENCY_MAX / 2;
// 500 entries with the longest texts in ASCII have half of this.
export const HUGE_BYTES = 1024 * 1024;
// Longer than the work of all processes on one body. What takes longer waits for a lock.
const HUGE_MS_MAX = 500;

// Parsed at once, because it takes less than half a millisecond.
const ONE_TURN_BYTES = 64 * 1024;

export interface LargeBodies {
  /**
   * Runs the work on a body, from its parsing to its response: at once when it is small, in turn when it is large. Huge bodies run
   * one at a time: several would keep both processors of a small machine busy, and all other requests waiting.
   */
  run<Result>(bytes: Uint8Array, accountId: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Reads the entries. Bodies above 64 KiB are parsed one after the other in short turns, so that other requests proceed in between.
   * @throws what readEntries throws, and ClientDisconnected
   */
  parse(bytes: Uint8Array, signal: AbortSignal): Promise<Entries>;
}

export function createLargeBodies(): LargeBodies {
  const largeBodyBulkhead = bulkhead(LARGE_CONCURRENCY_MAX, Number.POSITIVE_INFINITY);
  const accountBulkheads = new Map<string, BulkheadPolicy>();
  const parserBulkhead = bulkhead(1, Number.POSITIVE_INFINITY);
  const hugeBodyBulkhead = bulkhead(1, Number.POSITIVE_INFINITY);
  const isLarge = (bytes: Uint8Array) => bytes.length > LARGE_BYTES;

  /** The next huge body starts when `work` is done, or after HUGE_MS_MAX. */
  function inHugeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    void hugeBodyBulkhead.execute(async () => {
      const running = work();
      running.then(done.resolve, done.reject);
      await Promise.race([running.catch(() => {}), Bun.sleep(HUGE_MS_MAX)]);
    });
    return done.promise;
  }

  return {
    async run(bytes, accountId, work) {
      if (!isLarge(bytes)) return work();
      const own =
        accountBulkheads.get(accountId) ?? bulkhead(LARGE_PER_ACCOUNT_MAX, Number.POSITIVE_INFINITY);
      accountBulkheads.set(accountId, own);
      try {
        const inLargeTurn = () => largeBodyBulkhead.execute(work);
        return await own.execute(() => (bytes.length > HUGE_BYTES ? inHugeTurn(inLargeTurn) : inLargeTurn()));
      } finally {
        if (own.executionSlots === LARGE_PER_ACCOUNT_MAX) accountBulkheads.delete(accountId);
      }
    },

    async parse(bytes, signal) {
      if (bytes.length <= ONE_TURN_BYTES) return untilDone(readEntries(bytes));
      return parserBulkhead.execute(() => {
        if (signal.aborted) throw new ClientDisconnected();
        return inTurns(readEntries(bytes)).finally(() => freeBytes(bytes));
      });
    },
  };
}
