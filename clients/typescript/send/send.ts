/** Sends the rows that were shown as new, if they still are. */
import { LedgerError, lastFailureOf, unknownOutcome } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { Ledger } from '../ledger.ts';
import { type Compared, compareAgain } from '../match/compared.ts';
import { type ComparedRow, isSent, type MatchStatus } from '../match/match-status.ts';
import type { FileEntry } from '../match/row.ts';
import type { Books } from '../match/stored-books.ts';
import { type Outcome, PushError, type PushOptions } from '../push.ts';
import { noWaits, sleep } from '../retries.ts';
import { outcomeInBooks, outcomesForFile, type RowOutcome, type TakenOutcome } from './outcomes.ts';
import { pushToSources, type SourcesPush, withIndexes } from './push-sources.ts';

export interface ReadOptions {
  /** Whether to read all days, in place of the days around the rows. */
  isWhole?: boolean;
  /** Overrides the usual time for a service that cannot be reached. */
  retryTimeoutMs?: number;
}

export interface SendOptions extends PushOptions {
  /** Reads the current books. */
  readBooks: (options?: ReadOptions) => Promise<Books>;
  /** Whether the entry of this index was shown to a person. By default all were. */
  isShown?: (index: number) => boolean;
  /** Whether a row may be sent. By default every new row may. */
  isSendable?: (row: ComparedRow) => boolean;
}

