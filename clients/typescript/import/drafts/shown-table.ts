/** A table for display: its first cells, and the use of its columns. */
import { type Columns, type Layout, readColumns } from '../columns/layout.ts';
import { cleanText, type TableRow } from '../files/cells.ts';
import type { Field } from '../options.ts';

const SAMPLE_ROWS = 20;
const SAMPLE_CELLS = 40;
const SAMPLE_CELL_LENGTH = 100;

/** The first cells of the first rows, for display. */
export function firstRows(rows: readonly TableRow[]): string[][] {
  return rows.slice(0, SAMPLE_ROWS).map(({ cells }) => sampleOf(cells));
}

export function sampleOf(cells: readonly string[]): string[] {
  return cells
    .slice(0, SAMPLE_CELLS)
    .map((text) => cleanText(text).slice(0, SAMPLE_CELL_LENGTH).toWellFormed());
}

/** @param directions the columns whose words say the direction */
export function fieldColumns(
  { description = [], amountPence, ...columns }: Partial<Columns>,
  directions: Iterable<number> = [],
): Partial<Record<Field, number>> {
  const [direction] = directions;
  const {
    date,
    amount = amountPence,
    moneyIn,
    moneyOut,
    category,
    type = direction,
    reference,
    source,
    balance,
    check,
  } = columns;
  const found = {
    ...{ date, amount, moneyIn, moneyOut, description: description[0] },
    ...{ category, type, reference, source, balance, check },
  };
  return Object.fromEntries(Object.entries(found).filter(([, index]) => index !== undefined));
}

/** Columns without a name and without values do not count. @param directions the columns whose words say the direction */
export function unreadColumns(
  rows: readonly TableRow[],
  { header, columns, values }: Layout,
  directions: ReadonlySet<number>,
): number[] {
  const read = new Set([...readColumns(columns), ...values.keys(), ...directions]);
  const width = header.length || rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return Array.from({ length: width }, (_, index) => index).filter(
    (index) =>
      !read.has(index) &&
      ((header[index] ?? '') !== '' || rows.some(({ cells }) => (cells[index] ?? '') !== '')),
  );
}
