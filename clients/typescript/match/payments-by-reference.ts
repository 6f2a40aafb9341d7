/**
 * The payments of the rows, by their references. A row that an earlier file has too joins the payment of that row. Any other row is a payment of
 * its own: stored, if the books have its reference, or else the one that it had while another payment had its reference; otherwise new, under a
 * reference that no other payment has (`UsedReferences`).
 */

import { daysBetween } from '../days.ts';
import type { EarlierClosingOf } from './after-closing.ts';
import { hasRowOfFile, Payment, repeatedRow } from './payment.ts';
import { DAYS_APART_MAX } from './payment-facts.ts';
import { type ReferenceIndex, type ReferenceMatch, takenBy } from './reference-index.ts';
import { reusedIds } from './reused-ids.ts';
import type { RepeatedRow, Row } from './row.ts';
import type { Books } from './stored-books.ts';
import type { StoredRow } from './stored-row.ts';
import { UsedReferences } from './used-references.ts';

interface PaymentsByReference {
  payments: readonly Payment[];
  /** Rows that an earlier file has too. */
  repeated: readonly RepeatedRow[];
  /** The first of these without the name of an account. */
  unnamed: RepeatedRow | undefined;
}

export function paymentsByReference(
  rows: readonly Row[],
  books: Books,
  index: ReferenceIndex,
  closingBefore: EarlierClosingOf,
): PaymentsByReference {
  const payments: Payment[] = [];
  const repeated: RepeatedRow[] = [];
  let unnamed: RepeatedRow | undefined;
  const ownMatches = new Map(rows.map((row) => [row, index.match(row)]));
  const isReused = reusedIds(rows, books, ownMatches);
  const used = new UsedReferences(index);
  const byReference = new Map<string, Payment[]>();
  for (const row of rows) {
    const underReference = byReference.get(row.reference) ?? [];
    const closing = closingBefore(row);
    const isOfClosingDay = closing?.date === row.date;
    const isRepeated = (payment: Payment) => isRepeatedBy(row, payment, isReused);
    const earlier = isOfClosingDay && closing.isOfRun ? undefined : underReference.find(isRepeated);
    if (earlier) {
      const repetition = repeatedRow(row, earlier);
      repeated.push(repetition);
      if (row.isReferenceDerived && row.account === '') unnamed ??= repetition;
      earlier.addRows([row]);
      continue;
    }
    const own = withoutReused(row, ownMatches.get(row) as ReferenceMatch, isReused);
    // An equal payment of the day may be stored, or this one by a push that was interrupted.
    const isAgainstBalance = isOfClosingDay && closing.isKept && own.storedEntries.length > 0;
    const match = used.matchOf(row, own, isAgainstBalance);
    used.add(row, match);
    const payment = paymentOf(row, match, isAgainstBalance);
    payments.push(payment);
    byReference.set(row.reference, [...underReference, payment]);
  }
  return { payments, repeated, unnamed };
}

type IsReused = ReturnType<typeof reusedIds>;

/** Whether an earlier file has the row, in this payment. Another amount under one id is another payment, or a correction. */
function isRepeatedBy(row: Row, payment: Payment, isReused: IsReused): boolean {
  const { rows, storedRow } = payment;
  const isOfId = (earlier: Row) =>
    daysBetween(earlier.date, row.date) <= DAYS_APART_MAX &&
    !isReused(row, earlier) &&
    !(storedRow && isReused(row, storedRow));
  return (
    !hasRowOfFile(payment, row) &&
    rows.some((earlier) => earlier.pence === row.pence && (row.isReferenceDerived || isOfId(earlier)))
  );
}

/** The row under its own reference, which another entry holds if the bank has used the id again. */
function withoutReused(row: Row, own: ReferenceMatch, isReused: IsReused): ReferenceMatch {
  const [storedEntry] = own.storedEntries;
  return storedEntry && !row.isReferenceDerived && isReused(row, own.storedEntries as StoredRow)
    ? takenBy(storedEntry, row.parts)
    : own;
}

function paymentOf(row: Row, match: ReferenceMatch, isAgainstBalance: boolean): Payment {
  const { comparedParts, storedEntries, holder } = match;
  const storedRow = storedEntries.length > 0 ? (storedEntries as StoredRow) : undefined;
  return new Payment([row], storedRow, comparedParts, {
    isReferenceTaken: holder !== undefined,
    isAgainstBalance,
  });
}
