/** Runs the push of an import: starts, pauses, waits, goes on. Every entry has a reference, so that repeating a part is safe. */

import { LedgerError, type PushProgress } from '../../typescript/index.ts';
import { withoutEntry } from '../../typescript/push/outcomes.ts';
import { pushCompared } from '../../typescript/push/push-compared.ts';
import { isKeyRefused, type Session } from '../key/session.ts';
import {
  isRunning,
  type PushEvent,
  type PushState,
  statusAfter,
  unlikelyIn,
  withCreated,
} from './push-state.ts';
import { withPushed } from './pushed-files.ts';
import type { Store } from './store.ts';

interface RunnerOptions extends Store {
  /** Called when not everything was sent, because the books have changed. */
  onChanged: () => void;
  /** Called when everything of the files is stored. */
  onPushed: () => void;
  onError: (error: unknown) => void;
}

export class PushRunner {
  readonly #options: RunnerOptions;
  /** Aborting it ends a part of the run: a pause, or a wait that is cut short. */
  #attempt = new AbortController();
  #runs = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(session: Session, areDatesConfirmed: boolean): void {
    const { get, set } = this.#options;
    const { push, books } = get();
    if (unlikelyIn(push).length > 0 && !areDatesConfirmed) return;
    if (!push || isRunning(get()) || statusAfter(push.status, 'start') !== 'running') return;
    // The books are about to change: the way back to the rows reads them again.
    set({ books: { ...books, status: 'due' }, changed: undefined });
    const ticket = ++this.#runs;
    const isCurrent = () => ticket === this.#runs;
    void this.#run(session, isCurrent).then(() => isCurrent() && this.#end());
  }

  /** Pauses: stops after the running request. */
  pause(): void {
    if (!isRunning(this.#options.get())) return;
    this.#change({}, 'pause');
    this.#attempt.abort();
  }

  /** Goes on after a key that was refused. */
  recover(): void {
    if (isKeyRefused(this.#options.get().push?.error)) this.#change({ error: undefined }, 'recover');
  }

  /** Tries again at once if it waits for the service. */
  retryNow(): void {
    if (this.#options.get().push?.wait?.reason === 'unavailable') this.#attempt.abort();
  }

  /** Makes a run void: its later results are ignored. */
  forget(): void {
    this.#runs++;
  }

  async #run(session: Session, isCurrent: () => boolean): Promise<void> {
    const { get } = this.#options;
    this.#change({ error: undefined, wait: undefined }, 'start');
    try {
      for (let push = get().push; push?.status === 'running'; push = get().push) {
        this.#attempt = new AbortController();
        const isInterrupted = await this.#pushRest(session, push, isCurrent);
        if (!isCurrent()) return;
        if (!isInterrupted) break;
      }
      const { settled = 0, changed = [], newEntries = [] } = get().push ?? {};
      this.#change({}, settled + changed.length === newEntries.length ? 'finish' : 'stop');
    } catch (error) {
      if (isCurrent()) this.#change({ error: asLedgerError(error) }, 'fail');
    }
  }

  /**
   * Pushes the rest, after a comparison with the books of now. Waits without limit for a service that cannot be reached.
   * @returns whether a person, or the network, has interrupted it
   * @throws LedgerError
   */
  async #pushRest(session: Session, push: PushState, isCurrent: () => boolean): Promise<boolean> {
    const pushed = await pushCompared(session.ledger, push.shown, {
      onProgress: this.#observerOf(push, isCurrent),
      signal: this.#attempt.signal,
      retryTimeoutMs: Number.POSITIVE_INFINITY,
    });
    const { outcomes, unknownIndexes, changed, error, stoppedBy, remaining } = pushed;
    const ids = outcomes.flatMap((outcome) => (outcome?.status === 'created' ? outcome.id : []));
    const created = new Set([...push.created, ...ids]);
    if (isCurrent()) {
      const settled = push.newEntries.length - changed.length - remaining;
      const result = { outcomes: withCreated(outcomes, created), unknownIndexes, changed, created, settled };
      this.#change({ ...result, wait: undefined });
    }
    if (error) throw error;
    if (stoppedBy === 'daily_cap')
      throw new LedgerError(stoppedBy, 'The daily cap of the account is reached.');
    return stoppedBy !== undefined;
  }

  /** Shows the progress and the waits of a part. Waits do not count towards the rate. */
  #observerOf(push: PushState, isCurrent: () => boolean) {
    let { activeMs, wasUnreachable } = push;
    let resumedAt = performance.now();
    return ({ settled, pause: wait }: PushProgress) => {
      const now = performance.now();
      if (wait) {
        resumedAt = now + wait.until.getTime() - Date.now();
        wasUnreachable ||= wait.reason === 'unavailable';
        if (isCurrent()) this.#change({ wait, wasUnreachable });
        return;
      }
      activeMs += now - resumedAt;
      resumedAt = now;
      if (isCurrent()) this.#change({ activeMs, settled: push.settled + settled, wait: undefined });
    };
  }

  #end() {
    const { get, set, onChanged, onPushed, onError } = this.#options;
    const { push } = get();
    if (!push) return;
    set({ created: push.created });
    if (push.status === 'failed') return onError(push.error);
    if (push.status !== 'done') return;
    set({ pushedFiles: withPushed(get()) });
    if (push.changed.length === 0) {
      if (withoutEntry(push.shown.entries, push.outcomes).length === 0) onPushed();
      return set({ step: 'result' });
    }
    set({ step: 'check', changed: push.changed });
    onChanged();
  }

  #change(part: Partial<PushState>, event?: PushEvent): void {
    const { get, set } = this.#options;
    const { push } = get();
    if (!push) return;
    const status = event ? statusAfter(push.status, event) : push.status;
    set({ push: { ...push, ...part, status } });
  }
}

function asLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  return new LedgerError('unexpected_response', 'The page failed. Import again: nothing is created twice.', {
    cause: error,
  });
}
