/** Rows that were stored before their account had its name: a derived reference is the hash of the row with the name, and some ids begin with it. */
import { groupBy } from '../group-by.ts';
import { isDerivedFrom } from '../import/values/derived-reference.ts';
import { rowOfPart } from './part-reference.ts';
import type { Payment } from './payment.ts';
import { factKey } from './payment-facts.ts';
import { hashedContent, type Row } from './row.ts';
import { type StoredRow, storedFacts } from './stored-row.ts';

type StoredPayment = Payment & { readonly storedRow: StoredRow };

/**
 * Joins rows without an entry with unmatched entries that are these rows under an earlier name of the account.
 * @returns all payments; some have entries alone
 */
export function withEarlierAccounts(
  payments: readonly Payment[],
  unmatched: readonly Payment[],
): Set<Payment> {
  const all = new Set([...payments, ...unmatched]);
  const open = payments.filter(
    ({ rows, storedRow, isReferenceTaken }) => !storedRow && !isReferenceTaken && rows[0]?.account !== '',
  );
  const byDay = groupBy(open.length > 0 ? unmatched : [], ({ storedRow }) => storedRow?.[0].stored.date);
  for (const payment of open) {
    const [row] = payment.rows as [Row];
    const isOfRow = (other: Payment): other is StoredPayment =>
      other.storedRow !== undefined && all.has(other) && isUnderEarlierAccount(row, other.storedRow);
    const isHere = ({ storedRow }: StoredPayment) =>
      storedRow.some(({ source }) => row.sourceIds.includes(source.id));
    const ofRow = (byDay.get(row.date) ?? []).filter(isOfRow);
    const earlier = ofRow.find(isHere) ?? ofRow[0];
    if (!earlier) continue;
    all.delete(earlier);
    payment.becomeStored(earlier.storedRow);
  }
  return all;
}

/** Whether the row was stored when its file did not name the account, or named it otherwise in ids that are the bank's. */
function isUnderEarlierAccount(row: Row, storedRow: StoredRow): boolean {
  if (factKey(storedFacts(storedRow)) !== factKey(row)) return false;
  const { account, reference, isReferenceDerived } = row;
  const [{ stored, source }] = storedRow;
  const storedReference = rowOfPart(stored.externalRef ?? '');
  if (isReferenceDerived)
    return isDerivedFrom(storedReference, { ...hashedContent(row), account: '' }, source.id);
  const id = reference.startsWith(`${account}:`) ? reference.slice(account.length) : undefined;
  return id !== undefined && (storedReference.endsWith(id) || storedReference === id.slice(1));
}
