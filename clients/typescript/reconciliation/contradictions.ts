/**
 * Files of one account that contradict each other: at most one of them is right. A person sees which, and reconciles that file alone.
 *
 * - Two rows are one payment, and differ (`differentRows`).
 * - A payment has a row in one file, and none in another that covers its day (`contradictedRows`). `may.csv` and `all.csv` are of one account,
 *   and both have rows from 1 to 31 May. `may.csv` has a payment of 12 May, which is stored, and `all.csv` does not have it. Where a file names
 *   no account, the entry may also be a duplicate of a payment of the later file, if that payment has no row in the first file.
 */

import { isSameQuarter } from '../days.ts';
import { FIELD_WORDS } from '../match/compared-entry.ts';
import { type Decision, type Decisions, pairKey, recordIdOf } from '../match/decision.ts';
import type { Matched } from '../match/match.ts';
import { isSameAccount, mayBeSameAccount } from '../match/origin.ts';
import { decisionIdsOf, hasRowOfFile, type Payment } from '../match/payment.ts';
import { isNear, signedSum } from '../match/payment-facts.ts';
import type { Row } from '../match/row.ts';
import { asStoredRow, type StoredRow } from '../match/stored-row.ts';
import type { Coverage } from './coverage.ts';
import { asDuplicate, type Duplicated, duplicatedRows, type GoneStoredRow } from './gone.ts';
import type { OmittedPayment } from './omitted.ts';

/** A row of a payment, and the first row of that payment, which has other facts. */
export interface DifferentRow {
  row: Row;
  firstRow: Row;
  /** The stored payment, if there is one. */
  storedRow: StoredRow | undefined;
  /** The names of these facts, for people. */
  differing: string;
}

export const differentRows = (payments: Matched['payments']): DifferentRow[] =>
  payments.flatMap(({ rows, storedRow }) => {
    const [firstRow, ...others] = rows as [Row, ...Row[]];
    return others.flatMap((row) => {
      const facts = differingFacts(firstRow, row);
      return facts.length > 0 ? { row, firstRow, storedRow, differing: facts.join(' and ') } : [];
    });
  });

/**
 * Banks change dates and descriptions: a date counts if it is in another quarter, and a description never. A property and a category count if the
 * rules or the files name one for both rows.
 */
function differingFacts(one: Row, other: Row): string[] {
  const isOfProperty = one.sourceIds.some((id) => other.sourceIds.includes(id));
  const areChosen = one.isSourceChosen && other.isSourceChosen;
  const [categories, otherCategories] = [partCategories(one), partCategories(other)];
  const isOfCategory = categories.some((category) => otherCategories.includes(category));
  const areNamed = categories.length > 0 && otherCategories.length > 0;
  return [
    ...(amountsOfRow(one).some((pence) => amountsOfRow(other).includes(pence))
      ? []
      : [FIELD_WORDS.amountPence]),
    ...(isSameQuarter(one.date, other.date) ? [] : [FIELD_WORDS.date]),
    ...(areChosen && !isOfProperty ? ['property'] : []),
    ...(areNamed && !isOfCategory ? [FIELD_WORDS.category] : []),
  ];
}

/** The amount of the row, and of all that it sends: a list with one of its parts differs. */
const amountsOfRow = ({ pence, parts }: Row) => [pence, signedSum(parts.map(({ entry }) => entry))];

const partCategories = ({ parts }: Row) => parts.flatMap(({ entry }) => entry.category ?? []);

interface ContradictionsInput {
  decisions: Decisions;
  coverages: readonly Coverage[];
  /** Rows of the files that make no entry. */
  omitted: readonly OmittedPayment[];
  paymentOf: ReadonlyMap<Row, Payment>;
}

/** A stored payment, and the file that lacks it. */
interface ContradictedPayment {
  /** Its row in each file. */
  rows: readonly [Row, ...Row[]];
  storedRow: StoredRow;
  file: string;
  /** The rows of that file that it may be a duplicate of. */
  duplicated: readonly Duplicated[];
}

