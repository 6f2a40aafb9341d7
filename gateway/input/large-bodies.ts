/** Limits the work on large bodies, so that it neither fills the memory nor blocks the event loop. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import { inTurns, untilDone } from '../../platform/turns.ts';
import { ClientDisconnected } from '../http/context.ts';
import { type Entries, readEntries } from './entries.ts';
import { freeBytes } from './free-bytes.ts';

/** Bodies up to this size are neither counted nor queued, so that large ones cannot block them. They are parsed within half a millisecond. */
export const SMALL_BYTES_MAX = 64 * 1024;
// In all accounts. Each is held by the gateway and by a worker.
const CONCURRENCY_MAX = 8;
// Longer than the work of all processes on one body. What takes longer waits for a lock, or for a node that hangs.
const WORK_MS_MAX = 500;

export interface LargeBodies {
  /**
   * Runs the work on a body, from its parsing to its response: at once when it is small. Large bodies of one account run one after
   * the other, as the lock of the account makes them anyway. Those of all accounts share a limit of concurrency, in which a write
   * that waits for a lock does not count: it must not delay other accounts.
   */
  run<Result>(bytes: Uint8Array, accountId: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Reads the entries. Large bodies are parsed one after the other in short turns, so that other requests proceed in between.
   * @throws what readEntries throws, and ClientDisconnected
   */
  parse(bytes: Uint8Array, signal: AbortSignal): Promise<Entries>;
  /** Accounts whose large bodies run or wait. */
  accounts(): number;
}

export function createLargeBodies(): LargeBodies {
  const ofAllAccounts = bulkhead(CONCURRENCY_MAX, Number.POSITIVE_INFINITY);
  const ofAccount = new Map<string, BulkheadPolicy>();
  const parser = bulkhead(1, Number.POSITIVE_INFINITY);

  /** Gives its slot back when `work` is done, or after WORK_MS_MAX. */
  function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    void ofAllAccounts.execute(async () => {
      const running = work();
      running.then(done.resolve, done.reject);
      await Promise.race([running.catch(() => {}), Bun.sleep(WORK_MS_MAX)]);
    });
    return done.promise;
  }

  return {
    async run(bytes, accountId, work) {
      if (bytes.length <= SMALL_BYTES_MAX) return work();
      const own = ofAccount.get(accountId) ?? bulkhead(1, Number.POSITIVE_INFINITY);
      ofAccount.set(accountId, own);
      try {
        return await own.execute(() => withSlot(work));
      } finally {
        if (own.executionSlots === 1) ofAccount.delete(accountId);
      }
    },

    async parse(bytes, signal) {
      if (bytes.length <= SMALL_BYTES_MAX) return untilDone(readEntries(bytes));
      return parser.execute(() => {
        if (signal.aborted) throw new ClientDisconnected();
        return inTurns(readEntries(bytes)).finally(() => freeBytes(bytes));
      });
    },

    accounts: () => ofAccount.size,
  };
}
