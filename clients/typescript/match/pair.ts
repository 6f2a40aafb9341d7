/** Pairs for a person to decide about: a row, and the record that it may be. */
import { daysBetween } from '../days.ts';
import type { CandidatePair } from './candidates.ts';
import type { Payment } from './payment.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { Row } from './row.ts';
import { asStoredRow, type StoredRow, storedFacts } from './stored-row.ts';

/** A row, and the record that it may be. */
export interface Pair {
  row: Row;
  /** The stored row, or the row of another file as if it was stored. */
  storedRow: StoredRow;
  /** The row of another file, if the books do not have it. */
  other?: Row;
}

/** The first row of the open payment, with the record of its candidate. */
export function pairOf({ open, candidate }: CandidatePair): Pair {
  const [row] = open.rows as [Row];
  if (candidate.storedRow) return { row, storedRow: candidate.storedRow };
  const [other] = candidate.rows as [Row];
  return { row, storedRow: asStoredRow(other), other };
}

/** The pair to show for each open payment: the most alike one, and each candidate once while there is another one. */
export function shownPairs(question: readonly CandidatePair[]): Map<Payment, Pair> {
  const byLikeness = question
    .map(({ open, candidate }) => {
      const pair = pairOf({ open, candidate });
      return { open, candidate, pair, likeness: likeness(pair.row, storedFacts(pair.storedRow)) };
    })
    .sort((one, other) => likenessOrder(one.likeness, other.likeness));
  const shown = new Map<Payment, Pair>();
  const used = new Set<Payment>();
  for (const isOnce of [true, false]) {
    for (const { open, candidate, pair } of byLikeness) {
      if (shown.has(open) || (isOnce && used.has(candidate))) continue;
      shown.set(open, pair);
      used.add(candidate);
    }
  }
  return shown;
}

/**
 * Numbers that `likenessOrder` compares in turn: whether amount and description are equal, the days between the records, and whether the
 * other one is earlier. A payment is booked after it was pending.
 */
export const likeness = (row: Row, { date, pence, text }: PaymentFacts): number[] => [
  (row.amounts.includes(pence) ? 0 : 2) + (text === row.text ? 0 : 1),
  ...[daysBetween(date, row.date), date <= row.date ? 0 : 1],
];

/** The most alike one first. */
export const likenessOrder = (one: readonly number[], other: readonly number[]): number =>
  one.map((each, index) => each - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
