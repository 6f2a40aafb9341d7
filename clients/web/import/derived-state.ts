/** Derives the state of an import: the comparison with the books, the balances, and the results of the files. */

import { type BalanceCheck, balanceChecks } from '../../typescript/balances/balances.ts';
import { type Closings, withClosings } from '../../typescript/import/chain/closings.ts';
import type { Source } from '../../typescript/index.ts';
import { type ComparedFiles, compare, mergeFiles } from '../../typescript/match/compare.ts';
import type { Decisions } from '../../typescript/match/decision.ts';
import type { FileResult } from '../../typescript/match/row.ts';
import type { Books } from '../../typescript/match/stored-books.ts';
import { memo } from '../page/memo.ts';
import { asRead, othersThan } from './pushed-files.ts';
import type { CachedResult, Facts, FileFacts, FileState, ImportState, PushedFile } from './state.ts';

/** The last read of each file, once all files are read; empty before. */
export const readFilesOf = (files: readonly FileFacts[]): readonly CachedResult[] => {
  const read = files.flatMap((file) => file.read ?? []);
  return read.length === files.length ? read : [];
};

/** Whether the books may have something of the files. */
export const needsBooks = (files: readonly FileResult[]): boolean =>
  files.some(
    ({ result: { entries, withoutSource, leftOut } }) =>
      entries.length + withoutSource.length + leftOut.length > 0,
  );

/**
 * Derives the state of an import from its facts, and alone its two slow parts: the comparison with the books and the balances. Each part is
 * memoised: it is computed again when a fact that it depends on has changed.
 */
export function createDeriver() {
  const merge = memo((...read: CachedResult[]) => mergeFiles(read));
  const compareWith = memo(
    (
      stored: Books,
      source: Source | undefined,
      decisions: Decisions,
      kept: Closings,
      pushedFiles: readonly PushedFile[],
      ...read: CachedResult[]
    ) => compare(read, stored, { source, decisions, closings: closingsSoFar(read, kept, pushedFiles) }),
  );
  const checkBalances = memo((kept: Closings, pushedFiles: readonly PushedFile[], ...read: CachedResult[]) =>
    balanceChecks(read, closingsSoFar(read, kept, pushedFiles)),
  );
  const withResults = memo(filesWithResults);

  const comparisonOf = ({ files, books: { stored }, source, decisions, closings, pushedFiles }: Facts) => {
    const read = readFilesOf(files);
    return stored && read.length > 0
      ? compareWith(stored, source, decisions, closings, pushedFiles, ...read)
      : undefined;
  };
  const balancesOf = ({ files, closings, pushedFiles }: Facts) =>
    checkBalances(closings, pushedFiles, ...readFilesOf(files));
  const stateOf = (facts: Facts): ImportState => {
    const { files, books, pending, source } = facts;
    const read = readFilesOf(files);
    const comparison = comparisonOf(facts);
    const isShown = books.status !== 'reading' && read.every((each) => each.source === source);
    return {
      ...facts,
      files: withResults(files, comparison, balancesOf(facts)),
      isBusy: pending !== undefined,
      merged: comparison ?? merge(...read),
      compared: isShown ? comparison : undefined,
    };
  };
  return { stateOf, comparisonOf, balancesOf };
}

/** Adds to each file its balances and its result. The books decide rows of the result that lack a source otherwise. */
const filesWithResults = (
  files: readonly FileFacts[],
  comparison: ComparedFiles | undefined,
  balances: readonly (readonly BalanceCheck[])[],
): FileState[] =>
  files.map((file, index) => ({
    ...file,
    result: comparison?.files[index]?.result ?? file.read?.result,
    balances: balances[index] ?? [],
  }));

/** The closing balances before the files: their statements go on where the pushed files of their accounts end. */
const closingsSoFar = (
  files: readonly CachedResult[],
  kept: Closings,
  pushedFiles: readonly PushedFile[],
): Closings =>
  othersThan(
    files.map((read) => asRead({ file: read.file, read })),
    pushedFiles,
  ).reduce((before, { balances }) => withClosings(before, balances), kept);
