/** The options of the reader of statements. */
import type { CategorySet, NewTransaction } from '../resources.ts';
import type { ColumnAnswers, Meaning, RowCorrection } from './questions-and-answers.ts';

export type EntryType = NewTransaction['type'];

/** The bounds of the API, in code points. */
export const DESCRIPTION_LENGTH_MAX = 500;
export const REFERENCE_LENGTH_MAX = 180;

/** A row has at most 20 parts: their numbers are in references. */
export const PARTS_MAX = 20;

export const FORMATS = ['csv', 'xlsx', 'json', 'ndjson', 'ofx', 'camt', 'qif'] as const;
export type Format = (typeof FORMATS)[number];
const DATE_FORMATS = ['dmy', 'mdy', 'ymd'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
const DECIMAL_MARKS = ['.', ','] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];
const REPEATED = ['same', 'another'] as const;

const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-15',
  'iso-8859-2',
  'windows-1250',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The files that answers about columns are kept for. */
export interface KindOfFile {
  /** The given name of the account, else the names in the file; empty if there is none. */
  accounts: readonly string[];
  format: Format;
  /** The texts of the header row. All are empty for a table without one; the list is empty for other formats. */
  header: readonly string[];
}

/** A source of the account, and its categories. Without categories, none are checked. */
export interface SourceWithCategories {
  id: string;
  name: string;
  /** The type of the source, such as `uk-property`. */
  type?: string | undefined;
  categories?: CategorySet | undefined;
}

/**
 * The options of a file that have one text: the possible texts, or undefined for any. The reader checks them by this table. The options of the
 * command are derived from it, and the settings of the page from `FileSettings`. The compiler checks that the arguments of assistants have each.
 */
export const FILE_SETTINGS = {
  format: FORMATS,
  encoding: ENCODINGS,
  bank: undefined,
  sheet: undefined,
  dateFormat: DATE_FORMATS,
  decimal: DECIMAL_MARKS,
  repeated: REPEATED,
  accountLabel: undefined,
} as const satisfies {
  [Name in keyof FileSettings]-?: readonly NonNullable<FileSettings[Name]>[] | undefined;
};
export type FileSetting = keyof typeof FILE_SETTINGS;

export interface FileSettings {
  /** Replaces the format by the content and the extension. */
  format?: Format | undefined;
  /** Of text files. The default is found by the bytes. */
  encoding?: Encoding | undefined;
  /** The name of a bank in BANKS, or another name that it is known by. The default is the bank that the header row names, if any. */
  bank?: string | undefined;
  /** XLSX: the name or the 1-based number of the sheet. The default is the first sheet with rows, or the only one with a table. */
  sheet?: string | undefined;
  dateFormat?: DateFormat | undefined;
  decimal?: DecimalMark | undefined;
  /**
   * A row with the bank's reference of an earlier row, or an equal row of another statement of the account: the same payment, or another
   * one. Without it such rows are invalid. A row with other content is never the same.
   */
  repeated?: (typeof REPEATED)[number] | undefined;
  /** Replaces the account of the file in derived references. */
  accountLabel?: string | undefined;
}

export interface ImportOptions extends FileSettings, ColumnAnswers {
  /** Its extension chooses the format where the content does not. Its words are evidence, such as the name of a card. */
  fileName?: string | undefined;
  /** By the number of the row: a row that may be a total or a part of another, or a line of text and the rows below it. */
  rowMeanings?: Readonly<Record<number, Meaning>> | undefined;
  /** The sources of the account. Rules and the column `source` may name them, and each entry has one. */
  sources?: readonly SourceWithCategories[] | undefined;
  /** With `sources`: the id of the source for rows that nothing else assigns. Without it, such rows are invalid. */
  source?: string | undefined;
  categoryIncome?: string | undefined;
  categoryExpense?: string | undefined;
  /** The text of a rules file. */
  rules?: string | undefined;
  /** The text of a file of rates, by which amounts in other currencies become pounds. Without it such amounts are refused. */
  rates?: string | undefined;
  /** By the number of the row. They change no reference that is derived from the file. */
  corrections?: ReadonlyMap<number, RowCorrection> | Readonly<Record<number, RowCorrection>> | undefined;
}

export type ImportOptionName = Exclude<keyof ImportOptions, 'fileName'>;
