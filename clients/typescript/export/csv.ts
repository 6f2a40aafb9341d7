/** CSV that the ledger writes, for spreadsheets and for its readers, and the tables of its own that it reads again. */
import { csvRecordsOf, withLineFeeds } from '../import/files/csv-records.ts';

/** Line ends, spaces at an end, and each delimiter: a spreadsheet of another country splits cells at another one. */
const NEEDS_QUOTES = /[",;\t|\r\n]|^\s|\s$/;

/** Formats rows; each ends with CRLF. The texts are raw: see `withoutFormula`. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');

const cellOf = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A spreadsheet saves the table with one of these delimiters. */
const OWN_DELIMITERS = [',', ';', '\t'];

type OwnTable<Column extends string> =
  /** The raw texts of each record, and the line on which it begins. */
  | { records: { line: number; texts: Record<Column, string> }[] }
  /** It is another table. */
  | { missing: Column }
  /** The record is cut, or has a stray quote, or more or fewer cells than the header. */
  | { damagedLine: number };

/** Reads a table that the ledger has written, by the names of its columns. */
export function ownTable<Column extends string>(
  csv: string,
  columns: readonly Column[],
  optional: readonly Column[] = [],
): OwnTable<Column> {
  const text = withLineFeeds(csv.replace(/^\ufeff/, ''), true);
  const headers = OWN_DELIMITERS.map((delimiter) => csvRecordsOf(text, delimiter).next().value?.cells ?? []);
  const missing = headers.map((header) => columns.find((column) => !header.includes(column)));
  const found = missing.indexOf(undefined);
  if (found === -1) return { missing: missing[0] as Column };
  const header = headers[found] as string[];
  const read: Extract<OwnTable<Column>, { records: unknown }> = { records: [] };
  const [, ...records] = csvRecordsOf(text, OWN_DELIMITERS[found] as string);
  for (const { line, cells, hasStrayQuote, isUnterminated } of records) {
    if (cells.length === 1 && cells[0] === '') continue;
    if (hasStrayQuote || isUnterminated || cells.length !== header.length) return { damagedLine: line };
    const texts = [...columns, ...optional].map((column) => [column, cells[header.indexOf(column)] ?? '']);
    read.records.push({ line, texts: Object.fromEntries(texts) });
  }
  return read;
}
