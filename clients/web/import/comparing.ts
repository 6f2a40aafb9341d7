/** The comparison of a file with the books, and the period that it needs. */
import { type Compared, compare } from '../../typescript/books/compared.ts';
import { DAYS_APART_MAX, periodAround } from '../../typescript/books/probably.ts';
import { type Period, periodOf, widened } from '../../typescript/books/stored-books.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { ImportState } from './state.ts';

const filesOf = (statement: ImportResult, name = '') => [{ name, statement }];

/** Whether the books may have something of the file. */
export const needsBooks = ({ entries, undecided, leftOut }: ImportResult): boolean =>
  entries.length + undecided.length + leftOut.length > 0;

/** The days of the rows as the file has them and as they are corrected, and some days around them. */
export function periodFor(result: ImportResult): Period {
  const around = periodAround(filesOf(result));
  if (result.entries.length === 0) return around;
  const all = [widened(periodOf(result.entries), DAYS_APART_MAX), around];
  if (all.some(({ from }) => from === undefined)) return {};
  const days = all.flatMap(({ from = '', to = '' }) => [from, to]).sort();
  return { from: days[0], to: days.at(-1) };
}

type Read = Pick<ImportState, 'file' | 'read' | 'books' | 'source' | 'decisions'>;

/** Compares the file with the books, if both are read. Keeps the last comparison, so that it can be made in a task of its own. */
export function comparer(): (state: Read) => Compared | undefined {
  let last: readonly unknown[] = [];
  let compared: Compared | undefined;
  return ({ file, read, books: { stored }, source, decisions }) => {
    const now = [read, stored, source, decisions];
    if (now.some((each, index) => each !== last[index]))
      compared = read && stored && compare(filesOf(read, file?.name), stored, { source, decisions });
    last = now;
    return compared;
  };
}

/** A period without an end has no bound there. */
export const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
