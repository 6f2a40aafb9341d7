/**
 * Pushes the rows that were shown as new, if they still are. `EntryStates` has the state of each entry. These moves change it:
 *
 * | after | then |
 * |---|---|
 * | the beginning, or a wait | compare with the books of now |
 * | a comparison | push the entries that are new by it, phase by phase |
 * | a push that would wait until the comparison is old | wait, without a request |
 * | a push that has failed | look in the books for the entries that may be stored, and end |
 * | a push that has stopped, or has no conflicts | end |
 * | a push with conflicts | compare: if entries have got another reference, push these, else end |
 *
 * Below a phase, `pushToSources` goes from source to source, and `Ledger.push` from write to write. A program that goes on after a stop
 * calls `pushCompared` again.
 */
import type { Period } from '../days.ts';
import { LedgerError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { Ledger } from '../ledger.ts';
import type { ComparedFiles } from '../match/compare.ts';
import { type FileEntry, periodAround, rowKey } from '../match/row.ts';
import { type Books, readBooks } from '../match/stored-books.ts';
import { progressAfter } from '../push-counts.ts';
import type { PushError } from '../push-entries.ts';
import { type Pause, PUSH_RETRY_MS, sleep } from '../retries.ts';
import { EntryStates } from './entry-states.ts';
import type { EntryOutcome } from './outcomes.ts';
import {
  booksError,
  pushToSources,
  type SourcesPushOptions,
  type SourcesPushResult,
  withIndexes,
  withKnownOutcome,
} from './push-to-sources.ts';
import { retryBudget } from './retry-budget.ts';

export interface ComparedPushResult<Before extends ComparedFiles = ComparedFiles>
  extends Omit<SourcesPushResult, 'outcomes'> {
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

/** One call of `pushCompared`. */
interface PushRun<Before extends ComparedFiles = ComparedFiles> {
  ledger: Pick<Ledger, 'push' | 'transactions'>;
  options: SourcesPushOptions;
  states: EntryStates<Before>;
  retries: ReturnType<typeof retryBudget>;
}

/** How a phase has ended, or the last phase of a push. */
type PhaseEnd = Pick<SourcesPushResult, 'stoppedBy' | 'fitsNow' | 'retryAt' | 'error'> & {
  /** It was cut at the beginning of a wait. The end of the wait. */
  waitUntil?: Date | undefined;
};

const COMPLETE: PhaseEnd = { stoppedBy: undefined, fitsNow: undefined, retryAt: undefined, error: undefined };

/**
 * Pushes the new entries of compared files. Compares again right before the first request, after a wait that makes the comparison old, and after
 * a conflict.
 * @throws LedgerError if the books cannot be read and nothing was sent yet
 */
export async function pushCompared<Before extends ComparedFiles>(
  ledger: PushRun['ledger'],
  shown: Before,
  options: SourcesPushOptions = {},
): Promise<ComparedPushResult<Before>> {
  const run: PushRun<Before> = { ledger, options, states: new EntryStates(shown), retries: retryBudget() };
  const { stoppedBy, fitsNow, retryAt, error } = await compareAndPushUntilDone(run);
  await findHolders(run);
  const result = run.states.result();
  const isDone =
    result.remaining === 0 && result.unknownIndexes.length === 0 && run.states.conflictIndexes.length === 0;
  // An interruption after the last response has stopped nothing.
  const isInterrupted = options.signal?.aborted && !isDone;
  return { ...result, stoppedBy: isInterrupted ? 'interrupted' : stoppedBy, fitsNow, retryAt, error };
}

/** Compares and pushes in turn. Each turn needs a wait, or another push that takes a reference meanwhile. @returns the end of the last phase */
async function compareAndPushUntilDone(run: PushRun): Promise<PhaseEnd> {
  const { states, options } = run;
  const { signal } = options;
  let end = COMPLETE;
  while (!signal?.aborted) {
    const startedAt = Date.now();
    const error = await compareNow(run);
    if (error || signal?.aborted) return { ...end, error };
    const comparedAt = Date.now();
    const freshMs = Math.max(FRESH_MS, 2 * (comparedAt - startedAt));
    end = await pushPhases(run, (time) => time - comparedAt > freshMs);
    if (end.error) return { ...end, error: await lookUpUnknown(run, end.error) };
    if (end.waitUntil) await sleep(end.waitUntil.getTime() - Date.now(), signal).catch(() => {});
    else if (end.stoppedBy !== undefined || states.conflictIndexes.length === 0) return end;
    else {
      const error = await compareNow(run);
      if (error || signal?.aborted || !states.reopenRenamed()) return { ...end, error };
    }
  }
  return end;
}

/** Compares with the books of now. @returns the error, if they could not be read after something was sent: the outcomes so far stay */
async function compareNow(run: PushRun, retryTimeoutMs?: number): Promise<PushError | undefined> {
  const { states, options } = run;
  try {
    states.compareWith(await currentBooks(run, periodAround(states.shown.files), retryTimeoutMs));
    return undefined;
  } catch (error) {
    if (options.signal?.aborted) return undefined;
    if (!states.hasSent || !(error instanceof LedgerError)) throw error;
    return booksError(error, states.unknownIndexes.length);
  }
}

/**
 * Pushes the entries that are new by the last comparison, one phase after the other. A wait after which that is too old is cut.
 * @param isOld whether the comparison is too old at a time
 */
async function pushPhases(run: PushRun, isOld: (time: number) => boolean): Promise<PhaseEnd> {
  const { states, options } = run;
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  let waitUntil: Date | undefined;
  const onPause = ({ until, reason }: Pause) => {
    if (!isOld(until.getTime() - (reason === 'unavailable' ? REPETITION_MS : 0))) return;
    waitUntil = until;
    stop();
  };
  let end = COMPLETE;
  options.signal?.addEventListener('abort', stop);
  try {
    for (const phase of phasesOf(states.shown.entries)) {
      const indexes = states.newIn(phase);
      if (indexes.length > 0) end = await pushPhase(run, indexes, attempt.signal, onPause);
      if (end.error || end.stoppedBy !== undefined) break;
    }
  } finally {
    options.signal?.removeEventListener('abort', stop);
  }
  return { ...end, waitUntil };
}

/** All rows and first parts, then all second parts, and so on: a part is not sent if one before it is in conflict. */
function phasesOf(entries: readonly FileEntry[]): number[][] {
  const positions = new Map<string, number>();
  const phases = groupBy(entries.keys(), (index) => {
    const key = rowKey(entries[index] as FileEntry);
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return (entries[index] as FileEntry).part === undefined ? 0 : position;
  });
  return [...phases].sort(([one], [other]) => one - other).map(([, indexes]) => indexes);
}

/** Pushes these entries of one phase, and keeps their outcomes. */
async function pushPhase(
  { ledger, options, states, retries }: PushRun,
  indexes: readonly number[],
  signal: AbortSignal,
  onPause: (pause: Pause) => void,
): Promise<PhaseEnd> {
  const { onProgress = () => {}, retryTimeoutMs = PUSH_RETRY_MS } = options;
  const before = states.counts;
  const sending = states.entriesAt(indexes);
  const pushed = await pushToSources(ledger, sending, states.shown.source?.id, {
    ...options,
    ...retries.rest(retryTimeoutMs),
    signal,
    onProgress: (progress) => {
      retries.note(progress.pause);
      onProgress(progressAfter(before, progress, states.shownAsNew.size));
      if (progress.pause) onPause(progress.pause);
    },
  });
  states.keep(indexes, sending, pushed);
  const { stoppedBy, fitsNow, retryAt } = pushed;
  const error = pushed.error && withIndexes(pushed.error, indexes);
  // A stop is no failure.
  const isStop = error?.code === 'unknown_outcome' && signal.aborted;
  return {
    fitsNow,
    retryAt,
    ...(isStop ? { error: undefined, stoppedBy: 'interrupted' } : { error, stoppedBy }),
  };
}

/** Reads the books once more for entries whose outcome is unknown. @returns the error, without what they have shown */
async function lookUpUnknown(run: PushRun, error: PushError): Promise<PushError> {
  if (run.states.unknownIndexes.length === 0) return error;
  const failure = await compareNow(run, LOOKUP_TIMEOUT_MS);
  return failure || run.options.signal?.aborted ? error : withKnownOutcome(error);
}

/** Finds the entries that have the taken references. They are in no books near the rows. */
async function findHolders(run: PushRun): Promise<void> {
  const { states, options } = run;
  if (!states.hasTaken || options.signal?.aborted) return;
  const books = await currentBooks(run, {}).catch(() => undefined);
  if (books) states.nameHolders(books);
}

/** The books of the sources that were shown. */
function currentBooks(
  { ledger, options, states }: PushRun,
  period: Period,
  retryTimeoutMs?: number,
): Promise<Books> {
  const { onProgress, signal } = options;
  const onPause = (_: number, pause?: Pause) =>
    pause && onProgress?.({ ...states.counts, total: states.shownAsNew.size, pause });
  const reading = {
    ...period,
    retryTimeoutMs: retryTimeoutMs ?? options.retryTimeoutMs ?? PUSH_RETRY_MS,
    ...(onProgress && { onProgress: onPause }),
  };
  return readBooks(ledger, states.shown.books.sources, reading, signal);
}
