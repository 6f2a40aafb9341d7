/** Group commit: the batches that wait at the same time are created by one call of the database, and one commit. */
import type { Batch, Outcome } from './create-batches.ts';

export interface GroupCommitOptions {
  /**
   * Creates batches together: an outcome for each, in their order. With `waits` they are those of one account, and none
   * is 'busy'. Nobody waits for the outcomes any more once `gone` is aborted.
   */
  commit(batches: readonly Batch[], waits: boolean, gone: AbortSignal): Promise<(Outcome | 'busy')[]>;
  /** Under way at the same time: while one waits for the disk, another works. */
  groupsMax: number;
  /** Beside them, of accounts that somebody else holds: each keeps a connection for as long. */
  waitsMax: number;
  batchesMax: number;
  /** Of all batches of a group; a batch of more goes alone. */
  entriesMax: number;
}

interface Waiting {
  batch: Batch;
  outcome: PromiseWithResolvers<Outcome>;
  /** Somebody else held its account: it waits for that, and shares a group only with batches of the same account. */
  waits: boolean;
  /** Its group failed: it shares none. */
  isAlone: boolean;
  isGone: boolean;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  /** Of the groups under way. What else these accounts sent waits here: in the database it would hold a connection. */
  readonly #accounts = new Set<string>();
  #groups = 0;
  #waits = 0;
  #isPlanned = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Creates a batch together with whatever else waits; it does not wait for company.
   * @throws what its commit throws when it is tried alone, and the reason of its call's cancellation
   */
  create(batch: Batch): Promise<Outcome> {
    const waiting: Waiting = {
      batch,
      outcome: Promise.withResolvers(),
      waits: false,
      isAlone: false,
      isGone: false,
    };
    this.#waiting.push(waiting);
    this.#plan();
    return this.#unlessGone(waiting);
  }

  async #unlessGone(waiting: Waiting): Promise<Outcome> {
    const { cancelled } = waiting.batch.call;
    const giveUp = () => {
      waiting.isGone = true;
      waiting.outcome.reject(cancelled.reason);
    };
    cancelled.addEventListener('abort', giveUp, { once: true });
    if (cancelled.aborted) giveUp();
    try {
      return await waiting.outcome.promise;
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
  #next(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    // Nothing overtakes what its account sent before.
    const passed = new Set(this.#accounts);
    for (const waiting of this.#waiting) {
      if (waiting.isGone) continue;
      const { accountId } = waiting.batch.caller;
      if (!passed.has(accountId) && this.#mayJoin(group, waiting)) {
        group.push(waiting);
      } else {
        passed.add(accountId);
        left.push(waiting);
      }
    }
    this.#waiting = left;
    return group;
  }

  #mayJoin(group: readonly Waiting[], { batch, waits, isAlone }: Waiting): boolean {
    const { batchesMax, entriesMax, groupsMax, waitsMax } = this.#options;
    const [first] = group;
    if (!first) return waits ? this.#waits < waitsMax : this.#groups < groupsMax;
    if (isAlone || first.isAlone || group.length === batchesMax) return false;
    const isSameAccount = first.batch.caller.accountId === batch.caller.accountId;
    if ((waits || first.waits) && !isSameAccount) return false;
    return group.reduce((sum, { batch }) => sum + batch.entries.length, batch.entries.length) <= entriesMax;
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    const accounts = new Set(group.map(({ batch }) => batch.caller.accountId));
    const waits = group.some((each) => each.waits);
    for (const account of accounts) this.#accounts.add(account);
    if (waits) this.#waits++;
    else this.#groups++;

    const again = await this.#settle(group, waits);

    if (waits) this.#waits--;
    else this.#groups--;
    for (const account of accounts) this.#accounts.delete(account);
    this.#waiting = [...again, ...this.#waiting];
    this.#begin();
  }

  /** @returns those that are to be tried again */
  async #settle(group: readonly Waiting[], waits: boolean): Promise<Waiting[]> {
    const batches = group.map(({ batch }) => batch);
    const gone = new AbortController();
    const leave = () => {
      if (batches.every(({ call }) => call.cancelled.aborted)) gone.abort();
    };
    for (const { call } of batches) call.cancelled.addEventListener('abort', leave, { once: true });
    try {
      const outcomes = await this.#options.commit(batches, waits, gone.signal);
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome !== 'busy') group[n]?.outcome.resolve(outcome);
      }
      const busy = group.filter((_, n) => outcomes[n] === 'busy');
      for (const waiting of busy) waiting.waits = true;
      return busy;
    } catch (error) {
      if (group.length === 1) {
        group[0]?.outcome.reject(error);
        return [];
      }
      for (const waiting of group) waiting.isAlone = true;
      return [...group];
    } finally {
      for (const { call } of batches) call.cancelled.removeEventListener('abort', leave);
    }
  }
}
