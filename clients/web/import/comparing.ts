/** The comparison of a file with the books, and the period that it needs. */
import { type Comparison, compareWithBooks } from '../../typescript/books/comparison.ts';
import { DAYS_APART_MAX, periodAround, withProbable } from '../../typescript/books/probably.ts';
import { type Books, type Period, periodOf, widened } from '../../typescript/books/stored-books.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { Source } from '../../typescript/index.ts';
import type { ImportState } from './state.ts';

const filesOf = (statement: ImportResult) => [{ name: '', statement }];

/** The days of the rows as the file has them and as they are corrected, and some days around them. */
export function periodFor(result: ImportResult): Period {
  const all = [widened(periodOf(result.entries), DAYS_APART_MAX), periodAround(filesOf(result))];
  if (all.some(({ from }) => from === undefined)) return {};
  const days = all.flatMap(({ from = '', to = '' }) => [from, to]).sort();
  return { from: days[0], to: days.at(-1) };
}

type Compared = Pick<ImportState, 'result' | 'books' | 'source' | 'ownPayments'>;

/** Compares the file with the books, if both are read. Keeps the last comparison, so that it can be made in a task of its own. */
export function comparer(): (state: Compared) => Comparison | undefined {
  let last: readonly unknown[] = [];
  let comparison: Comparison | undefined;
  return ({ result, books: { stored }, source, ownPayments }) => {
    const now = [result, stored, source, ownPayments];
    if (now.some((each, index) => each !== last[index]))
      comparison = result && stored && comparisonOf(result, stored, source, ownPayments);
    last = now;
    return comparison;
  };
}

/** @param ownPayments rows that are no entries that the books probably have */
function comparisonOf(
  result: ImportResult,
  books: Books,
  source: Source | undefined,
  ownPayments: ReadonlySet<number>,
): Comparison {
  const { entries } = result;
  const compared = compareWithBooks(entries, books, source);
  const marked = withProbable(entries, compared, books, source, filesOf(result));
  const rows = marked.rows.map((row, index) => {
    if (!row.probably || !ownPayments.has(entries[index]?.row ?? 0)) return row;
    const { probably: _, ...own } = row;
    return own;
  });
  return { ...marked, rows };
}

/** A period without an end has no bound there. */
export const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
