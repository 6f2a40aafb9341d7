/** An entry before it has its reference and its category checked, and what a reader of one format returns. */
import type { InvalidRow, SkippedRow } from './options.ts';

export interface Draft {
  row: number;
  date: string;
  type: 'income' | 'expense';
  pence: number;
  /** In full; an entry takes the first 500 code points. */
  description: string;
  /** As the file names it, or empty. */
  account: string;
  /** The file's own reference, and the column or field that it is from. */
  reference?: string;
  referenceColumn?: string;
  /** The id of the stored entry, in an export of the ledger. */
  id?: string;
  /** A key or a label, and the column that it is from. */
  category?: string;
  categoryColumn?: string;
}

export interface Drafts {
  /** All rows: those of drafts, skipped rows and invalid rows. */
  rows: number;
  drafts: Draft[];
  skipped: SkippedRow[];
  invalid: InvalidRow[];
}
