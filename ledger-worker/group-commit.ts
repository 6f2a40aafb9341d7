/** Group commit: the batches that wait at the same time are created by one call of the database, and one commit. */
import type { Batch, Outcome } from './create-batches.ts';

export interface GroupCommitOptions {
  /** Creates batches together: an outcome for each, in their order. Nobody waits any more once `gone` is aborted. */
  commit(batches: readonly Batch[], gone: AbortSignal): Promise<(Outcome | 'busy')[]>;
  /** Under way at the same time: while one waits for the disk, another works. */
  groupsMax: number;
  batchesMax: number;
  /** Of all batches of a group; a batch of more goes alone. */
  entriesMax: number;
}

interface Waiting {
  batch: Batch;
  outcome: PromiseWithResolvers<Outcome>;
  /** With whom it may share a group: a batch that was refused in wide company is tried in narrower. */
  company: 'anybody' | 'its account' | 'nobody';
  isGone: boolean;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  /** Of the groups under way. What else these accounts sent waits here: in the database it would hold a connection. */
  readonly #accounts = new Set<string>();
  #groups = 0;
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
      company: 'anybody',
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
    while (this.#groups < this.#options.groupsMax) {
      const group = this.#next();
      if (group.length === 0) return;
      void this.#run(group);
    }
  }

  /** Takes out of those that wait, in the order of their arrival, as many as may go together. */
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

  #mayJoin(group: readonly Waiting[], { batch, company }: Waiting): boolean {
    const [first] = group;
    if (!first) return true;
    const entries = group.reduce((sum, { batch }) => sum + batch.entries.length, batch.entries.length);
    if (group.length === this.#options.batchesMax || entries > this.#options.entriesMax) return false;
    if (company === 'nobody' || first.company === 'nobody') return false;
    const isSameAccount = first.batch.caller.accountId === batch.caller.accountId;
    return isSameAccount || (company === 'anybody' && first.company === 'anybody');
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    const accounts = new Set(group.map(({ batch }) => batch.caller.accountId));
    for (const account of accounts) this.#accounts.add(account);
    // A group that waits for somebody else's lock keeps no other from its turn.
    const turn = group[0]?.company === 'its account' ? 0 : 1;
    this.#groups += turn;

    const again = await this.#settle(group);

    this.#groups -= turn;
    for (const account of accounts) this.#accounts.delete(account);
    this.#waiting = [...again, ...this.#waiting];
    this.#begin();
  }

  /** @returns those that are to be tried again */
  async #settle(group: readonly Waiting[]): Promise<Waiting[]> {
    const batches = group.map(({ batch }) => batch);
    const gone = new AbortController();
    const leave = () => {
      if (batches.every(({ call }) => call.cancelled.aborted)) gone.abort();
    };
    for (const { call } of batches) call.cancelled.addEventListener('abort', leave, { once: true });
    try {
      const outcomes = await this.#options.commit(batches, gone.signal);
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome !== 'busy') group[n]?.outcome.resolve(outcome);
      }
      return narrowed(
        group.filter((_, n) => outcomes[n] === 'busy'),
        'its account',
      );
    } catch (error) {
      if (group.length > 1) return narrowed(group, 'nobody');
      group[0]?.outcome.reject(error);
      return [];
    } finally {
      for (const { call } of batches) call.cancelled.removeEventListener('abort', leave);
    }
  }
}

function narrowed(group: readonly Waiting[], company: Waiting['company']): Waiting[] {
  return group.map((waiting) => Object.assign(waiting, { company }));
}
