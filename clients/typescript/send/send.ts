/**
 * Sends the rows that were shown as new, if they still are.
 *
 * Four loops are nested, each with its own step: `send` repeats a comparison and a push while the books change under it, `#sendNew` goes from
 * part to part of the split rows, `pushToSources` from source to source, and `Ledger.push` from request to request. A program that goes on
 * after a stop calls `send` again.
 */
import type { Period } from '../days.ts';
import { LedgerError } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import { type ComparedFiles, compareAgain } from '../match/compared.ts';
import { type ComparedEntry, isNew, type MatchStatus } from '../match/compared-entry.ts';
import { type FileEntry, periodAround, rowKey } from '../match/row.ts';
import { type Books, readBooks } from '../match/stored-books.ts';
import type { PushError, PushOptions } from '../push.ts';
import { type Pause, PUSH_RETRY_MS, sleep } from '../retries.ts';
import type { Outcome } from '../write.ts';
import {
  type EntryOutcome,
  outcomeInBooks,
  outcomesForFile,
  progressOf,
  type TakenOutcome,
} from './outcomes.ts';
import { phasesOf } from './phases.ts';
import { pushToSources, type SourcesPush, settled, unreadBooks, withIndexes } from './push-sources.ts';
import { retryBudget } from './retry-budget.ts';

export interface SendOptions extends PushOptions {
  /** Whether an entry may be sent. By default every new one may. */
  isSendable?: (entry: ComparedEntry) => boolean;
}

export interface Sent<Before extends ComparedFiles = ComparedFiles> extends Omit<SourcesPush, 'outcomes'> {
  /** By the index of the entry; undefined for entries that were not sent, or whose outcome is unknown. The issues of an error have these indexes too. */
  outcomes: (EntryOutcome | undefined)[];
  /** With the comparison right before the last request. */
  compared: Before;
  /** Entries that were shown as new and that another push has stored differently meanwhile. They were not sent. */
  changed: FileEntry[];
}

/** After a wait, a comparison of this age is still used, and so is one younger than twice its own duration. */
const FRESH_MS = 1_000;
/** How long to read the books of a service that cannot be reached, to find entries whose outcome is unknown. */
const LOOKUP_TIMEOUT_MS = 5_000;
/** For repetitions of a request that fails, a comparison may be older by this: all attempts of a push that gives up soon fit in. */
const REPETITION_MS = 5_000;
/** How often the reference of an entry may be taken by another source between comparison and request. */
const RENAMED_MAX = 5;

type SendingLedger = Pick<Ledger, 'push' | 'transactions'>;

/**
 * Compares with the books right before the first request, after a wait that makes the comparison old, and after a conflict.
 * @throws LedgerError if the books cannot be read and nothing was sent yet
 */
export async function send<Before extends ComparedFiles>(
  ledger: SendingLedger,
  shown: Before,
  options: SendOptions = {},
): Promise<Sent<Before>> {
  const run = new Run(ledger, shown, options);
  await run.sendAll();
  await run.settleUnknown();
  await run.findHolders();
  return run.result();
}

/** One call of `send`. Entries are named by their index. */
class Run<Before extends ComparedFiles> {
  /** The entries that were shown as new. No others are sent. */
  readonly #toSend: ReadonlySet<number>;
  readonly #retries = retryBudget();
  /** The last comparison, and the push after it. */
  #compared: Before;
  #last: SourcesPush | undefined;
  /** The outcomes so far, and the references that these entries were sent with. */
  readonly #done = new Map<number, Outcome | TakenOutcome>();
  readonly #references = new Map<number, string | undefined>();
  /** Entries of a request without a readable response. A comparison with newer books settles them. */
  readonly #unknown = new Set<number>();
  /** Set if the books could not be read after something was sent. */
  #failure: PushError | undefined;

  constructor(
    readonly ledger: SendingLedger,
    readonly shown: Before,
    readonly options: SendOptions,
  ) {
    this.#compared = shown;
    this.#toSend = new Set([...shown.entries.keys()].filter((index) => this.#isNew(index)));
  }

