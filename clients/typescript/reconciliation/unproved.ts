/**
 * The entries that the files lack.
 *
 * `june.csv` has rows of account 1234 from 1 to 30 June, so it should have every payment of these days (coverage.ts). The books have an entry of
 * 12 June, 40.00, and no row is that entry:
 *
 * | the entry | outcome |
 * |---|---|
 * | its reference is the hash of a row of account 1234 | certain: the bank does not have the payment, and a person removes the entry |
 * | its reference shows no account | a question, once for the file: is it complete? |
 * | it resembles the row of 13 June, 40.00 | a question about the two: is the entry a duplicate of that payment? (duplicates.ts) |
 * | it is of 1 or 30 June, and the balances hold | nothing: it is before the opening or after the closing balance |
 * | it is of 1 or 30 June, without such balances | a question about this day: is the file complete? |
 * | it is the row of another file of the account | not certain: one of the files is wrong (missing-rows.ts) |
 */
import type { ComparedFiles } from '../match/compared.ts';
import { pairKey } from '../match/decision.ts';
import type { StoredRow } from '../match/stored-row.ts';
import { type Coverage, coveragesOf, isProvedOf, mayBeOf, WHOLE_FILE } from './coverage.ts';
import { asDuplicate, duplicatedRows, type UnprovedEntry } from './duplicates.ts';
import { missingRows } from './missing-rows.ts';
import { type OmittedMatch, omittedIn, omittedRowsOf } from './omitted.ts';

interface Unproved {
  unproved: readonly UnprovedEntry[];
  /** Entries that resemble a row that makes no entry. */
  omitted: readonly OmittedMatch[];
}

type Input = Pick<ComparedFiles, 'files' | 'rows' | 'matched' | 'decisions' | 'source'>;

export function unprovedIn(input: Input): Unproved {
  const { files, rows, matched, decisions } = input;
  const omitted = omittedIn(files, matched.unmatched, decisions);
  const omittedStored = new Set(omitted.map(({ storedRow }) => storedRow));
  const coverages = files.flatMap((file) => coveragesOf(file, rows));
  const ofNoRow = matched.unmatched.flatMap((storedRow): UnprovedEntry[] => {
    if (omittedStored.has(storedRow)) return [];
    const lacked = coverages.flatMap((coverage) => lackedBy(coverage, storedRow, input) ?? []);
    return lacked.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain)).slice(0, 1);
  });
  const omittedRows = files.flatMap(omittedRowsOf);
  const ofOtherFiles = missingRows({ coverages, omittedRows, payments: matched.payments, decisions });
  return { omitted, unproved: [...ofNoRow, ...ofOtherFiles] };
}

/** The entries, if the file should have them: for certain, or as a question. */
function lackedBy(
  coverage: Coverage,
  storedRow: StoredRow,
  { decisions, source, matched: { payments } }: Input,
): UnprovedEntry | undefined {
  const [{ stored }] = storedRow;
  const { file, from, to, named, doBalancesHold, isRead, rows } = coverage;
  if (stored.date < (named.from ?? from) || stored.date > (named.to ?? to)) return undefined;
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
