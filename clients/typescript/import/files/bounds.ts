/** The bounds of a file, which keep memory and time in proportion to its size. docs/reader.md lists them. */
import { ImportError } from '../import-error.ts';

const FILE_MIB_MAX = 32;
export const FILE_BYTES_MAX = FILE_MIB_MAX * 2 ** 20;
/** The most rows of a file: 20 days of the daily cap. */
export const ROWS_MAX = 100_000;
export const COLUMNS_MAX = 1_000;
const CELLS_MAX = 5_000_000;
/** The most characters of a cell, as in Excel. */
export const CELL_LENGTH_MAX = 32_767;
const ACCOUNT_LENGTH_MAX = 500;
/** Unicode's Stream-Safe Text Format allows 30. Sorting a longer run takes the square of its length. */
const MARKS_MAX = 100;
const TOO_MANY_MARKS = new RegExp(String.raw`\p{M}{${MARKS_MAX + 1}}`, 'u');

export const formatCount = (count: number) => count.toLocaleString('en-GB');

export const LONG_CELL = `A cell has more than ${formatCount(CELL_LENGTH_MAX)} characters; shorten it in the file.`;

/** @throws ImportError `unreadable_file` */
export function requireFileSize(bytes: number): void {
  if (bytes > FILE_BYTES_MAX) {
    throw tooLarge(`The file has more than ${FILE_MIB_MAX} MiB; split it into smaller files.`);
  }
}

/** @throws ImportError `unreadable_file` */
export function requireRows(count: number): void {
  if (count > ROWS_MAX) {
    throw tooLarge(`The file has more than ${formatCount(ROWS_MAX)} rows; split it into smaller files.`);
  }
}

/**
 * The account of a file is a part of the reference of each of its rows.
 * @throws ImportError `unreadable_file`, or `invalid_option` that names the option
 */
export function requireAccountName(text: string, option?: 'accountLabel'): void {
  if (text.length <= ACCOUNT_LENGTH_MAX) return;
  const message = `The name of the account has more than ${ACCOUNT_LENGTH_MAX} characters; shorten it.`;
  throw new ImportError(option ? 'invalid_option' : 'unreadable_file', message, option);
}

/** @throws ImportError `unreadable_file` */
export function requireColumns(count: number, where: string): void {
  if (count > COLUMNS_MAX) {
    const message = `${where} has more than ${formatCount(COLUMNS_MAX)} cells; delete what is outside the table.`;
    throw tooLarge(message);
  }
}

/** @throws ImportError `unreadable_file` */
export function requireCells(count: number): void {
  if (count > CELLS_MAX) {
    const message = `The table has more than ${formatCount(CELLS_MAX)} cells; delete what is outside of it, or split the file.`;
    throw tooLarge(message);
  }
}

/** Of JSON: an empty object has two bytes in a file and 64 in memory. An entry is one object. */
const BRACKETS_MAX = 10 * ROWS_MAX;

/** @throws ImportError `unreadable_file` */
export function requireFewBrackets(text: string): void {
  for (const bracket of ['{', '[']) {
    let count = 0;
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > BRACKETS_MAX) throw tooLarge('The JSON has too many objects and arrays; split the file.');
    }
  }
}

export function tooLarge(message: string): ImportError {
  return new ImportError('unreadable_file', message);
}

/** The reason why a text is too costly to compare and to hash, if any. */
export function textProblem(text: string): string | undefined {
  if (text.length > CELL_LENGTH_MAX) return LONG_CELL;
  if (text.length <= MARKS_MAX || !TOO_MANY_MARKS.test(text)) return undefined;
  return `The text has more than ${MARKS_MAX} accents on one letter; correct it.`;
}
