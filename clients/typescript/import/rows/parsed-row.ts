/** A row as the reader of a format parses it, before its reference and its category are checked. */

import type { DateFormat, DecimalMark, EntryType } from '../options.ts';
import type { CorrectedField } from '../questions-and-answers.ts';
import type { AccountStatement, Conversion, InvalidRow, Recognised, RowTexts } from '../result.ts';
import type { DateNotation } from '../values/dates.ts';

export type RowProblem = Omit<InvalidRow, 'row'>;
/** A problem of a cell of the row, by the index of its column. */
export type CellProblem = Pick<RowProblem, 'field' | 'message' | 'option'> & { index: number | undefined };

/** A statement within a file, without its rows. */
export type StatementEnds = Pick<AccountStatement, 'account' | 'opening' | 'closing' | 'from' | 'to'>;

export interface EarlierReading {
  description: string;
  /** True: the reference is derived from this description. False: only a stored entry of the row may have that reference. */
  keepsReference: boolean;
}

/** One of several amounts of a row. */
export interface RowAmount {
  type: EntryType;
  /** The pence without a sign, at least 1. */
  pence: number;
  /** The names of its columns, joined with a plus. */
  column: string;
  /** A minus reverses the direction of its columns, as for a refund. */
  isReversed: boolean;
  /** A key or a label of the direction of its columns. */
  category?: string;
  /** The name or the id of a source. */
  source?: string;
  conversion?: Conversion;
}

export type NamedAs = 'total' | 'balance';

/** A row without problems and without a reason to skip it is valid: it has a date, a type and pence. */
export interface ParsedRow {
  row: number;
  date?: string | undefined;
  /** In an unreadable row, the type of an amount without a sign. */
  type?: EntryType | undefined;
  /** At least 1, or the sum of several amounts. Hundredths of the unit in another currency. */
  pence?: number | undefined;
  /** The currency of the amount, if not pounds and amounts are converted. */
  currency?: string;
  /** The conversion of an amount that became pounds. */
  conversion?: Conversion;
  /** The full text; an entry takes the first 500 code points. */
  description: string;
  /** The different description by an earlier version of the reader. */
  earlier?: EarlierReading | undefined;
  /** The account as the file names it, or empty. */
  account: string;
  /** The statement of the row, in formats with several statements of one account. */
  statement?: StatementEnds;
  /** The balance after the row, in signed pence. Not money of the row. */
  balance?: number;
  /** The file's own reference, and its column or field. */
  reference?: string;
  referenceColumn?: string;
  /** The id of the stored entry, in an export of the ledger. */
  id?: string;
  /** A key or a label. The empty text overrides the rules with no category. */
  category?: string;
  /** The name or the id of a source. */
  source?: string;
  /** The amounts of a row with several, in the order of their numbers. `type` and `pence` are their sum. */
  amounts?: readonly RowAmount[];
  /** Set if the row has several amounts, also if some of them are unreadable. */
  hasSeveralAmounts?: true;
  /** The category that an answer gives the column of this amount, whose direction a minus reverses. */
  refundOf?: string;
  /** The options `amounts` name the category or the source. */
  isByAmounts?: true;
  /** The name of the row by its texts, as long as nobody has answered. */
  named?: NamedAs;
  problems: RowProblem[];
  skipReason?: string | undefined;
  /** A person has given the reason, by an answer about a column or a line of text. */
  isSkippedByAnswer?: true;
  /** The texts of the row in the file. */
  texts: () => Omit<RowTexts, 'row'>;
}

export type ValidRow = ParsedRow & Required<{ date: string; type: EntryType; pence: number }>;

/** All rows of a file, in order: the result of the reader of each format. */
export interface ParsedFile {
  parsedRows: ParsedRow[];
  /** The statements that the file names, with or without rows. */
  statements?: StatementEnds[];
  /** The names of the columns in messages. */
  columnNames: Readonly<Partial<Record<CorrectedField, string>>>;
  /** Absent in formats with one order of day and month. */
  dateNotation?: DateNotation;
  /** The order, or null if no date depends on it. */
  dateFormat?: DateFormat | null;
}

/** How the file writes dates and amounts. Corrections share it. */
export interface FileNotation extends DateNotation {
  decimal: DecimalMark;
}

/** A parsed file with its notation and its description for people, before rules and corrections. */
export interface DescribedFile {
  recognised: Recognised;
  parsedFile: ParsedFile;
  notation: FileNotation;
}

export function isValidRow(parsed: ParsedRow): parsed is ValidRow {
  return parsed.problems.length === 0 && parsed.skipReason === undefined;
}
