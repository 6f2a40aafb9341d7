/**
 * Parses a table: opens the text or the sheet, finds its columns, and parses its rows, with the answers that the rules keep for its
 * kind. An error has the first rows of the table, for a person who answers.
 */

import { withWholeDates } from './columns/date-parts.ts';
import { isTable } from './columns/find-layout.ts';
import { hasHeader } from './columns/header-row.ts';
import { type TableRow, UNVALUED } from './files/cells.ts';
import { readCsv } from './files/csv.ts';
import { readXlsx } from './files/xlsx.ts';
import { ImportError } from './import-error.ts';
import { headerIndex, kindAndAnswers, kindOfTable } from './kept/kind-of-file.ts';
import { keptHeaders, readWithKept } from './kept/read-with-kept.ts';
import type { Encoding, ImportOptions } from './options.ts';
import type { RefusedTable } from './result.ts';
import type { DescribedFile } from './rows/parsed-row.ts';
import { requirePayments } from './table/no-payment.ts';
import { rowsOfTable } from './table/rows-of-table.ts';
import { firstRows, layoutToShow, sampleOfTable } from './table/table-sample.ts';
import { markOfFormat } from './values/currency.ts';
import { readDate } from './values/dates.ts';

/** @param text of the bytes, for CSV */
export async function parseTable(
  bytes: Uint8Array,
  text: () => string,
  file: { format: 'csv' | 'xlsx'; encoding: Encoding | null },
  options: ImportOptions,
): Promise<DescribedFile> {
  const { rows, ...sheets } = await openTable(bytes, text, file.format, options);
  const titles = [options.fileName ?? '', sheets.sheet ?? ''];
  const tableOf = (options: ImportOptions): RefusedTable => ({
    ...file,
    ...sheets,
    rows: firstRows(rows),
    ...sampleOfTable(rows, layoutToShow(rows, options), options.decimal ?? '.'),
  });
  const readRows = (options: ImportOptions) =>
    withTableInError(tableOf, options, () => requirePayments(rowsOfTable(rows, options, titles), options));
  const { read, ...found } = withTableInError(tableOf, options, () =>
    readWithKept(kindOfTable(rows, file.format, options), options, readRows),
  );
  const { recognised, dateNotation, ...parsedFile } = read;
  return {
    parsedFile,
    notation: { ...dateNotation, decimal: recognised.decimal },
    recognised: {
      ...file,
      ...sheets,
      ...recognised,
      ...kindAndAnswers(found, file.format, { rows, headerRow: recognised.headerRow }),
    },
  };
}

interface OpenedTable {
  rows: readonly TableRow[];
  sheets?: string[];
  /** The name of the sheet that is read. */
  sheet?: string;
  otherTables?: string[];
}

/** The rows of the text; or of the sheet that is named, the first one if it is a table, or the only other table. */
async function openTable(
  bytes: Uint8Array,
  text: () => string,
  format: 'csv' | 'xlsx',
  options: ImportOptions,
): Promise<OpenedTable> {
  const kept = keptHeaders(options, format);
  const isKept = (rows: readonly TableRow[]) => kept.some((header) => headerIndex(rows, header) !== -1);
  if (format === 'csv') {
    const isHeader = (rows: TableRow[]) => isKept(rows) || hasHeader(rows, options);
    return { rows: withWholeDates(readCsv(text(), isHeader)) };
  }
  const isWithPayments = (sheet: TableRow[]) =>
    hasPayment(sheet) && (isKept(sheet) || isTable(sheet, options));
  const decimal = options.decimal ?? '.';
  const opened = await readXlsx(bytes, options.sheet, decimal, isWithPayments, markOfFormat);
  return { ...opened, rows: withWholeDates(opened.rows) };
}

/** Adds the first rows of the table to an error of `read`, for a person who answers. */
function withTableInError<Result>(
  tableOf: (options: ImportOptions) => RefusedTable,
  options: ImportOptions,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) error.table ??= tableOf(options);
    throw error;
  }
}

/** Whether a row has a date beside another number. A sheet of sums has none. */
function hasPayment(rows: readonly TableRow[]): boolean {
  const isDate = (text: string) => (readDate(text, 'dmy') ?? readDate(text, 'mdy')) !== undefined;
  return withWholeDates(rows).some(({ cells }) => {
    const numbers = cells.filter((text) => /\d/.test(text) || text === UNVALUED);
    return numbers.length > 1 && numbers.some(isDate);
  });
}
