/** A draft: a row as read by the reader of a format, before its reference and its category are checked. */
import type { AccountStatement, Conversion, CorrectedField, InvalidRow, RowTexts } from '../options.ts';

export type Problem = Omit<InvalidRow, 'row'>;

/** A statement within a file, without its rows. */
export type StatementEnds = Pick<AccountStatement, 'account' | 'opening' | 'closing'>;

export interface EarlierReading {
  description: string;
  /** True: the reference is derived from this description. False: only a stored entry of the row may have that reference. */
  keepsReference: boolean;
}

/** A row without problems and without a reason to skip it is read: it has a date, a type and pence. */
export interface Draft {
  row: number;
  date?: string | undefined;
  /** In an unread row, the type of an amount without a sign. */
  type?: 'income' | 'expense' | undefined;
  /** At least 1. Hundredths of the unit in another currency. */
  pence?: number | undefined;
  /** The currency of the amount, if not pounds and amounts are converted. */
  currency?: string;
  /** The conversion of an amount that became pounds. */
  conversion?: Conversion;
  /** The full text; an entry takes the first 500 code points. */
  description: string;
  /** The different description by an earlier version of the reader. */
  earlier?: EarlierReading | undefined;
  /** The name in the file, or empty. */
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
  problems: Problem[];
  skipReason?: string | undefined;
  /** The texts of the row in the file. */
  texts: () => Omit<RowTexts, 'row'>;
}

export type ReadDraft = Draft & Required<{ date: string; type: 'income' | 'expense'; pence: number }>;

/** All rows of a file, in order. */
export interface Drafts {
  drafts: Draft[];
  /** The statements that the file names, with or without rows. */
  statements?: StatementEnds[];
  /** The names of the columns in messages. */
  columnNames: Readonly<Partial<Record<CorrectedField, string>>>;
}

export function isRead(draft: Draft): draft is ReadDraft {
  return draft.problems.length === 0 && draft.skipReason === undefined;
}
