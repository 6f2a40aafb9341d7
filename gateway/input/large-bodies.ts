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

export interface LargeBodies {
  /** Runs the work on a body: at once when it is small, in turn when it is large. */
  run<Result>(bytes: Uint8Array, accountId: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Reads the entries. Large bodies are parsed one after the other in short turns, so that other requests proceed in between.
   * @throws what readEntries throws, and ClientDisconnected
   */
  parse(bytes: Uint8Array, signal: AbortSignal): Promise<Entries>;
}

export function createLargeBodies(): LargeBodies {
  const largeBodyBulkhead = bulkhead(LARGE_CONCURRENCY_MAX, Number.POSITIVE_INFINITY);
  const accountBulkheads = new Map<string, BulkheadPolicy>();
  const parserBulkhead = bulkhead(1, Number.POSITIVE_INFINITY);
  const isLarge = (bytes: Uint8Array) => bytes.length > LARGE_BYTES;

  return {
    async run(bytes, accountId, work) {
      if (!isLarge(bytes)) return work();
      const own =
        accountBulkheads.get(accountId) ?? bulkhead(LARGE_PER_ACCOUNT_MAX, Number.POSITIVE_INFINITY);
      accountBulkheads.set(accountId, own);
      try {
        return await own.execute(() => largeBodyBulkhead.execute(work));
      } finally {
        if (own.executionSlots === LARGE_PER_ACCOUNT_MAX) accountBulkheads.delete(accountId);
      }
    },

    async parse(bytes, signal) {
      if (!isLarge(bytes)) return untilDone(readEntries(bytes));
      return parserBulkhead.execute(() => {
        if (signal.aborted) throw new ClientDisconnected();
        return inTurns(readEntries(bytes)).finally(() => freeBytes(bytes));
      });
    },
  };
}
