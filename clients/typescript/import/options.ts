/** The options and results of the reader of statements, and its error for an unreadable file. */
import type { AccountStatement, Conversion } from './account-statement.ts';
import type { ColumnChoices, CorrectedField, Field, Meaning, Question, RowCorrection } from './choices.ts';
import type { RuleUse } from './rule-use.ts';

export type { AccountStatement, Balance, Conversion, StatementRow } from './account-statement.ts';
export type {
  AmountColumns,
  Choice,
  ColumnChoices,
  CorrectedField,
  Field,
  Meaning,
  Question,
  RowCorrection,
} from './choices.ts';
export { FIELDS, MEANINGS } from './choices.ts';
export type { RuleUse } from './rule-use.ts';

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

export const FORMATS = ['csv', 'xlsx', 'json', 'ndjson', 'ofx', 'camt', 'qif'] as const;
export type Format = (typeof FORMATS)[number];
export type DateFormat = 'dmy' | 'mdy' | 'ymd';
export type DecimalMark = '.' | ',';

export const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const),
  ...(['iso-8859-15', 'iso-8859-2', 'windows-1250'] as const),
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The files that choices of columns are kept for. */
export interface KindOfFile {
  /** The given name of the account, else the names in the file; empty if there is none. */
  accounts: readonly string[];
  format: Format;
  /** The texts of the header row. All are empty for a table without one; the list is empty for other formats. */
  header: readonly string[];
}

export interface Category {
  key: string;
  label: string;
}
export interface Categories {
  income: Category[];
  expense: Category[];
}

/** A source of the account, and its categories. Without categories, none are checked. */
export interface PlanSource {
  id: string;
  name: string;
  categories?: Categories | undefined;
}

export interface ImportOptions extends ColumnChoices {
  /** The extension chooses the format. */
  fileName?: string | undefined;
  format?: Format | undefined;
  /** XLSX: the name or the 1-based number of the sheet. The default is the first sheet with rows, or the only one with a table. */
  sheet?: string | undefined;
  /** A key of BANKS. The default is the bank that the header row names, if any. */
  bank?: string | undefined;
  /** By the number of the row: a row that may be a total or a part of another, or a line of text and the rows below it. */
  rows?: Readonly<Record<number, Meaning>> | undefined;
  dateFormat?: DateFormat | undefined;
  decimal?: DecimalMark | undefined;
  /** Replaces the account of the file in derived references. */
  accountLabel?: string | undefined;
  /** The sources of the account. Rules and the column `source` may name them, and each entry has one. */
  sources?: readonly PlanSource[] | undefined;
  /** With `sources`: the id of the source for rows that nothing else assigns. Without it, such rows are invalid. */
  source?: string | undefined;
  /** Without `sources`: the categories of the source's type. Without them, a category is an unchecked key. */
  categories?: Categories | undefined;
  categoryIncome?: string | undefined;
  categoryExpense?: string | undefined;
  /** The text of a rules file. */
  rules?: string | undefined;
  /**
   * A row with the bank's reference of an earlier row, or an equal row of another statement of the account: the same payment, or another
   * one. Without it such rows are invalid. A row with other content is never the same.
   */
  repeated?: 'same' | 'another' | undefined;
  /** Of text files. The default is found by the bytes. */
  encoding?: Encoding | undefined;
  /** The text of a file of rates, by which amounts in other currencies become pounds. Without it such amounts are refused. */
  rates?: string | undefined;
  /** By the number of the row. They change no reference that is derived from the file. */
  corrections?: ReadonlyMap<number, RowCorrection> | Readonly<Record<number, RowCorrection>> | undefined;
}

export interface ReadEntry {
  row: number;
  entry: NewTransaction;
  isReferenceDerived: boolean;
  /** The bank account, by the file or the option; empty if neither names it. */
  account: string;
  /** The result of an earlier version of the reader, if different. */
  earlier?: { description: string };
  /** The reference by an earlier version of the reader, if different. The stored entry may have it. */
  earlierReference?: string;
  /** Set if the file has the amount in another currency. */
  conversion?: Conversion;
  /** The id of the stored entry, in an export of the ledger. */
  id?: string;
  /** With `ImportOptions.sources`. */
  source?: PlanSource;
  /** Whether a rule, a column or a person chose the source, and not `ImportOptions.source`. */
  isSourceChosen?: boolean;
  /** For a split row: the position of the part, from 1, and the reference of the row. */
  part?: number;
  rowReference?: string;
  /** The line of the rule that decided about the row. */
  rule?: number;
  /** The key of the category that a rule sets the entry against, as a refund. */
  refundOf?: string;
}
/** A row, or a part of one, that a rule leaves out. */
export interface LeftOut {
  row: number;
  /** The position of the part, from 1. */
  part?: number;
  /** The line of the rule; undefined for a row that a person leaves out. */
  rule?: number;
  /** The reference of the row, and its reference by an earlier version of the reader. */
  rowReference?: string;
  earlierReference?: string;
  isReferenceDerived: boolean;
  date: string;
  type: 'income' | 'expense';
  amountPence: number;
  description: string;
}
/** An entry whose date is likely to be mistyped, or a broken character. */
export interface Warning {
  /** The line of the file with a broken character. */
  row: number;
  field: 'date' | 'description';
  value: string;
  message: string;
}
export interface SkippedRow {
  row: number;
  reason: string;
  /** The line of the rule that leaves the row out. */
  rule?: number;
  /** A correction leaves it out. */
  isByHand?: true;
}
/** One problem of a row. A row can have several. */
export interface InvalidRow {
  row: number;
  /** The field whose correction settles the problem, or `reference`. Undefined if the whole row is unreadable. */
  field?: CorrectedField | 'reference';
  column: string;
  value: string;
  message: string;
  /** An option that may settle the problem for all rows of the file. */
  option?: ImportOptionName;
}