  async sendAll(): Promise<void> {
    const { signal } = this.options;
    for (let renamed = 0; renamed < RENAMED_MAX && !signal?.aborted; ) {
      const startedAt = Date.now();
      if (!(await this.#compare())) return;
      const comparedAt = Date.now();
      const age = Math.max(FRESH_MS, 2 * (comparedAt - startedAt));
      this.#last = undefined;
      const waitUntil = await this.#sendNew((time) => time - comparedAt > age);
      if (waitUntil) await sleep(waitUntil.getTime() - Date.now(), signal).catch(() => {});
      else if (this.#isStopped() || this.#conflicts().length === 0) return;
      else if (!(await this.#compare()) || !this.#reopenRenamed()) return;
      else renamed++;
    }
  }

  /** Reads the books once more for entries whose outcome is unknown. */
  async settleUnknown(): Promise<void> {
    const last = this.#last;
    if (!last?.error || this.#unknown.size === 0) return;
    if (await this.#compare(LOOKUP_TIMEOUT_MS)) this.#last = { ...last, error: settled(last.error) };
  }

  /** Finds the entries that have the taken references. They are in no books near the rows. */
  async findHolders(): Promise<void> {
    const { signal } = this.options;
    const withTakenReference = [...this.#done].flatMap(([index, outcome]) =>
      outcome.status === 'taken' ? [[index, outcome] as const] : [],
    );
    if (withTakenReference.length === 0 || signal?.aborted) return;
    const books = await this.#readBooks({}).catch(() => undefined);
    for (const [index, outcome] of withTakenReference)
      this.#done.set(index, { ...outcome, holder: books?.byId.get(outcome.id) });
  }

  result(): Sent<Before> {
    const { entries } = this.shown;
    const last = this.#last;
    const left = [...this.#toSend].filter((index) => !this.#done.has(index));
    const isChanged = (index: number) =>
      !this.#isNew(index) && !SETTLED.includes(this.#comparedAt(index).matchStatus);
    const { sent: _, ...counts } = progressOf(this.#done);
    return {
      stoppedBy: this.options.signal?.aborted ? 'interrupted' : last?.stoppedBy,
      fitsNow: last?.fitsNow,
      retryAt: last?.retryAt,
      ...counts,
      unknown: [...this.#unknown],
      error: last?.error ?? this.#failure,
      compared: this.#compared,
      remaining: left.filter((index) => this.#isNew(index)).length,
      outcomes: [...entries.keys()].map(
        (index) =>
          this.#done.get(index) ?? (this.#isNew(index) ? undefined : outcomeInBooks(this.#comparedAt(index))),
      ),
      changed: left.filter(isChanged).map((index) => entries[index] as FileEntry),
    };
  }

  /** The books of the sources that were shown. */
  #readBooks(period: Period, retryTimeoutMs = this.options.retryTimeoutMs ?? PUSH_RETRY_MS): Promise<Books> {
    const { onProgress, signal } = this.options;
    const total = this.#toSend.size;
    const onPause = (_: number, pause?: Pause) =>
      pause && onProgress?.({ ...progressOf(this.#done), total, pause });
    const options = { ...period, retryTimeoutMs, ...(onProgress && { onProgress: onPause }) };
    return readBooks(this.ledger, this.shown.books.sources, options, signal);
  }

  /** @returns whether the books were read. If not, the outcomes so far stay. */
  async #compare(retryTimeoutMs?: number): Promise<boolean> {
    const { signal } = this.options;
    try {
      const books = await this.#readBooks(periodAround(this.shown.files), retryTimeoutMs);
      this.#compared = compareAgain(this.shown, books);
    } catch (error) {
      if (signal?.aborted) return false;
      const isFirst = this.#done.size + this.#unknown.size === 0;
      if (isFirst || !(error instanceof LedgerError)) throw error;
      this.#failure = unreadBooks(error, this.#unknown.size);
      return false;
    }
    for (const index of this.#unknown) {
      const { matchStatus, stored } = this.#comparedAt(index);
      if (matchStatus === 'known' && stored) this.#done.set(index, { status: 'known', id: stored.id });
    }
    this.#unknown.clear();
    // The abort may have come with the last page of the books.
    return !signal?.aborted;
  }

  /**
   * Sends the entries that are new by the last comparison.
   * @param isOld whether that comparison is too old at a time
   * @returns the end of a wait after which it is too old: then nothing is sent before another one
   */
  async #sendNew(isOld: (time: number) => boolean): Promise<Date | undefined> {
    const { signal } = this.options;
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    let waitUntil: Date | undefined;
    const onPause = ({ until, reason }: Pause) => {
      if (!isOld(until.getTime() - (reason === 'unavailable' ? REPETITION_MS : 0))) return;
      waitUntil = until;
      stop();
    };
    signal?.addEventListener('abort', stop);
    try {
      for (const phase of phasesOf(this.shown.entries)) {
        const indexes = this.#newOf(phase);
        if (indexes.length > 0) await this.#push(indexes, attempt.signal, onPause);
        if (this.#isStopped()) break;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    return this.#last?.error ? undefined : waitUntil;
  }

  /** The new entries of a phase. A row whose earlier part was refused is not continued. */
  #newOf(phase: readonly number[]): number[] {
    const rowOf = (index: number) => rowKey(this.shown.entries[index] as FileEntry);
    const refused = new Set(this.#conflicts().map(rowOf));
    const isLeft = (index: number) => this.#toSend.has(index) && !this.#done.has(index) && this.#isNew(index);
    return phase.filter((index) => isLeft(index) && !refused.has(rowOf(index)));
  }

  /** Sends these entries, and keeps their outcomes. */
  async #push(
    indexes: readonly number[],
    signal: AbortSignal,
    onPause: (pause: Pause) => void,
  ): Promise<void> {
    const { source } = this.shown;
    const { onProgress = () => {}, retryTimeoutMs = PUSH_RETRY_MS } = this.options;
    const before = progressOf(this.#done);
    const sending = indexes.map((index) => {
      const compared = this.#comparedAt(index);
      return { ...compared, entry: compared.toSend };
    });
    const last = await pushToSources(this.ledger, sending, source?.id, {
      ...this.options,
      ...this.#retries.rest(retryTimeoutMs),
      signal,
      onProgress: ({ sent, created, deduplicated, pause }) => {
        this.#retries.note(pause);
        onProgress({
          sent: before.sent + sent,
          total: this.#toSend.size,
          created: before.created + created,
          deduplicated: before.deduplicated + deduplicated,
          pause,
        });
        if (pause) onPause(pause);
      },
    });
    for (const [at, outcome] of outcomesForFile(sending, last.outcomes).entries()) {
      if (!outcome) continue;
      this.#done.set(indexes[at] as number, outcome);
      this.#references.set(indexes[at] as number, sending[at]?.entry.externalRef);
    }
    for (const at of last.unknown) this.#unknown.add(indexes[at] as number);
    const error = last.error && withIndexes(last.error, indexes);
    // A stop is no failure.
    const isStop = error?.code === 'unknown_outcome' && signal.aborted;
    this.#last = isStop ? { ...last, error: undefined, stoppedBy: 'interrupted' } : { ...last, error };
  }

  /**
   * Another source has taken the reference of an entry after the comparison: the entry is new under another reference, and is sent again.
   * Without another one, its reference is taken.
   * @returns whether there are such entries
   */
  #reopenRenamed(): boolean {
    const refused = this.#conflicts().filter((index) => this.#isNew(index));
    const isRenamed = (index: number) =>
      this.#comparedAt(index).toSend.externalRef !== this.#references.get(index);
    for (const index of refused) {
      if (isRenamed(index)) this.#done.delete(index);
      else this.#done.set(index, { status: 'taken', id: this.#done.get(index)?.id ?? '', holder: undefined });
    }
    return refused.some(isRenamed);
  }

  #conflicts(): number[] {
    return [...this.#done].flatMap(([index, { status }]) => (status === 'conflict' ? index : []));
  }

  #isStopped(): boolean {
    return this.#last?.error !== undefined || this.#last?.stoppedBy !== undefined;
  }

  /** The entry by the last comparison. */
  #comparedAt(index: number): ComparedEntry {
    return this.#compared.entries[index] as ComparedEntry;
  }

  #isNew(index: number): boolean {
    const { isSendable = isNew } = this.options;
    return isSendable(this.#comparedAt(index));
  }
}

/** Rows that have become known or refused since they were shown: nobody has to decide about them. */
const SETTLED: readonly MatchStatus[] = ['known', 'taken'];
