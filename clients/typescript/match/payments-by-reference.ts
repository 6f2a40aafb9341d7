/**
 * The payments of the rows, by their references. A row that an earlier file has too joins the payment of that row. Any other row is a payment of
 * its own: stored, if the books have its reference, or else the one that it had while another payment had its reference; otherwise new, under a
 * reference that no other payment has.
 */

import { daysBetween } from '../days.ts';
import { OCCURRENCES_MAX, referenceDeriver } from '../import/values/derived-reference.ts';
import type { EarlierClosingOf } from './after-closing.ts';
import { hasRowOfFile, type Payment, repeatedRow } from './payment.ts';
import { DAYS_APART_MAX } from './payment-facts.ts';
import { type ComparedRow, type ReferenceIndex, takenBy } from './reference-index.ts';
import { reusedIds } from './reused-ids.ts';
import { hashedContent, type RepeatedRow, type Row } from './row.ts';
import type { Books } from './stored-books.ts';
import type { StoredRow } from './stored-row.ts';

export class PaymentsByReference {
  readonly payments: Payment[] = [];
  /** Rows that an earlier file has too. */
  readonly repeated: RepeatedRow[] = [];
  /** The first of these without the name of an account. */
  unnamed: RepeatedRow | undefined;
  readonly #index: ReferenceIndex;
  readonly #closingBefore: EarlierClosingOf;
  /** Each row, compared under its own reference. */
  readonly #compared: ReadonlyMap<Row, ComparedRow>;
  readonly #isReused: ReturnType<typeof reusedIds>;
  /** By the references of the rows. */
  readonly #byReference = new Map<string, Payment[]>();
  /** The ids of entries that are a row. */
  readonly #matchedIds = new Set<string>();
  /** Two payments never share one. */
  readonly #sentReferences = new Set<string | undefined>();

  constructor(rows: readonly Row[], books: Books, index: ReferenceIndex, closingBefore: EarlierClosingOf) {
    this.#index = index;
    this.#closingBefore = closingBefore;
    this.#compared = new Map(rows.map((row) => [row, index.compare(row)]));
    this.#isReused = reusedIds(rows, books, this.#compared);
    for (const row of rows) this.#add(row);
  }