/** The texts of a row, from the file or its correction. */
export type RowTexts = { row: number } & Record<CorrectedField, string>;

/** The recognised properties of the file. */
export interface Recognised {
  bank: string | null;
  format: Format;
  /** Null for workbooks. */
  encoding: Encoding | null;
  /** Null if no date depends on it. */
  dateFormat: DateFormat | null;
  decimal: DecimalMark;
  /** For a workbook: its sheets by name, the one that was read, and the others with a table. */
  sheets?: string[];
  sheet?: string;
  otherTables?: string[];
  /** The texts of the header row; empty if the file has none. */
  header: string[];
  /** The number of the header row. */
  headerRow: number | null;
  /** The 0-based column of each field. Empty for formats without columns. */
  columns: Partial<Record<Field, number>>;
  /** Several amounts of a row, by their 0-based columns. */
  amounts: readonly { columns: readonly number[]; direction: 'in' | 'out' }[];
  /** The 0-based columns that are not read. */
  ignored: readonly number[];
  /** The first cells of the first rows after the header. */
  sampleRows: string[][];
  /** The pence of all amounts of each column, without their signs; null for a column that holds no amounts. */
  sums: readonly (number | null)[];
  kind: KindOfFile;
  /** The choices of columns that the file was read with, without columns that have no content: for `withKeptChoices`. */
  choices: ColumnChoices;
  /** The day of the kept choices that the file was read with: YYYY-MM-DD. */
  keptFrom?: string;
}

/** A table with unrecognised columns, for a person to choose them. The header is empty if none is recognised, or no sheet is chosen. */
export interface UnreadTable
  extends Pick<Recognised, 'format' | 'encoding' | 'sheets' | 'sheet' | 'otherTables' | 'header' | 'columns'>,
    Partial<Pick<Recognised, 'headerRow' | 'amounts' | 'ignored' | 'sampleRows' | 'sums'>> {
  /** The first cells of the first rows, the header among them. */
  rows: string[][];
}

/**
 * `row` is the line of the file on which a record begins, or the row of the sheet; in a JSON array the index plus one; in OFX and CAMT
 * the ordinal of the transaction. `rows` counts each row once: entries, skipped rows and invalid rows.
 */
export interface ImportResult {
  bank: string | null;
  format: Format;
  recognised: Recognised;
  statements: AccountStatement[];
  rows: number;
  entries: ReadEntry[];
  skipped: SkippedRow[];
  invalid: InvalidRow[];
  warnings: Warning[];
  /** Left out by rules or a person: rows, which are also in `skipped`, and parts of rows. */
  leftOut: LeftOut[];
  /** In the order of the rules. */
  rules: RuleUse[];
  /** Rows that are invalid only because no source is decided. The books may contain them. */
  undecided: UndecidedRow[];
  /** The texts of invalid and skipped rows. */
  unread: RowTexts[];
}

export type UndecidedRow = Pick<
  ReadEntry,
  'row' | 'isReferenceDerived' | 'account' | 'id' | 'earlier' | 'earlierReference'
> &
  Pick<LeftOut, 'date' | 'type' | 'amountPence' | 'description'> & {
    rowReference: string;
    /** The category column: a key or a label of a source. */
    category?: string;
  };

export type ImportErrorCode =
  | 'unreadable_file'
  | 'unknown_format'
  | 'unknown_sheet'
  | 'several_sheets'
  | 'unknown_bank'
  | 'unknown_column'
  | 'unknown_category'
  | 'no_header'
  | 'unresolved_columns'
  | 'ambiguous_dates'
  | 'other_currency'
  | 'invalid_option'
  | 'invalid_rates'
  | 'invalid_rules';

export type ImportOptionName = Exclude<keyof ImportOptions, 'fileName'>;

/** An unreadable file, or an option that does not fit it. The message is one sentence. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** The first rows of a table. */
  table?: UnreadTable;
  /** The 0-based unresolved columns, with the code `unresolved_columns`. */
  unresolved?: readonly number[];
  /** All that the file leaves open, with the code `unresolved_columns`. */
  questions?: readonly Question[];
  /** With `questions`, in formats without columns: the accounts that the file names. */
  accounts?: readonly string[];
  /** With `questions`: why kept choices do not answer them. The message ends in it. */
  keptNote?: string;

  constructor(
    readonly code: ImportErrorCode,
    message: string,
    /** The option that settles the question. */
    readonly option?: ImportOptionName,
  ) {
    super(message);
  }
}
