/**
 * The coverage of a file: it should have every payment of its account between its first and its last day. On these two days it may begin or
 * end between two payments, and OFX and CAMT name further days without rows: of those, the file may lack payments.
 */

import { dayAfter, type Period, periodFromTo } from '../days.ts';
import { chainOf } from '../import/chain/chain.ts';
import { isUnnamed, originOf, prefixOf } from '../match/origin.ts';
import { rowOfPart } from '../match/part-reference.ts';
import type { Payment } from '../match/payment.ts';
import { DAYS_APART_MAX } from '../match/payment-facts.ts';
import type { FileResult, Row } from '../match/row.ts';
import type { StoredRow } from '../match/stored-row.ts';

/** The coverage of one statement of a file. */
export interface Coverage {
  file: string;
  account: string;
  from: string;
  to: string;
  /** The same with the days that the bank names before and after, at most `DAYS_APART_MAX` of them. */
  daysNamed: Period;
  /** An entry of the first or the last day that no row is, is then before its opening or after its closing balance. */
  doBalancesHold: boolean;
  /** Every row of the file can be read and is decided. */
  isRead: boolean;
  rows: readonly Row[];
  /** The first half of the keys of decisions about this file: see `wholeFileKey`. */
  key: { reference: string };
}

/**
 * The first half of the keys of decisions about the coverage of a file. With `WHOLE_FILE` a decision is about all entries of unknown origin
 * that the file lacks, and with the id of an entry of its first or its last day about that day.
 */
export const wholeFileKey = ({ name, result: { entries } }: FileResult): { reference: string } => {
  const references = entries.map(({ entry, rowReference = entry.externalRef }) => rowReference);
  const ends = [references[0] ?? name, references.at(-1) ?? '', String(references.length)];
  return { reference: `file:${ends.map(encodeURIComponent).join(':')}` };
};

/** The second half of a key whose decision is about the whole file, not about one of its days. */
export const WHOLE_FILE = 'entries';

/** The coverage of each statement of a file. @param rows the rows of all files */
export function coveragesOf(read: FileResult, rows: readonly Row[]): Coverage[] {
  const { name: file, result } = read;
  return result.statements.flatMap((statement) => {
    const { account } = statement;
    const days = statement.rows.map(({ date }) => date).sort();
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return [];
    const [before, after] = [dayAfter(from, -DAYS_APART_MAX), dayAfter(to, DAYS_APART_MAX)];
    const near = (date = from) => ({ date: [before, date, after].sort()[1] ?? date });
    const daysNamed = periodFromTo([...statement.rows, near(statement.from), near(statement.to)]);
    const numbers = new Set(statement.rows.map(({ row }) => row));
    const ofStatement = rows.filter((row) => row.file === file && numbers.has(row.row));
    const isRead = result.invalid.length === 0;
    const doBalancesHold = chainOf(statement).state === 'holds';
    const key = wholeFileKey(read);
    return { file, account, from, to, daysNamed, doBalancesHold, isRead, rows: ofStatement, key };
  });
}

/** Whether the reference of entries shows the account of the file. */
export function isProvedOf({ account, rows }: Coverage, storedRow: StoredRow): boolean {
  const withPrefix = rows.find((row) => prefixOf(row) !== undefined);
  return originOf(storedRow, account, { prefix: withPrefix && prefixOf(withPrefix) }) === 'this';
}

/**
 * Whether entries may be of the file, although their reference does not show its account.
 * @param sourceId of rows without a source of their own
 */
export function mayBeOf(
  coverage: Coverage,
  storedRow: StoredRow,
  payments: readonly Payment[],
  sourceId: string | undefined,
): boolean {
  const { account, rows } = coverage;
  const [{ stored, source }] = storedRow;
  const ids = new Set([sourceId, ...rows.flatMap(({ sourceIds }) => sourceIds)]);
  const hasIds = rows.some((row) => !row.isReferenceDerived) || isStoredUnderIds(coverage, payments);
  const isOfAccount = () => isUnnamed(storedRow, hasIds) || hasOtherName(coverage, payments);
  const isPossible = account === '' ? stored.externalRef !== null : isOfAccount();
  // Rules put rows into any source.
  const isOfSources = ids.has(source.id) || rows.some(({ isSourceChosen }) => isSourceChosen);
  return isOfSources && isPossible;
}

/** Whether rows of the file are stored under ids that carry no account: a person has said so. */
const isStoredUnderIds = ({ rows: ofFile }: Coverage, payments: readonly Payment[]): boolean =>
  payments.some(
    ({ rows, storedRow }) =>
      storedRow !== undefined &&
      rows.some((row) => ofFile.includes(row)) &&
      isUnnamed(storedRow, true) &&
      !isUnnamed(storedRow, false),
  );

/** Whether rows of the file are stored under another name of the account: a person has said so. */
function hasOtherName({ account, rows: ofFile }: Coverage, payments: readonly Payment[]): boolean {
  const isStoredOtherwise = (row: Row, storedRow: StoredRow) =>
    ofFile.includes(row) &&
    rowOfPart(storedRow[0].stored.externalRef ?? row.reference) !== row.reference &&
    originOf(storedRow, account, { prefix: prefixOf(row), row }) !== 'this' &&
    !isUnnamed(storedRow, true);
  return payments.some(({ rows: [row], storedRow }) => row && storedRow && isStoredOtherwise(row, storedRow));
}
