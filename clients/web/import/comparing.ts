/** What follows from the facts of an import: the comparison with the books, and the balances. */

import { type BalanceCheck, balanceChecks } from '../../typescript/balances/balances.ts';
import type { Period } from '../../typescript/days.ts';
import { type Closings, withClosings } from '../../typescript/import/chain/closings.ts';
import type { Source } from '../../typescript/index.ts';
import { type ComparedFiles, compare, mergeFiles } from '../../typescript/match/compared.ts';
import type { Decisions } from '../../typescript/match/decision.ts';
import type { FileResult } from '../../typescript/match/row.ts';
import type { Books } from '../../typescript/match/stored-books.ts';
import { isSame } from '../page/same.ts';
import { asRead, othersThan } from './imported-files.ts';
import type { Facts, FileState, ImportedFile, ImportState, LastRead, OpenFile } from './state.ts';

/** The files as read, if all are. */
export const readFilesOf = (files: readonly OpenFile[]): readonly LastRead[] => {
  const read = files.flatMap((file) => file.read ?? []);
  return read.length === files.length ? read : [];
};

/** Whether the books may have something of the files. */
export const needsBooks = (files: readonly FileResult[]): boolean =>
  files.some(
    ({ result: { entries, undecided, leftOut } }) => entries.length + undecided.length + leftOut.length > 0,
  );

/** Derives the comparison from the facts. Remembers the last results, so that they are computed once. */
export function following() {
  const joinedOf = remembered((...read: LastRead[]) => mergeFiles(read));
  const comparisonOf = remembered(
    (
      stored: Books,
      source: Source | undefined,
      decisions: Decisions,
      kept: Closings,
      imported: readonly ImportedFile[],
      ...read: LastRead[]
    ) => compare(read, stored, { source, decisions, closings: closingsOf(kept, imported, read) }),
  );
  const balancesOf = remembered(balancesAfter);
  const stateOfFiles = remembered(withResults);
  const compared = ({ files, books: { stored }, source, decisions, closings, imported }: Facts) => {
    const read = readFilesOf(files);
    return stored && read.length > 0
      ? comparisonOf(stored, source, decisions, closings, imported, ...read)
      : undefined;
  };
  const balances = ({ files, closings, imported }: Facts) =>
    balancesOf(closings, imported, ...readFilesOf(files));
  const state = (facts: Facts): ImportState => {
    const { books, pending, source } = facts;
    const read = readFilesOf(facts.files);
    const comparison = compared(facts);
    const isShown = books.status !== 'reading' && read.every((each) => each.source === source);
    return {
      ...facts,
      files: stateOfFiles(facts.files, comparison, balances(facts)),
      isBusy: pending !== undefined,
      joined: comparison ?? joinedOf(...read),
      compared: isShown ? comparison : undefined,
    };
  };
  return { state, compared, balances };
}

function remembered<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { args: Args; result: Result } | undefined;
  return (...args) => {
    if (!last || !isSame(args, last.args)) last = { args, result: work(...args) };
    return last.result;
  };
}

const withResults = (
  files: readonly OpenFile[],
  comparison: ComparedFiles | undefined,
  balances: readonly (readonly BalanceCheck[])[],
): FileState[] =>
  files.map((file, index) => ({
    ...file,
    result: comparison?.files[index]?.result ?? file.read?.result,
    balances: balances[index] ?? [],
  }));

/** The balances of the files. They go on where the imported files of their accounts end. */
function balancesAfter(
  kept: Closings,
  imported: readonly ImportedFile[],
  ...files: readonly LastRead[]
): readonly (readonly BalanceCheck[])[] {
  return balanceChecks(files, closingsOf(kept, imported, files));
}

const closingsOf = (
  kept: Closings,
  imported: readonly ImportedFile[],
  files: readonly LastRead[],
): Closings =>
  othersThan(
    files.map((read) => asRead({ file: read.file, read })),
    imported,
  ).reduce((before, { balances }) => withClosings(before, balances), kept);

/** A period without an end has no bound there. */
export const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
