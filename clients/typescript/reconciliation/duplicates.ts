/** Entries that are perhaps a duplicate: a second record of a payment that a row of the files is. */

import { mayBeEntry } from '../match/candidates.ts';
import { type Decision, pairKey } from '../match/decision.ts';
import { compareLikeness, likeness, type Pair } from '../match/pair.ts';
import { isNear } from '../match/payment-facts.ts';
import type { Row } from '../match/row.ts';
import type { StoredRow } from '../match/stored-row.ts';
import { storedFacts } from '../match/stored-row.ts';

/** Entries that a file lacks. */
export interface UnprovedEntry {
  storedRow: StoredRow;
  /** The file that covers their day. */
  file: string;
  /** The row of that file that they resemble. */
  row?: Row;
  /** They are this row of another file. */
  other?: Row;
  /** The pair to ask about, if they resemble a row. */
  pair?: Pair;
  /** The key of the decision about them, if a person can make one. */
  key?: string;
  /** The reference shows the account, or a person has said that the file is complete. */
  isCertain: boolean;
}

/** A row, and whether a person has said that the entries are a duplicate of it. */
export interface Duplicated {
  row: Row;
  isCertain: boolean;
  likeness: readonly number[];
}

/** The rows that entries are perhaps a duplicate of, by the decisions so far: the most alike one first. */
export function duplicatedRows(
  rows: readonly Row[],
  storedRow: StoredRow,
  decisionAbout: (row: Row) => Decision | undefined,
): Duplicated[] {
  const facts = storedFacts(storedRow);
  return rows
    .filter((row) => isNear(row, facts) && mayBeEntry(row, storedRow) && decisionAbout(row) !== 'separate')
    .map((row) => ({ row, isCertain: decisionAbout(row) === 'same', likeness: likeness(row, facts) }))
    .sort((a, b) => Number(b.isCertain) - Number(a.isCertain) || compareLikeness(a.likeness, b.likeness));
}

/** @param pair to ask about */
export function asDuplicate(storedRow: StoredRow, { row, isCertain }: Duplicated, pair: Pair): UnprovedEntry {
  const key = pairKey(pair.row, pair.storedRow[0].stored.id);
  return { storedRow, file: row.file, row, pair, key, isCertain };
}