export interface Sent<Before extends Compared = Compared> extends Omit<SourcesPush, 'outcomes'> {
  /** By the index of the entry; undefined for entries that were not sent, or whose outcome is unknown. The issues of an error have these indexes too. */
  outcomes: (RowOutcome | undefined)[];
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
const TAKEN_MAX = 5;

/**
 * Compares with the books right before the first request, after each wait, and after a conflict.
 * @throws LedgerError if the books cannot be read and nothing was sent yet
 */
export async function send<Before extends Compared>(
  ledger: Pick<Ledger, 'push'>,
  shown: Before,
  {
    readBooks,
    isShown = () => true,
    isSendable = isSent,
    onProgress = () => {},
    signal,
    retryTimeoutMs = 5 * 60_000,
    ...options
  }: SendOptions,
): Promise<Sent<Before>> {
  const { entries, source } = shown;
  const isNew = (compared: Compared, index: number) => isSendable(rowOf(compared, index));
  const open = new Set([...entries.keys()].filter((index) => isShown(index) && isNew(shown, index)));
  const phases = phasesOf(entries);
  const done = new Map<number, Outcome | TakenOutcome>();
  /** The references that were sent. */
  const references = new Map<number, string | undefined>();
  /** Entries of a request without a readable response. A comparison with newer books settles them. */
  const unknown = new Set<number>();
  let compared = shown;
  /** Since when the service has responded to no write: the retry timeout outlasts the comparisons between. */
  let failingSince = Number.POSITIVE_INFINITY;
  /** Their bounds outlast the comparisons between, too. */
  const waits = noWaits();

  /** Sends the new entries of `compared`. @param isOld whether the comparison is too old at a time */
  async function sendNew(
    isOld: (time: number) => boolean,
  ): Promise<{ last: SourcesPush | undefined; until?: Date }> {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal?.addEventListener('abort', stop);
    let last: SourcesPush | undefined;
    let until: Date | undefined;
    try {
      for (const phase of phases) {
        const refused = new Set(
          [...done].flatMap(([index, { status }]) => (status === 'conflict' ? rowKey(entries, index) : [])),
        );
        const indexes = phase.filter(
          (index) =>
            open.has(index) &&
            !done.has(index) &&
            isNew(compared, index) &&
            !refused.has(rowKey(entries, index)),
        );
        if (indexes.length === 0) continue;
        const before = countsOf(done);
        const sending = indexes.map((index) => ({
          ...(entries[index] as FileEntry),
          entry: rowOf(compared, index).entry,
        }));
        last = await pushToSources(ledger, sending, source?.id, {
          ...options,
          waits,
          signal: attempt.signal,
          retryTimeoutMs: retryTimeoutMs - Math.max(0, Date.now() - failingSince),
          onProgress: ({ sent, created, deduplicated, pause }) => {
            const isFailing = pause?.reason === 'unavailable';
            failingSince = isFailing ? Math.min(failingSince, Date.now()) : Number.POSITIVE_INFINITY;
            onProgress({
              sent: before.sent + sent,
              total: open.size,
              created: before.created + created,
              deduplicated: before.deduplicated + deduplicated,
              pause,
            });
            if (!pause || !isOld(pause.until.getTime() - (isFailing ? REPETITION_MS : 0))) return;
            until = pause.until;
            stop();
          },
        });
        for (const [at, outcome] of outcomesForFile(sending, last.outcomes).entries()) {
          if (!outcome) continue;
          done.set(indexes[at] as number, outcome);
          references.set(indexes[at] as number, sending[at]?.entry.externalRef);
        }
        for (const at of last.unknown) unknown.add(indexes[at] as number);
        if (last.error) last = { ...last, error: withIndexes(last.error, indexes) };
        // A stop is no failure.
        if (last.error?.code === 'unknown_outcome' && attempt.signal.aborted)
          last = { ...last, error: undefined, stoppedBy: 'interrupted' };
        if (last.error || last.stoppedBy) break;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    return { last, ...(until && !last?.error && { until }) };
  }

  let failure: PushError | undefined;
  /** @returns whether the books were read. If not, the outcomes so far stay. */
  const compareNow = async (options?: ReadOptions): Promise<boolean> => {
    try {
      compared = compareAgain(shown, await readBooks(options));
      for (const index of unknown) {
        const { matchStatus, stored } = rowOf(compared, index);
        if (matchStatus === 'known' && stored) done.set(index, { status: 'known', id: stored.id });
      }
      unknown.clear();
      // The abort may have come with the last page of the books.
      return !signal?.aborted;
    } catch (error) {
      if (signal?.aborted) return false;
      const isFirst = done.size + unknown.size === 0;
      if (isFirst || !(error instanceof LedgerError)) throw error;
      const none = { outcomes: [], created: 0, deduplicated: 0, remaining: 0, unknown: unknown.size };
      failure = new PushError(unknown.size > 0 ? unknownOutcome(error) : error, [], {
        ...none,
        stoppedBy: undefined,
        fitsNow: undefined,
        retryAt: undefined,
      });
      return false;
    }
  };

  const conflicts = () => [...done].flatMap(([index, { status }]) => (status === 'conflict' ? index : []));
  let last: SourcesPush | undefined;
  for (let taken = 0; taken < TAKEN_MAX && !signal?.aborted; ) {
    const startedAt = Date.now();
    if (!(await compareNow())) break;
    const comparedAt = Date.now();
    const age = Math.max(FRESH_MS, 2 * (comparedAt - startedAt));
    const found = await sendNew((time) => time - comparedAt > age);
    last = found.last;
    if (found.until) {
      await sleep(found.until.getTime() - Date.now(), signal).catch(() => {});
      continue;
    }
    if (last?.error || last?.stoppedBy || conflicts().length === 0) break;
    if (!(await compareNow())) break;
    // Another source has taken the reference: this entry is new, under another reference. Without another one, the reference is taken.
    const isNamedAnew = (index: number) => rowOf(compared, index).entry.externalRef !== references.get(index);
    const open = conflicts().filter((index) => isNew(compared, index));
    const again = open.filter(isNamedAnew);
    for (const index of open.filter((each) => !isNamedAnew(each))) {
      done.set(index, { status: 'taken', id: done.get(index)?.id ?? '', holder: undefined });
    }
    if (again.length === 0) break;
    for (const index of again) done.delete(index);
    taken++;
  }

  let error = failure ?? last?.error;
  if (last?.error && unknown.size > 0 && (await compareNow({ retryTimeoutMs: LOOKUP_TIMEOUT_MS })))
    error = settled(last.error);
  const taken = [...done].flatMap(([index, outcome]) =>
    outcome.status === 'taken' ? [[index, outcome] as const] : [],
  );
  if (taken.length > 0 && !signal?.aborted) {
    // The entries are in no books near the rows.
    const whole = await readBooks({ isWhole: true }).catch(() => undefined);
    for (const [index, outcome] of taken)
      done.set(index, { ...outcome, holder: whole?.byId.get(outcome.id) });
  }
  const left = [...open].filter((index) => !done.has(index));
  const { sent, ...counts } = countsOf(done);
  return {
    stoppedBy: signal?.aborted ? 'interrupted' : last?.stoppedBy,
    fitsNow: last?.fitsNow,
    retryAt: last?.retryAt,
    ...counts,
    unknown: [...unknown],
    error,
    compared,
    remaining: left.filter((index) => isNew(compared, index)).length,
    outcomes: [...entries.keys()].map(
      (index) =>
        done.get(index) ?? (isNew(compared, index) ? undefined : outcomeInBooks(rowOf(compared, index))),
    ),
    changed: left
      .filter((index) => !isNew(compared, index) && !SETTLED.includes(rowOf(compared, index).matchStatus))
      .map((index) => entries[index] as FileEntry),
  };
}

/** Rows that have become known or refused since they were shown: nobody has to decide about them. */
const SETTLED: readonly MatchStatus[] = ['known', 'taken'];

const rowOf = ({ comparison }: Compared, index: number) => comparison.rows[index] as ComparedRow;

function countsOf(done: ReadonlyMap<number, Outcome | TakenOutcome>) {
  const of = (status: string) => [...done.values()].filter((each) => each.status === status).length;
  const created = of('created');
  return { sent: done.size, created, deduplicated: done.size - created - of('taken') };
}

/** The failure of a request whose outcome the books have shown since. */
function settled(error: PushError): PushError {
  const last = lastFailureOf(error);
  return last instanceof LedgerError
    ? new PushError(last, error.issues, { ...error.result, unknown: 0 })
    : error;
}

/** The row of an entry. Two rows may have one reference. */
function rowKey(entries: readonly FileEntry[], index: number): string {
  const { row, file } = entries[index] as FileEntry;
  return `${row} ${file}`;
}

/** All rows and first parts, then all second parts, and so on: a part is not sent if one before it is in conflict. */
function phasesOf(entries: readonly FileEntry[]): number[][] {
  const positions = new Map<string, number>();
  const phases = groupBy(entries.keys(), (index) => {
    const key = rowKey(entries, index);
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    return (entries[index] as FileEntry).part === undefined ? 0 : position;
  });
  return [...phases].sort(([one], [other]) => one - other).map(([, indexes]) => indexes);
}
