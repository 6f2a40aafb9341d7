/** The document of a reconciliation. Its rows and entries are in a fixed order, so that the same files, rules and books give the same bytes. */

import type { BalanceCheck } from '../balances/balances.ts';
import type { DifferingField } from '../match/compared-entry.ts';
import type { RowPosition } from '../match/row.ts';
import type { NewTransaction, Source, Transaction } from '../resources.ts';

/** What became of each row and each entry of a period. Amounts are pence. `docs/ledger-documents.md` describes it for programs. */
export interface Reconciliation {
  /** Every row is accounted for, no entry is gone, and no balance breaks. */
  isReconciled: boolean;
  /** The SHA-256 of the rules file. */
  rules: { sha256: string } | null;
  /** The SHA-256 of the file of rates, if some amounts are in other currencies. */
  rates?: { sha256: string };
  /** The SHA-256 of the report whose closing balances these files begin with. */
  previous: { sha256: string } | null;
  period: { from: string; to: string } | null;
  /** The sources of the rows, and of gone entries. */
  sources: Pick<Source, 'id' | 'name'>[];
  /** Rows of all files by outcome. */
  counts: Partial<Record<ReconciledOutcome, number>>;
  /** Balances that do not follow, in the files and between them. */
  breaks: number;
  files: ReconciledFile[];
  /** The other entries of the period, in these sources: they are neither of a row nor gone. */
  otherEntries: EntryOfSource[];
  /** Entries that a file should have, and has no row for. */
  gone: GoneEntry[];
}

/** A file, its hash, and the outcome of each of its rows. */
export interface ReconciledFile {
  name: string;
  sha256: string;
  balances: BalanceCheck[];
  /** Each row of the file once. */
  rows: ReconciledRow[];
}

/** A stored entry, with the id of its source. */
export type EntryOfSource = Transaction & { sourceId: string };

/** An entry that a file should have, and has no row for. */
export interface GoneEntry extends EntryOfSource {
  /** The file that covers the day, and the row that the entry resembles. */
  file: string;
  row?: number;
  /** It is this row of another file of the account. */
  other?: RowPosition;
  /** The file proves that the entry is gone, or a person has said so. Otherwise a person has to look. */
  isCertain: boolean;
}

/** A row of a file, its outcome, and the entries that it makes. */
export interface ReconciledRow {
  row: number;
  outcome: ReconciledOutcome;
  date?: string;
  /** The signed amount of the payment. */
  pence?: number;
  /** The currency of the payment, if not pounds: `pence` are hundredths of its unit. */
  currency?: string;
  description?: string;
  /** The line of the rules that decided, and its text. */
  rule?: { line: number; text: string };
  entries?: EntryOfRow[];
  /** The row or the part of it that a rule leaves out. */
  leftOut?: (TypeAndAmount & { part?: number })[];
  /** Why the row has this outcome, where its entries do not show it. */
  reasons?: string[];
  /** The ids of the entries of its day and description that come from no row. */
  entriesOfDay?: string[];
}

type TypeAndAmount = Pick<NewTransaction, 'type' | 'amountPence'>;

/** An entry of a row, with its stored entry, if there is one. */
export interface EntryOfRow extends TypeAndAmount {
  /** The id of the stored entry; null if there is none. */
  id: string | null;
  sourceId: string;
  category: string | null;
  part?: number;
  /** The fields in which the stored entry differs. */
  fields?: readonly DifferingField[];
}

/** How a row is accounted for, or why it is not: see `FAILURES`. */
export type ReconciledOutcome =
  | 'in the books'
  /** Stored under another reference: a person has said so, or has left it out. */
  | 'known by decision'
  | 'left out'
  /** A correction leaves it out. */
  | 'left out by hand'
  /** It is no payment. */
  | 'skipped'
  /** A row of an earlier file is the same payment. */
  | 'repeated'
  | 'missing'
  /** The stored entry differs from the row's, or the row of an earlier file does. */
  | 'different'
  | 'in another source'
  /** The reference of the row belongs to another entry. */
  | 'reference taken'
  /** A rule leaves it out, and the books have it. */
  | 'left out and stored'
  /** That entry comes from no row of the files: the row may have had other content when it was pushed. */
  | `${'left out' | 'skipped'}, and an entry of the day has its description`
  | 'invalid';

/** The outcomes of rows that are not accounted for. */
export const FAILURES: readonly ReconciledOutcome[] = [
  'missing',
  'different',
  'in another source',
  'reference taken',
  'left out and stored',
  'left out, and an entry of the day has its description',
  'skipped, and an entry of the day has its description',
  'invalid',
];
