/**
 * Group commit: items that wait at the same time are executed together, in one statement and one commit. Here a batch is the
 * items of one statement. In create-batches.ts a Batch is the entries of one request, and one item.
 *
 *   add() ──▶ waiting ── end of the event loop's turn ──▶ batch ──▶ result | error
 *                ▲                                          │
 *                ├──── 'lockUnavailable': again in a batch of its key that waits for the lock
 *                └──── the batch failed: again alone, so that one bad item fails only itself
 */

import type { HeldCounts } from '../../platform/metrics.ts';
import type { CallContext } from '../handlers.ts';

export interface BatcherOptions<Item, Result> {
  /**
   * Executes a batch. Returns a result for each item, in order, or 'lockUnavailable' where another transaction holds the
   * lock of its key. With `waitForLock` all items have one key, and the work waits for its lock. `signal` aborts when
   * every item was cancelled.
   */
  execute(
    items: readonly Item[],
    waitForLock: boolean,
    signal: AbortSignal,
  ): Promise<(Result | 'lockUnavailable')[]>;
  /** Only one batch per key runs at a time: others would wait for its lock in the database. */
  keyOf?(item: Item): string;
  sizeOf(item: Item): number;
  /** Concurrent batches: while one waits for the disk, another one works. */
  batchesMax: number;
  /** Concurrent batches that wait for a lock, in addition: each holds a connection. */
  lockWaitersMax: number;
  /** Items in a batch. */
  itemsMax: number;
  /** Total size of a batch. A larger item gets a batch of its own, one at a time: smaller items do not wait for it. */
  sizeMax: number;
}

interface Waiting<Item, Result> {
  item: Item;
  key: string | undefined;
  result: PromiseWithResolvers<Result>;
  /** Its lock was unavailable: it joins only batches of the same key, which wait for the lock. */
  waitForLock: boolean;
  /** Its batch failed: it gets a batch of its own. */
  isAlone: boolean;
  isCancelled: boolean;
}

/** Called once for each set of batchers. */
export interface HeldObserver {
  registerHeld(counts: HeldCounts): void;
}

interface Held {
  waiting: number;
  batches: number;
  keys: number;
  oversized: number;
}

export class Batcher<Item extends { call: CallContext }, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** The keys of the running batches. */
  readonly #runningKeys = new Set<string>();
  #batches = 0;
  #lockWaiters = 0;
  #oversized = 0;
  #isScheduled = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Executes an item, in a batch with the others that wait. Never waits for more items.
   * @throws what `execute` throws for the item alone, or the abort reason of the item's call
   */
  async add(item: Item): Promise<Result> {
    const waiting: Waiting<Item, Result> = {
      item,
      key: this.#options.keyOf?.(item),
      result: Promise.withResolvers(),
      waitForLock: false,
      isAlone: false,
      isCancelled: false,
    };
    this.#waiting.push(waiting);
    this.#schedule();

    const { signal } = item.call;
    const cancel = () => {
      waiting.isCancelled = true;
      waiting.result.reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await waiting.result.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Requests that wait; and of the running batches their number, their keys, and those that are oversized. */
  held(): Held {
    return {
      waiting: this.#waiting.length,
      batches: this.#batches + this.#lockWaiters,
      keys: this.#runningKeys.size,
      oversized: this.#oversized,
    };
  }

  /** Once per turn of the event loop, so that items and cancellations of one turn are seen together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) void this.#run(batch);
  }

  /** Takes the next batch out of the waiting items, in order of arrival. Empty when none can start. */
  #nextBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    // Items of one key keep their order.
    const blockedKeys = new Set(this.#runningKeys);
    for (const waiting of this.#waiting) {
      const { key, isCancelled } = waiting;
      if (isCancelled) continue;
      if (!(key !== undefined && blockedKeys.has(key)) && this.#canJoin(batch, waiting)) {
        batch.push(waiting);
      } else {
        if (key !== undefined) blockedKeys.add(key);
        rest.push(waiting);
      }
    }
    this.#waiting = rest;
    return batch;
  }

  #canJoin(
    batch: readonly Waiting<Item, Result>[],
    { item, key, waitForLock, isAlone }: Waiting<Item, Result>,
  ): boolean {
    const { sizeOf, batchesMax, lockWaitersMax, itemsMax, sizeMax } = this.#options;
    const [first] = batch;
    if (!first) {
      if (!waitForLock && this.#oversized > 0 && sizeOf(item) > sizeMax) return false;
      return waitForLock ? this.#lockWaiters < lockWaitersMax : this.#batches < batchesMax;
    }
    if (isAlone || first.isAlone || batch.length === itemsMax) return false;
    if ((waitForLock || first.waitForLock) && first.key !== key) return false;
    return batch.reduce((sum, each) => sum + sizeOf(each.item), sizeOf(item)) <= sizeMax;
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const keys = batch.flatMap(({ key }) => key ?? []);
    const waitForLock = batch.some((each) => each.waitForLock);
    const { sizeOf, sizeMax } = this.#options;
    const oversized = !waitForLock && batch.some(({ item }) => sizeOf(item) > sizeMax) ? 1 : 0;
    this.#oversized += oversized;
    for (const key of keys) this.#runningKeys.add(key);
    if (waitForLock) this.#lockWaiters++;
    else this.#batches++;

    const retries = await this.#execute(batch, waitForLock);

    this.#oversized -= oversized;
    if (waitForLock) this.#lockWaiters--;
    else this.#batches--;
    for (const key of keys) this.#runningKeys.delete(key);
    this.#waiting = [...retries, ...this.#waiting];
    this.#startBatches();
  }

  /** @returns the items to execute again */
  async #execute(
    batch: readonly Waiting<Item, Result>[],
    waitForLock: boolean,
  ): Promise<Waiting<Item, Result>[]> {
    const items = batch.map(({ item }) => item);
    const abort = new AbortController();
    const abortIfAllCancelled = () => {
      if (items.every(({ call }) => call.signal.aborted)) abort.abort();
    };
    for (const { call } of items) call.signal.addEventListener('abort', abortIfAllCancelled, { once: true });
    try {
      const results = await this.#options.execute(items, waitForLock, abort.signal);
      const retries: Waiting<Item, Result>[] = [];
      for (const [n, waiting] of batch.entries()) {
        const result = results[n];
        if (result === 'lockUnavailable') retries.push(Object.assign(waiting, { waitForLock: true }));
        else waiting.result.resolve(result as Result);
      }
      return retries;
    } catch (error) {
      if (batch.length > 1) return batch.map((waiting) => Object.assign(waiting, { isAlone: true }));
      batch[0]?.result.reject(error);
      return [];
    } finally {
      for (const { call } of items) call.signal.removeEventListener('abort', abortIfAllCancelled);
    }
  }
}

/** What these batchers hold together. */
export function heldBy(batchers: () => readonly { held(): Held }[]): HeldCounts {
  const sum = (count: (held: Held) => number) => () =>
    batchers().reduce((total, batcher) => total + count(batcher.held()), 0);
  return {
    requests_waiting: sum(({ waiting }) => waiting),
    groups: sum(({ batches }) => batches),
    accounts_in_groups: sum(({ keys }) => keys),
    oversized_groups: sum(({ oversized }) => oversized),
  };
}
