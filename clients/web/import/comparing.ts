/** What follows from the facts of an import: the comparison with the books, the period that it needs, and the balances. */
import { type Compared, compare } from '../../typescript/books/compared.ts';
import type { Decisions } from '../../typescript/books/decisions.ts';
import type { ReadFile } from '../../typescript/books/joined-files.ts';
import { DAYS_APART_MAX, periodAround } from '../../typescript/books/probably.ts';
import { type Books, type Period, periodOf, widened } from '../../typescript/books/stored-books.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { Source } from '../../typescript/index.ts';
import {
  type BalanceProof,
  balanceProofs,
  type Closings,
  withClosings,
} from '../../typescript/proof/balances.ts';
import { isSame } from '../page/same.ts';
import { type Facts, type ImportedFile, type ImportFile, type ImportState, isOther } from './state.ts';

export const filesOf = (statement: ImportResult, name = '') => [{ name, statement }];

/** Whether the books may have something of the file. */
export const needsBooks = ({ entries, undecided, leftOut }: ImportResult): boolean =>
  entries.length + undecided.length + leftOut.length > 0;

/** The days of the rows as the file has them and as they are corrected, and some days around them. */
export function periodFor(files: readonly ReadFile[]): Period {
  const around = periodAround(files);
  const entries = files.flatMap(({ statement }) => statement.entries);
  if (entries.length === 0) return around;
  const all = [widened(periodOf(entries), DAYS_APART_MAX), around];
  if (all.some(({ from }) => from === undefined)) return {};
  const days = all.flatMap(({ from = '', to = '' }) => [from, to]).sort();
  return { from: days[0], to: days.at(-1) };
}

/** Works out what follows from the facts. It remembers the last results, so that they can be worked out before they are shown. */
export function following() {
  const comparisonOf = remembered(compareFile);
  const balancesOf = remembered(balancesAfter);
  const compared = ({ file, read, books: { stored }, source, decisions }: Facts) =>
    read && stored && comparisonOf(file?.name ?? '', read.result, stored, source, decisions);
  const balances = ({ file, read, imported }: Facts) =>
    read && file ? balancesOf(read.result, file, imported) : [];
  const state = (facts: Facts): ImportState => {
    const { read, books, pending, source } = facts;
    const comparison = compared(facts);
    const isShown = books.status !== 'reading' && read?.source === source;
    return {
      ...facts,
      isBusy: pending !== undefined,
      result: comparison?.files[0]?.statement ?? read?.result,
      compared: isShown ? comparison : undefined,
      balances: balances(facts),
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

const compareFile = (
  name: string,
  statement: ImportResult,
  stored: Books,
  source: Source | undefined,
  decisions: Decisions,
): Compared => compare(filesOf(statement, name), stored, { source, decisions });

/** The balances of a file. It goes on where the imported files of its accounts end. */
function balancesAfter(
  statement: ImportResult,
  file: ImportFile,
  imported: readonly ImportedFile[],
): readonly BalanceProof[] {
  const closings = imported
    .filter(isOther(file))
    .reduce<Closings>((before, { balances }) => withClosings(before, balances), new Map());
  return balanceProofs([{ name: '', statement }], closings)[0] ?? [];
}

/** A period without an end has no bound there. */
export const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
