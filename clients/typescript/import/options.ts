/** What the reader of statements takes and returns, and the error for a file that cannot be read at all. */

/** An entry in the shape of the API's TransactionInput. */
export interface NewTransaction {
  /** YYYY-MM-DD. */
  date: string;
  type: 'income' | 'expense';
  /** Whole pence, from 1 to 2^53 - 1. */
  amountPence: number;
  category?: string;
  /** At most 500 code points. */
  description?: string;
  /** From 1 to 180 code points. */
  externalRef?: string;
}

/** The bounds of the API, in code points. */
export const DESCRIPTION_LENGTH_MAX = 500;
export const REFERENCE_LENGTH_MAX = 180;

export type Format = 'csv' | 'xlsx' | 'json' | 'ndjson' | 'ofx';
export type DateFormat = 'dmy' | 'mdy' | 'ymd';
export type DecimalMark = '.' | ',';

export const FIELDS = [
  'date',
  'amount',
  'moneyIn',
  'moneyOut',
  'description',
  'category',
  'type',
  'reference',
] as const;
export type Field = (typeof FIELDS)[number];

export interface Category {
  key: string;
  label: string;
}
export interface Categories {
  income: Category[];
  expense: Category[];
}

export interface ImportOptions {
  /** Only its extension is used, to choose the format. */
  fileName?: string | undefined;
  format?: Format | undefined;
  /** XLSX: the name or the 1-based number of the sheet. The default is the first sheet that has rows. */
  sheet?: string | undefined;
  /** A key of BANKS. The default is the bank that the header row names, if any. */
  bank?: string | undefined;
  /** Column names or 1-based column numbers. An empty string leaves the field out. */
  map?: Partial<Record<Field, string>> | undefined;
  dateFormat?: DateFormat | undefined;
  decimal?: DecimalMark | undefined;
  /** Names the account in derived references, in place of what the file says. */
  accountLabel?: string | undefined;
  /** The categories of the source's type. Without them a category is taken as a key and not checked. */
  categories?: Categories | undefined;
  categoryIncome?: string | undefined;
  categoryExpense?: string | undefined;
  /** The text of a rules file. */
  rules?: string | undefined;
}

export interface ReadEntry {
  row: number;
  entry: NewTransaction;
  isReferenceDerived: boolean;
  /** The id of the stored entry, in an export of the ledger. */
  id?: string;
}
export interface SkippedRow {
  row: number;
  reason: string;
}
export interface InvalidRow {
  row: number;
  column: string;
  value: string;
  message: string;
}

/**
 * `row` is the line of the file on which a record begins, or the row of the sheet; in a JSON array the index plus one; in OFX the
 * ordinal of the transaction. `rows` counts each row once: entries, skipped rows and invalid rows.
 */
export interface ImportResult {
  bank: string | null;
  format: Format;
  rows: number;
  entries: ReadEntry[];
  skipped: SkippedRow[];
  invalid: InvalidRow[];
}

export type ImportErrorCode =
  | 'unreadable_file'
  | 'unknown_format'
  | 'unknown_sheet'
  | 'unknown_bank'
  | 'unknown_column'
  | 'unknown_category'
  | 'no_header'
  | 'ambiguous_dates'
  | 'invalid_option'
  | 'invalid_rules';

/** The command-line options that settle what the reader refuses to guess. */
export type ImportOptionName =
  | '--format'
  | '--sheet'
  | '--bank'
  | '--map'
  | '--date-format'
  | '--decimal'
  | '--category-income'
  | '--category-expense'
  | '--rules';

/** A file that cannot be read at all, or an option that does not fit it. The message is one sentence. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  constructor(
    readonly code: ImportErrorCode,
    message: string,
    readonly option?: ImportOptionName,
  ) {
    super(message);
  }
}
