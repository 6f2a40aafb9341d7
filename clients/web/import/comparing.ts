/** The comparison of a file with the books, and the period that it needs. */
import { type Comparison, compareWithBooks } from '../../typescript/books/comparison.ts';
import { DAYS_APART_MAX, periodAround, withProbable } from '../../typescript/books/probably.ts';
import { type Books, type Period, periodOf, widened } from '../../typescript/books/stored-books.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { Source } from '../../typescript/index.ts';

const filesOf = (statement: ImportResult) => [{ name: '', statement }];

/** The days of the rows as the file has them and as they are corrected, and some days around them. */
export function periodFor(result: ImportResult): Period {
  const all = [widened(periodOf(result.entries), DAYS_APART_MAX), periodAround(filesOf(result))];
  if (all.some(({ from }) => from === undefined)) return {};
  const days = all.flatMap(({ from = '', to = '' }) => [from, to]).sort();
  return { from: days[0], to: days.at(-1) };
}

/** @param ownPayments rows that are no entries that the books probably have */
export function comparisonOf(
  result: ImportResult,
  books: Books,
  source: Source | undefined,
  ownPayments: ReadonlySet<number>,
): Comparison {
  const { entries } = result;
  const compared = compareWithBooks(entries, books, source);
  const marked = withProbable(entries, compared, books, source, filesOf(result));
  const rows = marked.rows.map(({ probably, ...row }, index) =>
    probably && !ownPayments.has(entries[index]?.row ?? 0) ? { ...row, probably } : row,
  );
  return { ...marked, rows };
}

/** A period without an end has no bound there. */
export const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
