/**
 * The candidates of each open payment, which has a row and no entry: other payments that it may be. These have its amount or its description, at
 * most five days apart, and may be of its account, by the accounts, the sources and the balances of both. Or a person
 * has said that they are one.
 */

import { dayAfter, periodFromTo, widened } from '../days.ts';
import type { EarlierClosing, EarlierClosingOf } from './after-closing.ts';
import { contentKey, type Decisions, sameRecordIds } from './decision.ts';
import { mayBeEntry, mayBeSameAccount } from './origin.ts';
import { decisionIdsOf, hasFacts, type Payment } from './payment.ts';
import { DAYS_APART_MAX, isNear, type PaymentFacts } from './payment-facts.ts';
import type { Row } from './row.ts';
import { storedFacts } from './stored-row.ts';

/** An open payment, and another one that it may be. */
export interface CandidatePair {
  open: Payment;
  candidate: Payment;
}

/** The candidates of each open payment: first by decisions, then by likeness. */
export function candidatesOf(
  payments: ReadonlySet<Payment>,
  decisions: Decisions,
  closingBefore: EarlierClosingOf,
): CandidatePair[] {
  const allOpen = [...payments].filter(({ rows, storedRow }) => rows.length > 0 && !storedRow);
  if (allOpen.length === 0) return [];
  const sameAs = decidedSame(payments, decisions);
  const similarTo = similarPayments(payments, allOpen, closingBefore);
  return allOpen.flatMap((open) =>
    [...new Set([...sameAs(open), ...similarTo(open)])]
      .filter((candidate) => candidate !== open)
      .map((candidate) => ({ open, candidate })),
  );
}

function decidedSame(payments: ReadonlySet<Payment>, decisions: Decisions): (open: Payment) => Payment[] {
  const idsByRow = sameRecordIds(decisions);
  if (idsByRow.size === 0) return () => [];
  const ids = [...payments].flatMap((payment) => decisionIdsOf(payment).map((id) => [id, payment] as const));
  // Of two payments with one reference, the later one is joined with the first.
  const byId = new Map(ids.toReversed());
  return ({ rows: [row] }) =>
    (idsByRow.get(contentKey(row as Row)) ?? []).flatMap((id) => byId.get(id) ?? []);
}

function similarPayments(
  payments: ReadonlySet<Payment>,
  allOpen: readonly Payment[],
  closingBefore: EarlierClosingOf,
): (open: Payment) => Payment[] {
  const closingOf = withoutContradicted(allOpen, closingBefore);
  const order = new Map([...payments].map((payment, index) => [payment, index]));
  const index = similarityIndex(payments, allOpen);
  return (open) => {
    const [row] = open.rows as [Row];
    const mayBe = (other: Payment) => {
      const { rows, storedRow } = other;
      if (!hasFacts(other, (facts) => isNear(row, facts))) return false;
      if (rows.length === 0) return storedRow !== undefined && mayBeEntry(row, storedRow, closingOf(row));
      // Of two payments without entries, the later one is asked about.
      const isEarlier = storedRow || (order.get(open) ?? 0) > (order.get(other) ?? 0);
      return isEarlier && rows.every((otherRow) => mayBeRow(row, otherRow, closingOf));
    };
    const keys = DAYS.flatMap((days) => similarityKeys(row, dayAfter(row.date, days)));
    return [...new Set(keys.flatMap((key) => index.get(key) ?? []))].filter(mayBe);
  };
}

const DAYS = Array.from({ length: 2 * DAYS_APART_MAX + 1 }, (_, index) => index - DAYS_APART_MAX);

/** The payments that open ones are compared with, by their similarity keys. */
function similarityIndex(
  payments: ReadonlySet<Payment>,
  allOpen: readonly Payment[],
): Map<string, Payment[]> {
  const files = new Set([...payments].flatMap(({ rows }) => rows.map(({ file }) => file)));
  const { from = '', to = '' } = widened(periodFromTo(allOpen.flatMap(({ rows }) => rows)), DAYS_APART_MAX);
  const index = new Map<string, Payment[]>();
  for (const payment of payments) {
    const { rows, storedRow } = payment;
    // Rows of one file are not compared with each other.
    if (rows.length > 0 && files.size === 1) continue;
    const date = storedRow?.[0].stored.date ?? from;
    if (rows.length === 0 && (date < from || date > to)) continue;
    const records = [...rows, ...(storedRow ? [storedFacts(storedRow)] : [])];
    for (const key of new Set(records.flatMap((record) => similarityKeys(record, record.date)))) {
      const similar = index.get(key);
      if (similar) similar.push(payment);
      else index.set(key, [payment]);
    }
  }
  return index;
}

/** Payments that have one of them in common resemble each other: an amount or a description, on a day. */
const similarityKeys = ({ pence, text, amounts = [pence] }: PaymentFacts, day: string) => [
  ...amounts.map((amount) => `${day} ${amount}`),
  ...(text === '' ? [] : [`${day} text ${text}`]),
];

/** The earlier statement lacks a row that its closing balance includes: then the balance is chance, and excludes nothing. */
function withoutContradicted(allOpen: readonly Payment[], closingBefore: EarlierClosingOf) {
  const statementKey = ({ file, account }: Row) => `${file} ${account}`;
  const rows = allOpen.flatMap(({ rows: [row] }) => row ?? []);
  const closings = new Map(
    rows.flatMap((row) => (closingBefore(row) ? [[statementKey(row), closingBefore(row)?.date]] : [])),
  );
  const isIncluded = (row: Row) => !closingBefore(row) && row.date <= (closings.get(statementKey(row)) ?? '');
  const contradicted = new Set(rows.filter(isIncluded).map(statementKey));
  return (row: Row) => (contradicted.has(statementKey(row)) ? undefined : closingBefore(row));
}

/** Whether a row may be a row of another file, by the accounts and the balances of both. */
function mayBeRow(row: Row, other: Row, closingBefore: (row: Row) => EarlierClosing | undefined): boolean {
  const isAfter = (later: Row, { account, date }: Row) => {
    const { isOfRun = false, unseenUntil, date: closingDate } = closingBefore(later) ?? {};
    if (!isOfRun || later.account !== account || unseenUntil === undefined) return false;
    // Within the day of the balance, it separates the rows.
    return date <= unseenUntil || (date === closingDate && later.date === closingDate);
  };
  const isOneAccount = row.file !== other.file && mayBeSameAccount(row.account, other.account);
  return isOneAccount && !isAfter(row, other) && !isAfter(other, row);
}
