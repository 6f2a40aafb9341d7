/**
 * The references of the payments of a run, and the reference that another row gets. Its own one is free if no earlier payment of the run and no
 * other entry has it.
 *
 * | its own reference | and then the row is |
 * |---|---|
 * | free, with its entries | stored under it |
 * | free, without entries | new under it, unless it has the id of a bank and is stored under a derived reference |
 * | of an entry that it does not resemble | stored under another reference, or else taken |
 * | of an earlier row, or of the entries of one | stored under another reference, or else new under the first unused one |
 * | free, but the balance says that its entries are an equal payment | new under the first unused one |
 */

import { OCCURRENCES_MAX, referenceDeriver } from '../import/values/derived-reference.ts';
import type { ReferenceIndex, ReferenceMatch } from './reference-index.ts';
import { hashedContent, type Row } from './row.ts';

export class UsedReferences {
  readonly #index: ReferenceIndex;
  readonly #ofRows = new Set<string>();
  /** Two payments never share one. */
  readonly #sent = new Set<string | undefined>();
  /** The ids of entries that are a row. */
  readonly #matchedIds = new Set<string>();

  constructor(index: ReferenceIndex) {
    this.#index = index;
  }

  /** A payment has the references and the entries. */
  add({ reference }: Row, { comparedParts, storedEntries }: ReferenceMatch): void {
    this.#ofRows.add(reference);
    this.#sent.add(sentReference(comparedParts));
    for (const { stored } of storedEntries) this.#matchedIds.add(stored.id);
  }

  /** The row under the reference that it has or gets. @param own the row under its own reference */
  matchOf(row: Row, own: ReferenceMatch, isAgainstBalance: boolean): ReferenceMatch {
    const isFree = this.#isOwnFree(row, own) && !isAgainstBalance;
    if (isFree && (own.storedEntries.length > 0 || row.isReferenceDerived)) return own;
    // While another payment had its reference, the row was stored under another one.
    const others = otherReferences(row).map((reference) => this.#index.matchUnder(row, reference));
    const isStored = (other: ReferenceMatch) => other.storedEntries.length > 0 && this.#isUnmatched(other);
    const stored = isAgainstBalance ? undefined : others.find(isStored);
    if (stored || own.holder || isFree) return stored ?? own;
    const isUnused = (other: ReferenceMatch) =>
      other.storedEntries.length === 0 && !other.holder && !this.#isSent(other);
    const [holder] = own.storedEntries;
    return others.find(isUnused) ?? { comparedParts: own.comparedParts, storedEntries: [], holder };
  }

  /** Whether no payment so far and no other entry has the reference of the row, or the entries under it. */
  #isOwnFree({ reference }: Row, own: ReferenceMatch): boolean {
    const isFirst = !this.#ofRows.has(reference) && !this.#isSent(own);
    return isFirst && this.#isUnmatched(own) && !own.holder;
  }

  #isUnmatched({ storedEntries }: ReferenceMatch): boolean {
    return !storedEntries.some(({ stored }) => this.#matchedIds.has(stored.id));
  }

  #isSent({ comparedParts }: ReferenceMatch): boolean {
    return this.#sent.has(sentReference(comparedParts));
  }
}

const sentReference = ([first]: ReferenceMatch['comparedParts']) => first?.toSend.externalRef;

/** The references of equal payments of the day, after the row's own. With an id of the file, which another payment has: the first ones. */
function otherReferences(row: Row): string[] {
  const derive = referenceDeriver();
  const references = Array.from({ length: OCCURRENCES_MAX }, () =>
    derive({ ...hashedContent(row), account: row.account }),
  );
  const ownIndex = references.indexOf(row.reference);
  return row.isReferenceDerived ? references.slice(ownIndex + 1 || OCCURRENCES_MAX) : references;
}
