/** Creates the entries of several sources, source by source. */
import { LedgerError, lastFailureOf, unknownOutcome } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { ImportEntry } from '../import/result.ts';
import type { Ledger } from '../ledger.ts';
import { progressAfter, pushCounts } from '../push-counts.ts';
import { NOTHING_SENT, PushError, type PushOptions, type PushResult } from '../push-entries.ts';
import type { Outcome } from '../write.ts';

export interface SourcesPushResult extends Omit<PushResult, 'outcomes' | 'unknown'> {
  /** In the order of the entries; undefined for an entry that was not sent, or whose outcome is unknown. */
  outcomes: (Outcome | undefined)[];
  /** The indexes of entries that may be stored. */
  unknownIndexes: number[];
  /** Why it failed, with issues that point at the entries. */
  error: PushError | undefined;
}

/** As of `Ledger.push`, without a key: that is for the entries of one request. */
export type SourcesPushOptions = Omit<PushOptions, 'idempotencyKey'>;

/**
 * As `Ledger.push`, for entries of several sources. It may stop between two parts of a row; the next push then sends the rest.
 * @param sourceId of entries without a source of their own
 */
export async function pushToSources(
  ledger: Pick<Ledger, 'push'>,
  entries: readonly Pick<ImportEntry, 'entry' | 'source'>[],
  sourceId: string | undefined,
  { onProgress = () => {}, ...options }: SourcesPushOptions = {},
): Promise<SourcesPushResult> {
  const outcomes: SourcesPushResult['outcomes'] = Array(entries.length).fill(undefined);
  const resultOf = (
    { stoppedBy, fitsNow, retryAt }: PushResult = NOTHING_SENT,
    error?: PushError,
    unknownIndexes: number[] = [],
  ): SourcesPushResult => {
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

/** The error whose issues and index count all entries. @param indexes the indexes of the entries that were sent */
export function withIndexes(error: PushError, indexes: readonly number[]): PushError {
  const indexOf = (index: number | undefined) => (index === undefined ? undefined : indexes[index]);
  const issues = error.issues.map((issue) => {
    const index = indexOf(issue.index);
    return index === undefined ? issue : { ...issue, index, path: issue.path.replace(/^\/\d+/, `/${index}`) };
  });
  return new PushError(error, { issues, index: indexOf(error.index) }, error.result);
}

/** The error of books that could not be read after some entries were sent. @param unknown how many entries may be stored */
export function booksError(error: LedgerError, unknown: number): PushError {
  return new PushError(
    unknown > 0 ? unknownOutcome(error) : error,
    { issues: [], index: undefined },
    { ...NOTHING_SENT, unknown },
  );
}

/** The error of a request whose outcome the books have shown since: its last failure, without the doubt. */
export function withKnownOutcome(error: PushError): PushError {
  const last = lastFailureOf(error);
  return last instanceof LedgerError ? new PushError(last, error, { ...error.result, unknown: 0 }) : error;
}
