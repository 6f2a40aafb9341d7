/**
 * Gone entries: a file should have them, and has no row for them.
 *
 * `june.csv` has rows of account 1234 from 1 to 30 June, so it should have every payment of these days (coverage.ts). The books have an entry of
 * 12 June, 40.00, and no row is that entry:
 *
 * | the entry | outcome |
 * |---|---|
 * | its reference is the hash of a row of account 1234 | certain: the bank does not have the payment, and a person removes the entry |
 * | its reference shows no account | a question, once for the file: is it complete? |
 * | it resembles the row of 13 June, 40.00 | a question about the two: is the entry a duplicate of that payment? |
 * | it is of 1 or 30 June, and the balances hold | nothing: it is before the opening or after the closing balance |
 * | it is of 1 or 30 June, without such balances | a question about this day: is the file complete? |
 * | it is the row of another file of the account | not certain: one of the files is wrong (contradictions.ts) |
 */

import type { ComparedFiles } from '../match/compare.ts';
import { type Decision, pairKey } from '../match/decision.ts';
import { mayBeEntry } from '../match/origin.ts';
import { likeness, likenessOrder, type Pair } from '../match/pair.ts';
import { isNear } from '../match/payment-facts.ts';
import type { Row } from '../match/row.ts';
import { type StoredRow, storedFacts } from '../match/stored-row.ts';
import { type Coverage, isProvedOf, mayBeOf, WHOLE_FILE } from './coverage.ts';
import type { OmittedBesideEntry } from './omitted.ts';

/** The entries of one row, which are gone. */
export interface GoneStoredRow {
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

type GoneInput = Pick<ComparedFiles, 'matched' | 'decisions' | 'source'>;

/** The gone entries that no row is. @param besideEntries entries that resemble a row without an entry: that row fails instead */
export function goneWithoutRow(
  input: GoneInput,
  coverages: readonly Coverage[],
  besideEntries: readonly OmittedBesideEntry[],
): GoneStoredRow[] {
  const ofOmitted = new Set(besideEntries.map(({ storedRow }) => storedRow));
  return input.matched.unmatched
    .filter((storedRow) => !ofOmitted.has(storedRow))
    .flatMap((storedRow) => {
      const gone = coverages.flatMap((coverage) => goneFrom(coverage, storedRow, input) ?? []);
      return gone.find(({ isCertain }) => isCertain) ?? gone[0] ?? [];
    });
}

/** The entries, if the file should have them: for certain, or as a question. */
function goneFrom(
  coverage: Coverage,
  storedRow: StoredRow,
  { decisions, source, matched: { payments } }: GoneInput,
): GoneStoredRow | undefined {
  const [{ stored }] = storedRow;
  const { file, from, to, daysNamed, doBalancesHold, isRead, rows } = coverage;
  if (stored.date < (daysNamed.from ?? from) || stored.date > (daysNamed.to ?? to)) return undefined;
  const isProved = isProvedOf(coverage, storedRow);
  if (!isProved) {
    const [duplicated] = duplicatedRows(rows, storedRow, (row) => decisions.get(pairKey(row, stored.id)));
    if (duplicated) return asDuplicate(storedRow, duplicated, { row: duplicated.row, storedRow });
    if (!mayBeOf(coverage, storedRow, payments, source?.id)) return undefined;
  }
  const isAtEnd = stored.date <= from || stored.date >= to;
  if (isAtEnd && doBalancesHold) return undefined;
  const ofFile = pairKey(coverage.key, WHOLE_FILE);
  const completeness = isProved ? 'complete' : decisions.get(ofFile);
  if (completeness === 'incomplete') return undefined;
  if (completeness !== 'complete') return { storedRow, file, key: ofFile, isCertain: false };
  if (!isAtEnd) return { storedRow, file, isCertain: isRead };
  const key = pairKey(coverage.key, stored.id);
  const ofDay = decisions.get(key);
  if (ofDay === 'incomplete') return undefined;
  return { storedRow, file, key, isCertain: isRead && ofDay === 'complete' };
}

/** A row, and whether a person has said that the entries are a duplicate of it: a second record of its payment. */
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
    .sort((a, b) => Number(b.isCertain) - Number(a.isCertain) || likenessOrder(a.likeness, b.likeness));
}

/** Lists a stored row as a duplicate of a row. @param pair the pair to ask about */
export function asDuplicate(storedRow: StoredRow, { row, isCertain }: Duplicated, pair: Pair): GoneStoredRow {
  const key = pairKey(pair.row, pair.storedRow[0].stored.id);
  return { storedRow, file: row.file, row, pair, key, isCertain };
}
