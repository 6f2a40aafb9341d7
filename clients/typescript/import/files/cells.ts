/** The rows of a table before their columns have a meaning: what the readers of CSV and XLSX both return. */
import { CELL_LENGTH_MAX, LONG_CELL } from './bounds.ts';

export interface TableRow {
  /** The line of the file on which the record begins, or the row of the sheet. */
  row: number;
  /** Trimmed texts. */
  cells: string[];
  /** The texts as the file has them. */
  raw: string[];
  /** Why the cells cannot be trusted. */
  problem?: string;
  /** The file ends within the row or right behind it, without a line end. */
  isUnended?: true;
  /** In a sheet, by a filter or by hand. */
  isHidden?: true;
  /** The workbook counts days from 1904. */
  is1904?: true;
}

/** The row of these texts; undefined if all of them are empty. A text that is longer than a cell of Excel is cut, and named as a problem. */
export function tableRow(row: number, texts: readonly string[], problem?: string): TableRow | undefined {
  const isLong = texts.some((text) => text.length > CELL_LENGTH_MAX);
  const raw = isLong ? texts.map((text) => text.slice(0, CELL_LENGTH_MAX)) : [...texts];
  const cells = raw.map(cleanCell);
  if (cells.every((cell) => cell === '')) return undefined;
  const found = problem ?? (isLong ? LONG_CELL : undefined);
  return { row, cells, raw, ...(found && { problem: found }) };
}

/** Cells are trimmed of all spaces, of zero characters and of a byte order mark. A zero within a text stays: a byte is lost there. */
export function cleanCell(cell: string): string {
  const text = cell.replaceAll('\ufeff', '');
  const start = text.search(/[^\0\s]/);
  if (start === -1) return '';
  // A pattern for the end would look at each run of spaces once for each of its spaces.
  let end = text.length;
  while (/[\0\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Text without the apostrophe in front by which spreadsheets and NatWest mark a text, nor its pair at the end. Unpaired surrogates and
 * control characters, which the API refuses, are replaced.
 */
export function cleanText(cell: string): string {
  return cell
    .replace(/^'(.*?)'?$/s, '$1')
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/**
 * The text exactly, but for what the API refuses, and without the apostrophe that an export of the ledger puts before a text that a
 * spreadsheet would take for a formula. It puts one before apostrophes in front of such a text as well, so that each text comes back.
 */
export function exactText(raw: string): string {
  return raw
    .replace(/^'(?='*[=+\-@\t\r])/, '')
    .replaceAll('\0', '')
    .toWellFormed();
}

/** A column name as headers are compared: lower case, letters and digits only. */
export function headerKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The first `count` code points. */
export function firstCodePoints(text: string, count: number): string {
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join('');
}

/** The texts that are not part of another one of them, joined by a dash. */
export function joinTexts(texts: readonly string[]): string {
  const lower = texts.map((text) => text.toLowerCase());
  const isKept = (_: string, at: number) =>
    lower[at] !== '' &&
    lower.every(
      (other, index) =>
        index === at || !other.includes(lower[at] ?? '') || (other === lower[at] && at < index),
    );
  return texts.filter(isKept).join(' - ');
}
