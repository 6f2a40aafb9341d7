/**
 * Sends the rows that were shown as new, if they still are. `SendState` has the state of each entry. These moves change it:
 *
 * | after | then |
 * |---|---|
 * | the beginning, or a wait | compare with the books of now |
 * | a comparison | push the entries that are new by it, part by part of the split rows |
 * | a push that would wait until the comparison is old | wait, without a request |
 * | a push that has failed | look in the books for the entries that may be stored, and end |
 * | a push that has stopped, or has no conflicts | end |
 * | a push with conflicts | compare: if entries have got another reference, push these, else end |
 *
 * Below a push, `pushToSources` goes from source to source, and `Ledger.push` from request to request. A program that goes on after a stop
 * calls `send` again.
 */
import type { Period } from '../days.ts';
import { LedgerError } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import type { ComparedFiles } from '../match/compare.ts';
import { type FileEntry, periodAround } from '../match/row.ts';
import { type Books, readBooks } from '../match/stored-books.ts';
import type { PushError, PushOptions } from '../push.ts';
import { type Pause, PUSH_RETRY_MS, sleep } from '../retries.ts';
import type { EntryOutcome } from './outcomes.ts';
import { phasesOf } from './phases.ts';
import {
  progressAfter,
  pushToSources,
  type SourcesPush,
  unreadBooks,
  withIndexes,
  withKnownOutcome,
} from './push-sources.ts';
import { retryBudget } from './retry-budget.ts';
import { SendState } from './send-state.ts';

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

/** One call of `send`. */
interface SendRun<Before extends ComparedFiles = ComparedFiles> {
  ledger: Pick<Ledger, 'push' | 'transactions'>;
  options: PushOptions;
  state: SendState<Before>;
  retries: ReturnType<typeof retryBudget>;
}

/** How a push has ended. */
type RoundEnd = Pick<SourcesPush, 'stoppedBy' | 'fitsNow' | 'retryAt' | 'error'> & {
  /** It was cut at the beginning of a wait, which ends then. */
  waitUntil?: Date | undefined;
};

const COMPLETE: RoundEnd = { stoppedBy: undefined, fitsNow: undefined, retryAt: undefined, error: undefined };

/**
 * Compares with the books right before the first request, after a wait that makes the comparison old, and after a conflict.
 * @throws LedgerError if the books cannot be read and nothing was sent yet
 */
export async function send<Before extends ComparedFiles>(
  ledger: SendRun['ledger'],
  shown: Before,
  options: PushOptions = {},
): Promise<Sent<Before>> {
  const run: SendRun<Before> = { ledger, options, state: new SendState(shown), retries: retryBudget() };
  const { stoppedBy, fitsNow, retryAt, error } = await sendAll(run);
  await findHolders(run);
  const result = run.state.result();
  const isDone = result.remaining === 0 && result.unknown.length === 0 && run.state.conflicts.length === 0;
  // An interruption after the last response has stopped nothing.
  const isInterrupted = options.signal?.aborted && !isDone;
  return { ...result, stoppedBy: isInterrupted ? 'interrupted' : stoppedBy, fitsNow, retryAt, error };
}

/** Compares and pushes in turn. @returns the end of the last push */
async function sendAll(run: SendRun): Promise<RoundEnd> {
  const { state, options } = run;
  const { signal } = options;
  let end = COMPLETE;
  for (let renamed = 0; renamed < RENAMED_MAX && !signal?.aborted; ) {
    const startedAt = Date.now();
    const unread = await compareNow(run);
    if (unread || signal?.aborted) return { ...end, error: unread };
    const comparedAt = Date.now();
    const freshMs = Math.max(FRESH_MS, 2 * (comparedAt - startedAt));
    end = await pushNew(run, (time) => time - comparedAt > freshMs);
    if (end.error) return { ...end, error: await lookUpUnknown(run, end.error) };
    if (end.waitUntil) await sleep(end.waitUntil.getTime() - Date.now(), signal).catch(() => {});
    else if (end.stoppedBy !== undefined || state.conflicts.length === 0) return end;
    else {
      const unread = await compareNow(run);
      if (unread || signal?.aborted || !state.reopenRenamed()) return { ...end, error: unread };
      renamed++;
    }
  }
  return end;
}

/** Compares with the books of now. @returns the error, if they could not be read after something was sent: the outcomes so far stay */
async function compareNow(run: SendRun, retryTimeoutMs?: number): Promise<PushError | undefined> {
  const { state, options } = run;
  try {
    state.compareWith(await currentBooks(run, periodAround(state.shown.files), retryTimeoutMs));
    return undefined;
  } catch (error) {
    if (options.signal?.aborted) return undefined;
    if (!state.hasSent || !(error instanceof LedgerError)) throw error;
    return unreadBooks(error, state.unknown.length);
  }
}

/**
 * Pushes the entries that are new by the last comparison. A wait after which that is too old is cut.
 * @param isOld whether the comparison is too old at a time
 */
async function pushNew(run: SendRun, isOld: (time: number) => boolean): Promise<RoundEnd> {
  const { state, options } = run;
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
    for (const phase of phasesOf(state.shown.entries)) {
      const indexes = state.newIn(phase);
      if (indexes.length > 0) end = await pushRound(run, indexes, attempt.signal, onPause);
      if (end.error || end.stoppedBy !== undefined) break;
    }
  } finally {
    options.signal?.removeEventListener('abort', stop);
  }
  return { ...end, waitUntil };
}

/** Pushes these entries, and keeps their outcomes. */
async function pushRound(
  { ledger, options, state, retries }: SendRun,
  indexes: readonly number[],
  signal: AbortSignal,
  onPause: (pause: Pause) => void,
): Promise<RoundEnd> {
  const { onProgress = () => {}, retryTimeoutMs = PUSH_RETRY_MS } = options;
  const before = state.progress;
  const sending = state.entriesAt(indexes);
  const pushed = await pushToSources(ledger, sending, state.shown.source?.id, {
    ...options,
    ...retries.rest(retryTimeoutMs),
    signal,
    onProgress: (progress) => {
      retries.note(progress.pause);
      onProgress(progressAfter(before, progress, state.toSend.size));
      if (progress.pause) onPause(progress.pause);
    },
  });
  state.keep(indexes, sending, pushed);
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
async function lookUpUnknown(run: SendRun, error: PushError): Promise<PushError> {
  if (run.state.unknown.length === 0) return error;
  const unread = await compareNow(run, LOOKUP_TIMEOUT_MS);
  return unread || run.options.signal?.aborted ? error : withKnownOutcome(error);
}

/** Finds the entries that have the taken references. They are in no books near the rows. */
async function findHolders(run: SendRun): Promise<void> {
  const { state, options } = run;
  if (!state.hasTaken || options.signal?.aborted) return;
  const books = await currentBooks(run, {}).catch(() => undefined);
  if (books) state.nameHolders(books);
}

/** The books of the sources that were shown. */
function currentBooks(
  { ledger, options, state }: SendRun,
  period: Period,
  retryTimeoutMs?: number,
): Promise<Books> {
  const { onProgress, signal } = options;
  const onPause = (_: number, pause?: Pause) =>
    pause && onProgress?.({ ...state.progress, total: state.toSend.size, pause });
  const reading = {
    ...period,
    retryTimeoutMs: retryTimeoutMs ?? options.retryTimeoutMs ?? PUSH_RETRY_MS,
    ...(onProgress && { onProgress: onPause }),
  };
  return readBooks(ledger, state.shown.books.sources, reading, signal);
}
