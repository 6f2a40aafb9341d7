/**
 * Reads CSV and TSV into rows: quoted cells over several lines, and the first line of each record. The delimiter is a comma, a semicolon, a tab
 * or `|`, or the character in a first line `sep=`.
 */

import { ImportError } from '../import-error.ts';
import { isDayNumber, readDate } from '../values/dates.ts';
import { COLUMNS_MAX, requireCells, requireColumns, requireRows } from './bounds.ts';
import { type TableRow, tableRow } from './cells.ts';
import { csvRecordsOf, withLineFeeds } from './csv-records.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** The number of records to examine for the delimiter and the header. */
export const PREAMBLE_ROWS = 40;

/**
 * The rows that are not empty. Chooses the delimiter with which `hasHeader` finds a header in the first rows, else the delimiter that gives
 * the most rows of equal length.
 * @throws ImportError `unreadable_file` for a quoted cell without an end
 */
export function readCsv(text: string, hasHeader: (rows: TableRow[]) => boolean): TableRow[] {
  const lines = withLineFeeds(text, isLedgerExport(text));
  const isUnended = text !== '' && !/[\r\n]$/.test(text);
  const ended = (rows: TableRow[]) => {
    const last = rows.at(-1);
    if (last && isUnended) last.isUnended = true;
    return rows;
  };
  const declared = /^\ufeff?"?sep=([^"])"?\n/i.exec(lines);
  if (declared) return ended(parseCsv(lines, declared[1] as string).slice(1));
  const previews = DELIMITERS.map((delimiter) => ({
    delimiter,
    rows: parseCsv(lines, delimiter, PREAMBLE_ROWS),
  }));
  const recognised = previews.find(({ rows }) => hasHeader(rows));
  const delimiter = recognised?.delimiter ?? mostRegular(previews);
  return ended(parseCsv(lines, delimiter));
}

/** An export of the ledger follows RFC 4180, so its texts keep their line ends. Other files may have stray quotes. */
function isLedgerExport(text: string): boolean {
  return /^[^\r\n]*\b(amountPence|externalRef)\b/i.test(text);
}

/** With `preview`, only the first records, with any errors. */
function parseCsv(text: string, delimiter: string, preview?: number): TableRow[] {
  const rows: TableRow[] = [];
  let cellCount = 0;
  let recordCount = 0;
  for (const { line, cells: raw, hasStrayQuote, isUnterminated } of csvRecordsOf(text, delimiter)) {
    if (isUnterminated && preview === undefined) {
      throw new ImportError(
        'unreadable_file',
        `A quoted cell begins in the record on line ${line} and never ends.`,
      );
    }
    const row = tableRow(line, raw, hasStrayQuote ? STRAY_QUOTE : rowsInQuotes(raw, delimiter));
    if (row) {
      rows.push(row);
      if (preview === undefined) {
        requireRows(rows.length);
        requireColumns(raw.length, `The record on line ${line}`);
        cellCount += raw.length;
        requireCells(cellCount);
      }
    }
    recordCount++;
    if (recordCount === preview) break;
  }
  return rows;
}

const STRAY_QUOTE = 'A quote inside a quoted cell must be doubled.';

/** The start of a row in a quoted text, also with a date that no calendar has. `readDate` knows other notations. */
const DATE_AT_START = /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2} [a-z]{3,9} \d{2,4})\b/i;
const AMOUNT_CELL = /^[-+(£]*\d[\d,]*(?:\.\d+)?\)?$/;

/** An unclosed quote swallows the rows up to the next quote. */
function rowsInQuotes(cells: readonly string[], delimiter: string): string | undefined {
  const isDate = (part: string) =>
    DATE_AT_START.test(part) || (!isDayNumber(part) && readDate(part, 'dmy') !== undefined);
  const isRow = (line: string) => {
    const parts = line.split(delimiter, COLUMNS_MAX).map((part) => part.replace(/"/g, '').trim());
    const isDated = parts.some(isDate);
    return (
      parts.length > 1 && (isDate(`${parts[0]}`) || (isDated && parts.some((part) => AMOUNT_CELL.test(part))))
    );
  };
  const found = cells.some((cell) => cell.includes('\n') && cell.split('\n').slice(1).some(isRow));
  return found
    ? 'A quoted text has lines that look like rows; double a quote that is part of a text, or remove it.'
    : undefined;
}

/** The delimiter that gives the most cells in rows of equal length. */
function mostRegular(previews: { delimiter: string; rows: TableRow[] }[]): string {
  let best = { delimiter: ',', cells: 0 };
  for (const { delimiter, rows } of previews) {
    const counts = new Map<number, number>();
    for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    const cells = Math.max(0, ...[...counts].map(([width, count]) => (width - 1) * count));
    if (cells > best.cells) best = { delimiter, cells };
  }
  return best.delimiter;
}
