/** The rows of a table before its columns are recognised: the result of the readers of CSV and XLSX. */
import { visible } from '../values/amounts.ts';
import { CELL_LENGTH_MAX, LONG_CELL } from './bounds.ts';

export interface TableRow {
  /** The line of the file on which the record begins, or the row of the sheet. */
  row: number;
  /** The values of the cells, by `cellValue`. */
  cells: string[];
  /** The unchanged texts of the file. */
  raw: string[];
  /** Why the cells cannot be trusted. */
  problem?: string;
  /** The file ends in or right after the row, without a line end. */
  isUnended?: true;
  /** Hidden in a sheet, by a filter or by hand. */
  isHidden?: true;
  /** The row is of a workbook, so that no delimiter separates its cells. */
  isOfSheet?: true;
  /** The workbook counts days from 1904. */
  is1904?: true;
  /** Whether the cell of a column is a formula with the value 0, in a workbook that nobody computed. */
  isZero?: (column: number) => boolean;
  /** Whether the cell of a column is a formula of other rows, or a text of the row is struck through. */
  isInDoubt?: (column: number) => boolean;
}

/** The text of a formula without a value. */
export const UNVALUED = '(a formula without a value)';

/** The row of these texts; undefined if all are empty. A text longer than a cell of Excel is cut, with a problem. */
export function tableRow(row: number, texts: readonly string[], problem?: string): TableRow | undefined {
  const isLong = texts.some((text) => text.length > CELL_LENGTH_MAX);
  const raw = isLong ? texts.map((text) => text.slice(0, CELL_LENGTH_MAX)) : [...texts];
  const cells = raw.map(cellValue);
  if (cells.every((cell) => cell === '')) return undefined;
  const found = problem ?? (isLong ? LONG_CELL : undefined);
  return { row, cells, raw, ...(found && { problem: found }) };
}

/** The text without invisible characters and the marks of a text in spreadsheets: `="12.50"` and `'12.50`. */
export function cellValue(cell: string): string {
  const text = cleanCell(visible(cell));
  return /^[=']/.test(text) ? text.replace(/^(?:="(.*)"|'(.*?)'?)$/s, '$1$2').trim() : text;
}

/** Trims spaces, zero characters and a byte order mark. A zero within a text stays, because it shows a lost byte. */
export function cleanCell(cell: string): string {
  if (!/[\0\ufeff]/.test(cell)) return cell.trim();
  const text = cell.replaceAll('\ufeff', '');
  const start = text.search(/[^\0\s]/);
  if (start === -1) return '';
  // A pattern for the end would take the square of the length of a run of spaces.
  let end = text.length;
  while (/[\0\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Removes the apostrophe with which spreadsheets and NatWest mark a text, and its pair at the end. Replaces unpaired surrogates and control
 * characters, which the API refuses.
 */
export function cleanText(cell: string): string {
  // Most texts; the rest of the function is several times slower.
  if (/^[!-&(-~]+(?: [!-~]+)*$/.test(cell)) return cell;
  return cell
    .replace(/^'(.*?)'?$/s, '$1')
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/**
 * The exact text, except for characters that the API refuses, and without the apostrophe that an export of the ledger puts before formulas.
 * The export also puts one before apostrophes in front of such a text, so that every text is restored.
 */
export function exactText(raw: string): string {
  return raw
    .replace(/^'(?='*[=+\-@\t\r\n])/, '')
    .replaceAll('\0', '')
    .toWellFormed();
}

/** A column name in the form for comparison: lower case, letters and digits only. */
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

/** Joins the texts with a dash, without texts that another one contains. */
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
