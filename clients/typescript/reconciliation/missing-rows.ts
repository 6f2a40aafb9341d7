/**
 * Stored rows of one file that another file lacks between its first and its last day.
 *
 * `may.csv` and `all.csv` are of one account, and both have rows from 1 to 31 May. `may.csv` has a payment of 12 May, which is stored, and
 * `all.csv` does not have it. Then one of the files is wrong, and a person has to look. Where a file names no account, the payment may also be a
 * duplicate of a payment of the later file: of one that has no row in the file of its own.
 */

import { type Decision, type Decisions, pairKey, recordIdOf } from '../match/decision.ts';
import { isSameAccount, mayBeSameAccount } from '../match/origin.ts';
import { decisionIdsOf, hasRowOfFile, type Payment } from '../match/payment.ts';
import { isNear } from '../match/payment-facts.ts';
import type { Row } from '../match/row.ts';
import type { StoredRow } from '../match/stored-row.ts';
import { asStoredRow } from '../match/stored-row.ts';
import type { Coverage } from './coverage.ts';
import { asDuplicate, type Duplicated, duplicatedRows, type UnprovedEntry } from './duplicates.ts';
import type { OmittedPayment } from './omitted.ts';

interface Input {
  coverages: readonly Coverage[];
  /** Rows of the files that make no entry. */
  omittedRows: readonly OmittedPayment[];
  payments: readonly Payment[];
  decisions: Decisions;
}

/** A stored payment, and the file that lacks it. */
interface Missing {
  /** Its row in each file, and the first of them. */
  rows: readonly Row[];
  firstRow: Row;
  storedRow: StoredRow;
  file: string;
  duplicated: readonly Duplicated[];
}

export function missingRows(input: Input): UnprovedEntry[] {
  const paymentOf = paymentsByRow(input.payments);
  const missing = input.payments.flatMap((payment) => missingOf(payment, paymentOf, input) ?? []);
  const isDecided = ({ duplicated }: Missing) => duplicated.some(({ isCertain }) => isCertain);
  missing.sort((a, b) => Number(isDecided(b)) - Number(isDecided(a)));
  /** A payment has at most one duplicate. */
  const used = new Set<Payment>();
  return missing.map(({ rows, firstRow, storedRow, file, duplicated }): UnprovedEntry => {
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

type PaymentOf = ReadonlyMap<Row, Payment>;

const paymentsByRow = (payments: readonly Payment[]): PaymentOf =>
  new Map(payments.flatMap((payment) => payment.rows.map((row) => [row, payment] as const)));

/** A stored payment, if another file lacks it. */
function missingOf({ rows, storedRow }: Payment, paymentOf: PaymentOf, input: Input): Missing | undefined {
  const [firstRow] = rows;
  if (!storedRow || !firstRow) return undefined;
  const lacking = lackingOf(rows, firstRow, input);
  const named = lacking.find(({ account }) => isSameAccount(account, firstRow.account));
  if (named) return { rows, firstRow, storedRow, file: named.file, duplicated: [] };
  const last = input.coverages.findLastIndex(({ file }) => rows.some((row) => row.file === file));
  const later = lacking.filter((coverage) => input.coverages.indexOf(coverage) > last);
  const decisionAbout = (row: Row) =>
    decisionOn(row, { rows, firstRow, storedRow }, paymentOf, input.decisions);
  const duplicated = later.flatMap((coverage) => duplicatedRows(coverage.rows, storedRow, decisionAbout));
  const [best] = duplicated;
  return best && { rows, firstRow, storedRow, file: best.row.file, duplicated };
}

/** The files that cover the days of these rows, and lack them. */
function lackingOf(rows: readonly Row[], firstRow: Row, { coverages, omittedRows }: Input): Coverage[] {
  return coverages.filter(
    ({ file, account, from, to, isRead }) =>
      isRead &&
      mayBeSameAccount(account, firstRow.account) &&
      rows.every((row) => row.file !== file && from < row.date && row.date < to) &&
      !omittedRows.some((row) => row.file === file && row.text === firstRow.text && isNear(row, firstRow)),
  );
}

/** The decision about the row of entries and a row of another file. A decision about the entries ends with them, so it removes nothing. */
function decisionOn(
  row: Row,
  { rows, firstRow, storedRow }: Pick<Missing, 'rows' | 'firstRow' | 'storedRow'>,
  paymentOf: PaymentOf,
  decisions: Decisions,
): Decision | undefined {
  const other = paymentOf.get(row) ?? { rows: [row], storedRow: undefined };
  const keys = [
    ...decisionIdsOf(other).map((id) => pairKey(firstRow, id)),
    pairKey(row, recordIdOf(firstRow)),
  ];
  const ofRows = keys.map((key) => decisions.get(key)).find((decision) => decision !== undefined);
  const ofEntries = decisionIdsOf({ rows, storedRow }).map((id) => decisions.get(pairKey(row, id)));
  return ofRows ?? ofEntries.find((decision) => decision === 'separate');
}
