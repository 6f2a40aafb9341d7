/** The payments of rows whose reference, or whose hash under an earlier name of the account, the books or an earlier file have. */

import { daysBetween } from '../days.ts';
import { groupBy } from '../group-by.ts';
import { isDerivedFrom, referenceDeriver } from '../import/values/derived-reference.ts';
import { closingsBefore } from './after-closing.ts';
import { type FoundByReference, type ReferenceIndex, rowOfPart, takenBy } from './by-reference.ts';
import { asStored } from './compared-parts.ts';
import { reusedIds } from './equal.ts';
import type { StoredRow } from './origin.ts';
import { factKey, isOfFileOf, type MatchInput, type Payment, repetition, storedFacts } from './payments.ts';
import { DAYS_APART_MAX, type Repetition, type Row } from './row.ts';

/** Finds the payment of each row by its reference. A row that an earlier file has joins its payment. */
export function paymentsByReference({ rows, files, books, closings }: MatchInput, index: ReferenceIndex) {
  const closingBefore = closingsBefore(files, closings);
  const compared = new Map(rows.map((row) => [row, index.compare(row)]));
  const isReused = reusedIds(rows, books, compared);
  /** The entries by the reference of the row. */
  const ownOf = (row: Row): FoundByReference => {
    const own = compared.get(row) as FoundByReference;
    const [first] = own.storedEntries;
    const isOther = first && !row.isReferenceDerived && isReused(row, own.storedEntries as StoredRow);
    return isOther ? takenBy(first, row.parts) : own;
  };
  /** A row of an earlier file is this payment. Another amount under one id is another payment, or a correction. */
  const isRepeated = (row: Row, { rows: earlier, storedRow }: Payment) => {
    const isPayment = (each: Row) =>
      daysBetween(each.date, row.date) <= DAYS_APART_MAX &&
      ![each, ...(storedRow ? [storedRow] : [])].some((other) => isReused(row, other));
    return earlier.some((each) => each.pence === row.pence && (row.isReferenceDerived || isPayment(each)));
  };
  const payments: Payment[] = [];
  const repeated: Repetition[] = [];
  const byReference = new Map<string, Payment[]>();
  /** The ids of entries that are a row. */
  const matched = new Set<string>();
  /** The references under which rows are sent: two rows never share one. */
  const names = new Set<string | undefined>();
  let unnamed: Repetition | undefined;
  const add = (row: Row, { parts, storedEntries, taken }: FoundByReference, isAgainstBalance = false) => {
    const whole = storedEntries.length > 0 ? (storedEntries as StoredRow) : undefined;
    const payment: Payment = {
      rows: [row],
      storedRow: whole,
      parts,
      isTaken: taken !== undefined,
      isAgainstBalance,
    };
    payments.push(payment);
    for (const each of storedEntries) matched.add(each.stored.id);
    names.add(nameOf(parts));
    byReference.set(row.reference, [...(byReference.get(row.reference) ?? []), payment]);
  };
  const isFree = ({ storedEntries }: FoundByReference) =>
    !storedEntries.some((each) => matched.has(each.stored.id));
  for (const row of rows) {
    const sameName = byReference.get(row.reference) ?? [];
    const closing = closingBefore(row);
    const isOfDay = closing?.date === row.date;
    const first = sameName.find((each) => !isOfFileOf(each, row) && isRepeated(row, each));
    if (first && !(isOfDay && closing.isOfRun)) {
      repeated.push(repetition(row, first));
      if (row.isReferenceDerived && row.account === '') unnamed ??= repeated.at(-1);
      first.rows.push(row);
      continue;
    }
    const own = ownOf(row);
    // An equal payment of the day may be stored, or this one by a push that was interrupted.
    const isAgainstBalance = isOfDay && !closing.isOfRun && own.storedEntries.length > 0;
    const isNamed = names.has(nameOf(own.parts));
    const isOwn = sameName.length === 0 && !isNamed && isFree(own) && !own.taken && !isAgainstBalance;
    if (isOwn && (own.storedEntries.length > 0 || row.isReferenceDerived)) {
      add(row, own);
      continue;
    }
    // While another payment had its reference, the row was stored under another name.
    const others = otherNames(row).map((name) => index.compareAs(row, name));
    const found = isAgainstBalance
      ? undefined
      : others.find((each) => each.storedEntries.length > 0 && isFree(each));
    if (found || own.taken || isOwn) add(row, found ?? own);
    else {
      const unused = others.find(
        ({ storedEntries, taken, parts }) =>
          storedEntries.length === 0 && !taken && !names.has(nameOf(parts)),
      );
      const [taken] = own.storedEntries;
      add(row, unused ?? { parts: own.parts, storedEntries: [], ...(taken && { taken }) }, isAgainstBalance);
    }
  }
  return { payments, repeated, unnamed, closingBefore };
}

const nameOf = ([first]: FoundByReference['parts']) => first?.toSend.externalRef;

const NAMES_TRIED = 5;

/** The references of equal payments of the day, after the row's own. With an id of the file, which another payment has: the first ones. */
function otherNames(row: Row): string[] {
  const derive = referenceDeriver();
  const names = Array.from({ length: NAMES_TRIED }, () =>
    derive({ ...hashedContent(row), account: row.account }),
  );
  return row.isReferenceDerived ? names.slice(names.indexOf(row.reference) + 1 || NAMES_TRIED) : names;
}

/** The content of a derived reference. */
function hashedContent({ date, pence, parts: [first] }: Row) {
  const { pence: amount = Math.abs(pence), currency } = first?.conversion ?? {};
  const type = pence < 0 ? ('expense' as const) : ('income' as const);
  return { date, type, pence: amount, currency, description: first?.entry.description ?? '' };
}

/** Joins rows with entries that were stored before their account had the name. @returns all payments; some have entries alone */
export function withEarlierNames(payments: readonly Payment[], unmatched: readonly Payment[]): Set<Payment> {
  const all = new Set([...payments, ...unmatched]);
  const open = payments.filter(
    ({ rows, storedRow, isTaken }) => !storedRow && !isTaken && rows[0]?.account !== '',
  );
  const byDay = groupBy(open.length > 0 ? unmatched : [], ({ storedRow }) => storedRow?.[0].stored.date);
  for (const payment of open) {
    const [row] = payment.rows as [Row];
    const isEqual = (each: Payment): each is Payment & { storedRow: StoredRow } =>
      each.storedRow !== undefined && all.has(each) && isOfRowBefore(row, each.storedRow);
    const equal = (byDay.get(row.date) ?? []).filter(isEqual);
    const isHere = ({ storedRow }: { storedRow: StoredRow }) =>
      storedRow.some(({ source }) => row.sourceIds.includes(source.id));
    const found = equal.find(isHere) ?? equal[0];
    if (!found) continue;
    all.delete(found);
    payment.storedRow = found.storedRow;
    payment.parts = asStored(row, found.storedRow, true);
  }
  return all;
}

/** Whether the row was stored when its file did not name the account, or named it otherwise in ids that are the bank's. */
function isOfRowBefore(row: Row, storedRow: StoredRow): boolean {
  if (factKey(storedFacts(storedRow)) !== factKey(row)) return false;
  const { account, reference, isReferenceDerived } = row;
  const [first] = storedRow;
  const name = rowOfPart(first.stored.externalRef ?? '');
  if (isReferenceDerived) return isDerivedFrom(name, { ...hashedContent(row), account: '' }, first.source.id);
  const id = reference.startsWith(`${account}:`) ? reference.slice(account.length) : undefined;
  return id !== undefined && (name.endsWith(id) || name === id.slice(1));
}
