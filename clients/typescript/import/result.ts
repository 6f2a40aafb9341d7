/** The result of the reader of statements: entries, all other rows, and the recognised properties of the file. */

import type { NewTransaction } from '../resources.ts';
import type {
  DateFormat,
  DecimalMark,
  Encoding,
  EntryType,
  Format,
  ImportOptionName,
  KindOfFile,
  SourceWithCategories,
} from './options.ts';
import type { ColumnAnswers, CorrectedField, Field } from './questions-and-answers.ts';

/** The balance of an account, in signed pence. */
export interface Balance {
  /** The day, as YYYY-MM-DD. */
  date: string;
  pence: number;
}
/** A payment of a statement. */
export interface StatementRow {
  row: number;
  date: string;
  /** The signed pence: negative for an expense. */
  pence: number;
  /** The currency of `pence` and `balance`, if not pounds: they are hundredths of its unit. */
  currency?: string;
  /** The balance after the row, if the file has it. */
  balance?: number;
}
/** The payments of one account in the file, before rules and corrections. `chain/chain.ts` checks its balances. */
export interface AccountStatement {
  /** `accountLabel` if the file has one account, else the name in the file, or empty. */
  account: string;
  /** The payments in the order of the file. */
  rows: StatementRow[];
  /** The rows that may be payments and cannot be read. */
  unreadableRows: { row: number; date?: string }[];
  /** The balances before the first payment and after the last one, if the file has them. */
  opening?: Balance;
  closing?: Balance;
  /** The first and the last day that the bank names, if it does. The statement may have no payments of these days. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The amount of a row in another currency. */
export interface Conversion {
  /** The code of the currency, such as EUR. */
  currency: string;
  /** The amount in hundredths of the unit of the currency. */
  pence: number;
  /** The text of the rate in the file of rates. */
  rate: string;
  /** The text in the description: `EUR 850.00 at 0.8612 GBP per EUR`. */
  text: string;
}

/** The rows of a file that a rule decides. */
export interface RuleUse {
  line: number;
  /** The text of the rule. */
  text: string;
  /** How many rows it decides. Also a member of the command's documents, as the others. */
  rows: number;
  /** Whether it is the rule `otherwise`. */
  isForAll: boolean;
  /** For a rule other than `otherwise` that decides no row: the lines of the earlier rules that decide rows which it also matches. */
  shadowedBy: { line: number; rows: number }[];
}

export interface ImportEntry {
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
  source?: SourceWithCategories;
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
/** A row, or a part of one, that a rule or a person leaves out. */
export interface LeftOut {
  row: number;
  /** The position of the part, from 1. */
  part?: number;
  /** The line of the rule. Undefined: a person leaves the row out. */
  rule?: number;
  /** The reference of the row, and its reference by an earlier version of the reader. */
  rowReference?: string;
  earlierReference?: string;
  isReferenceDerived: boolean;
  date: string;
  type: EntryType;
  amountPence: number;
  description: string;
}
/** An entry whose date is likely to be mistyped, or a broken character. */
export interface Warning {
  /** The row of the entry, or the line of the file with a broken character. */
  row: number;
  field: 'date' | 'description';
  value: string;
  message: string;
}
/** A row that is no payment. */
interface SkippedRow {
  row: number;
  reason: string;
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

type RowWithoutEntry = RowTexts & {
  /** The date as YYYY-MM-DD, if it can be read. */
  day?: string | undefined;
};

/** The recognised properties of the file. */
export interface Recognised {
  bank: string | null;
  format: Format;
  /** The encoding of a text file; null for workbooks. */
  encoding: Encoding | null;
  /** The order of day and month; null if no date depends on it. */
  dateFormat: DateFormat | null;
  decimal: DecimalMark;
  /** For a workbook: its sheets by name, the one that was read, and the others with a table. */
  sheets?: string[];
  sheet?: string;
  otherTables?: string[];
  /** The texts of the header row; empty if the file has none. */
  header: string[];
  /** The number of the row; null for a file without a header. */
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
  /** The answers about columns that the file was read with, without columns that have no content: for `withKeptAnswers`. */
  answers: ColumnAnswers;
  /** The day of the kept answers that the file was read with: YYYY-MM-DD. */
  keptFrom?: string;
}

/** The table of a refused file, for a person to choose its columns. The header is empty if none is recognised, or no sheet is chosen. */
export interface RefusedTable
  extends Pick<Recognised, 'format' | 'encoding' | 'sheets' | 'sheet' | 'otherTables' | 'header' | 'columns'>,
    Partial<Pick<Recognised, 'headerRow' | 'amounts' | 'ignored' | 'sampleRows' | 'sums'>> {
  /** The first cells of the first rows, the header among them. */
  rows: string[][];
}

/**
 * `row` is the line of the file on which a record begins, or the row of the sheet; in a JSON array the index plus one; in OFX and CAMT
 * the ordinal of the transaction. `rowCount` counts each row once.
 */
export interface ImportResult {
  recognised: Recognised;
  statements: AccountStatement[];
  rowCount: number;
  entries: ImportEntry[];
  skipped: SkippedRow[];
  invalid: InvalidRow[];
  warnings: Warning[];
  /** The rows, and the parts of rows, that a rule or a person leaves out. */
  leftOut: LeftOut[];
  /** Rows that a person leaves out and that cannot be read: nothing is known of them but their texts. */
  leftOutUnreadable: number[];
  /** The use of each rule, in the order of the rules. */
  rules: RuleUse[];
  /** The rows of `invalid` that lack only a decision about their source, with their facts: the books may have them. */
  withoutSource: RowWithoutSource[];
  /** The texts of the rows that make no entry. */
  rowsWithoutEntry: RowWithoutEntry[];
}

export type RowWithoutSource = Pick<
  ImportEntry,
  'row' | 'isReferenceDerived' | 'account' | 'id' | 'earlier' | 'earlierReference'
> &
  Pick<LeftOut, 'date' | 'type' | 'amountPence' | 'description'> & {
    rowReference: string;
    /** The category column: a key or a label of a source. */
    category?: string;
  };
