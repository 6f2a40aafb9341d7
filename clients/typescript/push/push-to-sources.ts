/** Creates the entries of several sources, source by source. */
import { LedgerError, lastFailureOf, unknownOutcome } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { ImportEntry } from '../import/result.ts';
import type { Ledger } from '../ledger.ts';
import { progressAfter, pushCounts } from '../push-counts.ts';
import { NOTHING_SENT, PushError, type PushOptions, type PushResult } from '../push-entries.ts';
import type { Outcome } from '../write.ts';

export interface SourcesPush extends Omit<PushResult, 'outcomes' | 'unknown'> {
  /** In the order of the entries; undefined for an entry that was not sent, or whose outcome is unknown. */
  outcomes: (Outcome | undefined)[];
  /** The indexes of entries that may be stored. */
  unknownIndexes: number[];
  /** Why it failed, with issues that point at the entries. */
  error: PushError | undefined;
}

/**
 * As `Ledger.push`, for entries of several sources. It may stop between two parts of a row; the next push then sends the rest.
 * @param sourceId of entries without a source of their own
 */
export async function pushToSources(
  ledger: Pick<Ledger, 'push'>,
  entries: readonly Pick<ImportEntry, 'entry' | 'source'>[],
  sourceId: string | undefined,
  { onProgress = () => {}, ...options }: PushOptions = {},
): Promise<SourcesPush> {
  const outcomes: SourcesPush['outcomes'] = Array(entries.length).fill(undefined);
  const resultOf = (
    { stoppedBy, fitsNow, retryAt }: PushResult = NOTHING_SENT,
    error?: PushError,
    unknownIndexes: number[] = [],
  ): SourcesPush => {
    const { settled, ...counts } = pushCounts(outcomes);
    return {
      outcomes,
      ...counts,
      remaining: entries.length - settled,
      unknownIndexes,
      stoppedBy,
      fitsNow,
      retryAt,
      error,
    };
  };

  const groups = groupBy(entries.keys(), (index) => entries[index]?.source?.id ?? sourceId ?? '');
  for (const [source, indexes] of groups) {
    const before = pushCounts(outcomes);
    const keep = (result: PushResult) =>
      result.outcomes.forEach((outcome, index) => {
        outcomes[indexes[index] as number] = outcome;
      });
    const group = indexes.flatMap((index) => entries[index]?.entry ?? []);
    try {
      const result = await ledger.push(source, group, {
        ...options,
        onProgress: (progress) => onProgress(progressAfter(before, progress, entries.length)),
      });
      keep(result);
      if (result.stoppedBy !== undefined) return resultOf(result);
    } catch (error) {
      if (!(error instanceof PushError)) throw error;
      keep(error.result);
      const { outcomes: known, unknown } = error.result;
      const unknownIndexes = indexes.slice(known.length, known.length + unknown);
      return resultOf(NOTHING_SENT, withIndexes(error, indexes), unknownIndexes);
    }
  }
  return resultOf();
}

/** The error with issues that point at all entries. @param indexes the indexes of the entries that were sent */
export function withIndexes(error: PushError, indexes: readonly number[]): PushError {
  const issues = error.issues.map((issue) => moved(issue, indexes));
  return new PushError(error, issues, error.result);
}

function moved(issue: PushError['issues'][number], indexes: readonly number[]): typeof issue {
  const index = issue.index === undefined ? undefined : indexes[issue.index];
  return index === undefined ? issue : { ...issue, index, path: issue.path.replace(/^\/\d+/, `/${index}`) };
}

/** The error of books that could not be read after a part was sent. @param unknown how many entries may be stored */
export function booksError(error: LedgerError, unknown: number): PushError {
  return new PushError(unknown > 0 ? unknownOutcome(error) : error, [], { ...NOTHING_SENT, unknown });
}

/** The error of a request whose outcome the books have shown since: its last failure, without the doubt. */
export function withKnownOutcome(error: PushError): PushError {
  const last = lastFailureOf(error);
  return last instanceof LedgerError
    ? new PushError(last, error.issues, { ...error.result, unknown: 0 })
    : error;
}
