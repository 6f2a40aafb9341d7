/** What waits at the same time is done together: by one statement, and for writes by one commit (group commit). */
import type { CallContext } from '../../proto/client.ts';

export interface GroupsOptions<Item, Result> {
  /**
   * Does the work of a group: a result for each item, in their order, or 'busy' where somebody else holds its key. With
   * `waits` the items are those of one key, and the work waits for it. Nobody waits any more once `gone` is aborted.
   */
  work(items: readonly Item[], waits: boolean, gone: AbortSignal): Promise<(Result | 'busy')[]>;
  /** Of items with the same key only one group is under way: the others would have to wait in the database. */
  keyOf?(item: Item): string;
  sizeOf(item: Item): number;
  /** Under way at the same time: while one waits for the disk, another works. */
  groupsMax: number;
  /** Beside them, those that wait for a key: each keeps a connection for as long. */
  waitsMax: number;
  itemsMax: number;
  /** Of all items of a group; an item that is larger goes alone. */
  sizeMax: number;
}

interface Waiting<Item, Result> {
  item: Item;
  key: string | undefined;
  result: PromiseWithResolvers<Result>;
  /** Somebody else held its key: it waits for that, and shares a group only with items of the same key. */
  waits: boolean;
  /** Its group failed: it shares none. */
  isAlone: boolean;
  isGone: boolean;
}

export class Groups<Item extends { call: CallContext }, Result> {
  readonly #options: GroupsOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** Of the groups under way. */
  readonly #keys = new Set<string>();
  #groups = 0;
  #waits = 0;
  #isPlanned = false;

  constructor(options: GroupsOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Does the work for an item together with whatever else waits; it does not wait for company.
   * @throws what the work throws for the item alone, and the reason of its call's cancellation
   */
  async add(item: Item): Promise<Result> {
    const waiting: Waiting<Item, Result> = {
      item,
      key: this.#options.keyOf?.(item),
      result: Promise.withResolvers(),
      waits: false,
      isAlone: false,
      isGone: false,
    };
    this.#waiting.push(waiting);
    this.#plan();

    const { cancelled } = item.call;
    const giveUp = () => {
      waiting.isGone = true;
      waiting.result.reject(cancelled.reason);
    };
    cancelled.addEventListener('abort', giveUp, { once: true });
    if (cancelled.aborted) giveUp();
    try {
      return await waiting.result.promise;
    } finally {
      cancelled.removeEventListener('abort', giveUp);
    }
  }

  /** Once in a turn of the event loop: what arrives together is seen together, cancellations too. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#begin();
    });
  }

  #begin(): void {
    for (let group = this.#next(); group.length > 0; group = this.#next()) void this.#run(group);
  }

  /** Takes out of those that wait, in the order of their arrival, as many as may go together; none while none may go. */
  #next(): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    // Nothing overtakes what was sent before under its key.
    const passed = new Set(this.#keys);
    for (const waiting of this.#waiting) {
      const { key, isGone } = waiting;
      if (isGone) continue;
      if (!(key !== undefined && passed.has(key)) && this.#mayJoin(group, waiting)) {
        group.push(waiting);
      } else {
        if (key !== undefined) passed.add(key);
        left.push(waiting);
      }
    }
    this.#waiting = left;
    return group;
  }

  #mayJoin(
    group: readonly Waiting<Item, Result>[],
    { item, key, waits, isAlone }: Waiting<Item, Result>,
  ): boolean {
    const { sizeOf, groupsMax, waitsMax, itemsMax, sizeMax } = this.#options;
    const [first] = group;
    if (!first) return waits ? this.#waits < waitsMax : this.#groups < groupsMax;
    if (isAlone || first.isAlone || group.length === itemsMax) return false;
    if ((waits || first.waits) && first.key !== key) return false;
    return group.reduce((sum, each) => sum + sizeOf(each.item), sizeOf(item)) <= sizeMax;
  }

  async #run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const keys = group.flatMap(({ key }) => key ?? []);
    const waits = group.some((each) => each.waits);
    for (const key of keys) this.#keys.add(key);
    if (waits) this.#waits++;
    else this.#groups++;

    const again = await this.#settle(group, waits);

    if (waits) this.#waits--;
    else this.#groups--;
    for (const key of keys) this.#keys.delete(key);
    this.#waiting = [...again, ...this.#waiting];
    this.#begin();
  }

  /** @returns those that are to be tried again */
  async #settle(group: readonly Waiting<Item, Result>[], waits: boolean): Promise<Waiting<Item, Result>[]> {
    const items = group.map(({ item }) => item);
    const gone = new AbortController();
    const leave = () => {
      if (items.every(({ call }) => call.cancelled.aborted)) gone.abort();
    };
    for (const { call } of items) call.cancelled.addEventListener('abort', leave, { once: true });
    try {
      const results = await this.#options.work(items, waits, gone.signal);
      const busy: Waiting<Item, Result>[] = [];
      for (const [n, waiting] of group.entries()) {
        const result = results[n];
        if (result === 'busy') busy.push(Object.assign(waiting, { waits: true }));
        else waiting.result.resolve(result as Result);
      }
      return busy;
    } catch (error) {
      if (group.length > 1) return group.map((waiting) => Object.assign(waiting, { isAlone: true }));
      group[0]?.result.reject(error);
      return [];
    } finally {
      for (const { call } of items) call.cancelled.removeEventListener('abort', leave);
    }
  }
}
