/** A table for display: its first cells, and the use of its columns. */

import { certainLayout } from '../columns/header-row.ts';
import { type Columns, type PartialLayout, readColumns } from '../columns/layout.ts';
import { withoutMoney } from '../columns/usual-columns.ts';
import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { PREAMBLE_ROWS } from '../files/csv.ts';
import type { DecimalMark, ImportOptions } from '../options.ts';
import { FIELDS, type Field } from '../questions-and-answers.ts';
import type { Recognised } from '../result.ts';
import { readMoney } from '../values/amounts.ts';

const SAMPLE_ROWS = 20;
const SAMPLE_CELLS = 40;
const SAMPLE_CELL_LENGTH = 100;

/** The first cells of the first rows, for display. */
export function firstRows(rows: readonly TableRow[]): string[][] {
  return rows.slice(0, SAMPLE_ROWS).map(({ cells }) => sampleOf(cells));
}

export type TableSample = Pick<
  Recognised,
  'header' | 'headerRow' | 'columns' | 'amounts' | 'ignored' | 'sampleRows' | 'sums'
>;

/** The header, and the first cells of the first rows below it. @param directions the columns whose words say the direction */
export function sampleOfTable(
  rows: readonly TableRow[],
  layout: Pick<PartialLayout, 'header' | 'columns' | 'firstRow' | 'values'>,
  decimal: DecimalMark,
  directions: ReadonlySet<number> = new Set(),
): TableSample {
  const { header, columns, firstRow } = layout;
  const data = rows.slice(firstRow);
  const width = Math.max(header.length, ...data.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.length));
  return {
    header: sampleOf(header),
    headerRow: header.length > 0 ? (rows[firstRow - 1]?.row ?? null) : null,
    columns: fieldColumns(columns, directions),
    amounts: (columns.amounts ?? []).map(({ columns, direction }) => ({ columns, direction })),
    ignored: ignoredColumns(data, layout, directions),
    sampleRows: firstRows(data),
    sums: Array.from({ length: Math.min(width, SAMPLE_CELLS) }, (_, index) =>
      withoutMoney(headerKey(header[index] ?? '')) === undefined ? columnSum(data, index, decimal) : null,
    ),
  };
}

/** The certain layout, or else the first of the widest rows as its header, if the texts may be names. */
export function layoutToShow(
  rows: readonly TableRow[],
  options: ImportOptions,
): ReturnType<typeof certainLayout> {
  const certain = certainLayout(rows, options);
  if (certain.header.length > 0) return certain;
  const first = rows.slice(0, PREAMBLE_ROWS);
  const widths = first.map(({ cells }) => cells.findLastIndex((text) => text !== '') + 1);
  const at = widths.indexOf(Math.max(2, ...widths));
  const header = rows[at]?.cells ?? [];
  const isHeader = header.length > 0 && !header.some((text) => /^[-+(£$€]*\d/.test(text));
  return isHeader ? { header, columns: {}, firstRow: at + 1 } : certain;
}

/** Null if a text of the column is no amount. */
function columnSum(rows: readonly TableRow[], index: number, decimal: DecimalMark): number | null {
  let sum: number | null = null;
  for (const { cells, isHidden } of rows) {
    const text = cells[index] ?? '';
    if (isHidden || !/\d/.test(text)) continue;
    const read = readMoney(text, decimal);
    if ('problem' in read) return null;
    sum = (sum ?? 0) + Math.abs(read.pence);
  }
  return sum;
}

function sampleOf(cells: readonly string[]): string[] {
  return cells
    .slice(0, SAMPLE_CELLS)
    .map((text) => cleanText(text).slice(0, SAMPLE_CELL_LENGTH).toWellFormed());
}

/** @param directions the columns whose words say the direction */
function fieldColumns(
  columns: Partial<Columns>,
  [direction]: Iterable<number> = [],
): Partial<Record<Field, number>> {
  const { amount = columns.amountPence, type = direction, description: [description] = [] } = columns;
  const found: Partial<Record<Field, unknown>> = { ...columns, amount, type, description };
  return Object.fromEntries(
    FIELDS.flatMap((field) => (found[field] === undefined ? [] : [[field, found[field]]])),
  );
}

/** Columns without a name and without values do not count. @param directions the columns whose words say the direction */
function ignoredColumns(
  rows: readonly TableRow[],
  { header, columns, values = new Map() }: Pick<PartialLayout, 'header' | 'columns' | 'values'>,
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