  #add(row: Row): void {
    const closing = this.#closingBefore(row);
    const isOfClosingDay = closing?.date === row.date;
    const earlier = isOfClosingDay && closing.isOfRun ? undefined : this.#inEarlierFile(row);
    if (earlier) this.#join(row, earlier);
    else {
      const underOwn = this.#underOwnReference(row);
      // An equal payment of the day may be stored, or this one by a push that was interrupted.
      const isAgainstBalance = isOfClosingDay && closing.isKept && underOwn.storedEntries.length > 0;
      this.#create(row, this.#underFreeReference(row, underOwn, isAgainstBalance), isAgainstBalance);
    }
  }

  /** The payment of the same row of an earlier file. Another amount under one id is another payment, or a correction. */
  #inEarlierFile(row: Row): Payment | undefined {
    const isPayment = (earlier: Row, { storedRow }: Payment) =>
      daysBetween(earlier.date, row.date) <= DAYS_APART_MAX &&
      !this.#isReused(row, earlier) &&
      !(storedRow && this.#isReused(row, storedRow));
    const isRepeated = (payment: Payment) =>
      payment.rows.some(
        (earlier) => earlier.pence === row.pence && (row.isReferenceDerived || isPayment(earlier, payment)),
      );
    return this.#underReferenceOf(row).find((each) => !hasRowOfFile(each, row) && isRepeated(each));
  }

  #join(row: Row, payment: Payment): void {
    const repetition = repeatedRow(row, payment);
    this.repeated.push(repetition);
    if (row.isReferenceDerived && row.account === '') this.unnamed ??= repetition;
    payment.rows.push(row);
  }

  /** The row under its own reference, which another entry holds if the bank has used the id again. */
  #underOwnReference(row: Row): ComparedRow {
    const underOwn = this.#compared.get(row) as ComparedRow;
    const [storedEntry] = underOwn.storedEntries;
    const isReused =
      storedEntry && !row.isReferenceDerived && this.#isReused(row, underOwn.storedEntries as StoredRow);
    return isReused ? takenBy(storedEntry, row.parts) : underOwn;
  }

  /**
   * The row under the reference that it has or gets. Its own one is free if no earlier payment of the run and no other entry has it.
   *
   * | its own reference | and then the row is |
   * |---|---|
   * | free, with its entries | stored under it |
   * | free, without entries | new under it. With the id of a bank, it may be stored under a derived reference: see below |
   * | of an entry that it does not resemble | stored under another reference, or else taken |
   * | of an earlier row, or of the entries of one | stored under another reference, or else new under the first unused one |
   * | free, but the balance says that its entries are an equal payment | new under the first unused one |
   */
  #underFreeReference(row: Row, underOwn: ComparedRow, isAgainstBalance: boolean): ComparedRow {
    const isFree = this.#isOwnFree(row, underOwn) && !isAgainstBalance;
    if (isFree && (underOwn.storedEntries.length > 0 || row.isReferenceDerived)) return underOwn;
    // While another payment had its reference, the row was stored under another one.
    const others = otherReferences(row).map((reference) => this.#index.compareAs(row, reference));
    const isStored = (other: ComparedRow) => other.storedEntries.length > 0 && this.#isUnmatched(other);
    const stored = isAgainstBalance ? undefined : others.find(isStored);
    if (stored || underOwn.holder || isFree) return stored ?? underOwn;
    const isUnused = (other: ComparedRow) =>
      other.storedEntries.length === 0 && !other.holder && !this.#isSent(other);
    const [holder] = underOwn.storedEntries;
    return others.find(isUnused) ?? { parts: underOwn.parts, storedEntries: [], holder };
  }

  #create(row: Row, { parts, storedEntries, holder }: ComparedRow, isAgainstBalance: boolean): void {
    const payment: Payment = {
      rows: [row],
      storedRow: storedEntries.length > 0 ? (storedEntries as StoredRow) : undefined,
      parts,
      isReferenceTaken: holder !== undefined,
      isAgainstBalance,
    };
    this.payments.push(payment);
    for (const { stored } of storedEntries) this.#matchedIds.add(stored.id);
    this.#sentReferences.add(sentReference(parts));
    this.#byReference.set(row.reference, [...this.#underReferenceOf(row), payment]);
  }

  #underReferenceOf({ reference }: Row): readonly Payment[] {
    return this.#byReference.get(reference) ?? [];
  }

  /** Whether no payment so far and no other entry has the reference of the row, or the entries under it. */
  #isOwnFree(row: Row, underOwn: ComparedRow): boolean {
    const isFirst = this.#underReferenceOf(row).length === 0 && !this.#isSent(underOwn);
    return isFirst && this.#isUnmatched(underOwn) && !underOwn.holder;
  }

  #isUnmatched({ storedEntries }: ComparedRow): boolean {
    return !storedEntries.some(({ stored }) => this.#matchedIds.has(stored.id));
  }

  #isSent({ parts }: ComparedRow): boolean {
    return this.#sentReferences.has(sentReference(parts));
  }
}

const sentReference = ([first]: ComparedRow['parts']) => first?.toSend.externalRef;

/** The references of equal payments of the day, after the row's own. With an id of the file, which another payment has: the first ones. */
function otherReferences(row: Row): string[] {
  const derive = referenceDeriver();
  const references = Array.from({ length: OCCURRENCES_MAX }, () =>
    derive({ ...hashedContent(row), account: row.account }),
  );
  const ownIndex = references.indexOf(row.reference);
  return row.isReferenceDerived ? references.slice(ownIndex + 1 || OCCURRENCES_MAX) : references;
}