/** The stored rows of payments that another file lacks between its first and its last day. */
export function contradictedRows(
  { matched: { payments }, decisions }: { matched: Matched; decisions: Decisions },
  coverages: readonly Coverage[],
  omitted: readonly OmittedPayment[],
): GoneStoredRow[] {
  const paymentOf = new Map(payments.flatMap((payment) => payment.rows.map((row) => [row, payment])));
  const input = { decisions, coverages, omitted, paymentOf };
  const contradicted = payments.flatMap((payment) => contradictedPayment(payment, input) ?? []);
  const isDecided = ({ duplicated }: ContradictedPayment) => duplicated.some(({ isCertain }) => isCertain);
  contradicted.sort((a, b) => Number(isDecided(b)) - Number(isDecided(a)));
  /** A payment has at most one duplicate. */
  const used = new Set<Payment>();
  return contradicted.map(({ rows, storedRow, file, duplicated }): GoneStoredRow => {
    const [firstRow] = rows;
    const possible = duplicated.filter(({ row }) => {
      const payment = paymentOf.get(row);
      // Two rows of one file are two payments.
      const hasRowBeside = payment && rows.some((ofFile) => hasRowOfFile(payment, ofFile));
      return !payment || !(hasRowBeside || used.has(payment));
    });
    const duplicate = possible.find(({ isCertain }) => isCertain) ?? possible[0];
    if (!duplicate) return { storedRow, file, other: firstRow, isCertain: false };
    const { row } = duplicate;
    const payment = paymentOf.get(row);
    if (payment) used.add(payment);
    // The answer also holds for a push after the removal, because it is about two rows.
    const pair = payment?.storedRow ? { row: firstRow, storedRow: asStoredRow(row) } : { row, storedRow };
    return asDuplicate(storedRow, duplicate, pair);
  });
}

/** A stored payment, if another file lacks it. */
function contradictedPayment(payment: Payment, input: ContradictionsInput): ContradictedPayment | undefined {
  const { storedRow } = payment;
  if (!storedRow) return undefined;
  const rows = [...payment.rows] as [Row, ...Row[]];
  const lacking = lackingFiles(rows, input);
  const ofAccount = lacking.find(({ account }) => isSameAccount(account, rows[0].account));
  if (ofAccount) return { rows, storedRow, file: ofAccount.file, duplicated: [] };
  const last = input.coverages.findLastIndex(({ file }) => rows.some((row) => row.file === file));
  const later = lacking.filter((coverage) => input.coverages.indexOf(coverage) > last);
  const duplicated = later.flatMap((coverage) =>
    duplicatedRows(coverage.rows, storedRow, (row) => decisionOn(row, rows, storedRow, input)),
  );
  const [best] = duplicated;
  return best && { rows, storedRow, file: best.row.file, duplicated };
}

/** The files that cover the days of these rows, and lack them. */
function lackingFiles(
  rows: ContradictedPayment['rows'],
  { coverages, omitted }: ContradictionsInput,
): Coverage[] {
  const [firstRow] = rows;
  return coverages.filter(
    ({ file, account, from, to, isRead }) =>
      isRead &&
      mayBeSameAccount(account, firstRow.account) &&
      rows.every((row) => row.file !== file && from < row.date && row.date < to) &&
      !omitted.some((row) => row.file === file && row.text === firstRow.text && isNear(row, firstRow)),
  );
}

/** The decision whether a stored payment is a duplicate of a row of another file. One about its entries ends with them, so it removes nothing. */
function decisionOn(
  row: Row,
  rows: ContradictedPayment['rows'],
  storedRow: StoredRow,
  { paymentOf, decisions }: ContradictionsInput,
): Decision | undefined {
  const [firstRow] = rows;
  const other = paymentOf.get(row) ?? { rows: [row], storedRow: undefined };
  const keys = [
    ...decisionIdsOf(other).map((id) => pairKey(firstRow, id)),
    pairKey(row, recordIdOf(firstRow)),
  ];
  const ofRows = keys.map((key) => decisions.get(key)).find((decision) => decision !== undefined);
  const ofEntries = decisionIdsOf({ rows, storedRow }).map((id) => decisions.get(pairKey(row, id)));
  return ofRows ?? ofEntries.find((decision) => decision === 'separate');
}
