/** A row of a file before its reference and its category are checked: what a reader of one format returns for each row. */
import type { AccountStatement, Conversion, CorrectedField, InvalidRow, RowTexts } from '../options.ts';

export type Problem = Omit<InvalidRow, 'row'>;

/** A statement within a file, apart from its rows. */
export type StatementEnds = Pick<AccountStatement, 'account' | 'opening' | 'closing'>;

export interface EarlierReading {
  description: string;
  /** The reference is derived of this description still; otherwise the stored entry of the row may have the one derived of it. */
  keepsReference: boolean;
}

/** A row is read if it has neither problems nor a reason to skip it. It then has a date, a type and pence. */
export interface Draft {
  row: number;
  date?: string | undefined;
  /** In a row that is not read, what an amount without a sign would be. */
  type?: 'income' | 'expense' | undefined;
  /** At least 1. In another currency, hundredths of its unit. */
  pence?: number | undefined;
  /** Of the amount, if it is not in pounds, and amounts are converted. */
  currency?: string;
  /** Of a row whose amount was converted to pounds. */
  conversion?: Conversion;
  /** In full; an entry takes the first 500 code points. */
  description: string;
  /** The other description that an earlier version of the reader made of the row. */
  earlier?: EarlierReading | undefined;
  /** As the file names it, or empty. */
  account: string;
  /** The statement that the row is in, where a file can have several of one account. */
  statement?: StatementEnds;
  /** What the account has after the row, in signed pence. It is no money of the row. */
  balance?: number;
  /** The file's own reference, and the column or field that it is from. */
  reference?: string;
  referenceColumn?: string;
  /** The id of the stored entry, in an export of the ledger. */
  id?: string;
  /** A key or a label; the empty text is no category, whatever the rules say. */
  category?: string;
  /** The name or the id of a source. */
  source?: string;
  problems: Problem[];
  skipReason?: string | undefined;
  /** The texts of the row in the file. */
  texts: () => Omit<RowTexts, 'row'>;
}

export type ReadDraft = Draft & Required<{ date: string; type: 'income' | 'expense'; pence: number }>;

/** All rows of a file, in order. */
export interface Drafts {
  drafts: Draft[];
  /** Those that the file names, with or without rows. */
  statements?: StatementEnds[];
  /** The names of the columns in messages. */
  columnNames: Readonly<Partial<Record<CorrectedField, string>>>;
}

export function isRead(draft: Draft): draft is ReadDraft {
  return draft.problems.length === 0 && draft.skipReason === undefined;
}
