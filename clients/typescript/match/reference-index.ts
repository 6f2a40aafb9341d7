/**
 * Matches a row with the stored entries under its reference, and compares its parts with them. The entries of a row with the reference R may be
 * stored under another one:
 *
 * | stored under | if | found by |
 * |---|---|---|
 * | R itself, the usual case | | `#comparedPart` |
 * | version 2 of R, which has the source in its hash | R is derived, and another source had it already | `#referencesOfPart`, `#version2Of` |
 * | an earlier reference | an earlier version of the reader derived it, and the row's sources have no entry under R | `#storedReference` |
 * | R with a number, `R#2` | the entry is a part of a split row. A first part has R, in earlier versions `R#1` | `#referencesOfPart`, `#byRow` |
 *
 * Numbered parts have these versions too. An entry without a reference, in an export of the ledger, is found by its id. A row is never stored both
 * whole and in parts, nor in the parts of two splits.
 */

import { daysBetween } from '../days.ts';
import type { ImportEntry } from '../import/result.ts';
import { haveVersion2, referenceWithin } from '../import/values/derived-reference.ts';
import { type ComparedPart, differences, type New, type StoredPart } from './compared-entry.ts';
import { asSplit, storedPart } from './compared-parts.ts';
import { isPartReference, partReferences, rowOfPart } from './part-reference.ts';
import { DAYS_APART_MAX, descriptionKey, signedSum } from './payment-facts.ts';
import type { Row } from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';

/** A row and the entries that the books have under its reference. */
export interface ReferenceMatch {
  comparedParts: ComparedPart[];
  /** The entries that are the row. */
  storedEntries: readonly StoredEntry[];
  /** The entry that has the reference, and that the row does not resemble. */
  holder?: StoredEntry | undefined;
}

type ReferencedRow = Pick<Row, 'reference' | 'isReferenceDerived' | 'date'> & { text: string };

export class ReferenceIndex {
  readonly #books: Books;
  readonly #wholeReferences: ReadonlySet<string>;
  readonly #sourceId: string | undefined;
  /** The entries under the reference of a row: the whole row and its parts. */
  readonly #byRow = new Map<string, StoredEntry[]>();
  readonly #hasVersion2: boolean;

  /** @param wholeReferences of the rows of the run, which are no parts; @param sourceId of rows without a source of their own */
  constructor(books: Books, wholeReferences: ReadonlySet<string>, sourceId: string | undefined) {
    this.#books = books;
    this.#wholeReferences = wholeReferences;
    this.#sourceId = sourceId;
    for (const [reference, stored] of books.byReference) {
      for (const rowReference of isPartReference(reference)
        ? [reference, rowOfPart(reference)]
        : [reference]) {
        const entries = this.#byRow.get(rowReference);
        if (entries) entries.push(stored);
        else this.#byRow.set(rowReference, [stored]);
      }
    }
    this.#hasVersion2 = haveVersion2(books.byReference.keys());
  }

  /** Matches the row with the entries under its own reference. */
  match(row: Row): ReferenceMatch {
    return this.matchUnder(row, this.#storedReference(row));
  }

  /** Matches the row with the entries under another reference. */
  matchUnder(row: Row, reference: string): ReferenceMatch {
    const { byId } = this.#books;
    const parts = row.parts.map((part) => withReference(part, row.reference, reference));
    const comparedParts = parts.map((part) => this.#comparedPart(part, row, reference));
    const entriesOfParts = comparedParts.filter(isStored).flatMap(({ stored }) => byId.get(stored.id) ?? []);
    const surplus = this.#surplusOf(row, reference, comparedParts, parts);
    const storedEntries = [...entriesOfParts, ...surplus];
    if (storedEntries.length === 0) return { comparedParts, storedEntries };
    const [firstEntry] = storedEntries as [StoredEntry];
    if (!isLike(row, storedEntries)) return takenBy(firstEntry, parts);
    if (surplus.length === 0 && !isStoredInOtherParts(row, comparedParts))
      return { comparedParts, storedEntries };
    const ownEntries = comparedParts.map((part) => (isStored(part) ? part.stored : undefined));
    return { comparedParts: asSplit(parts, ownEntries, surplus, firstEntry), storedEntries };
  }

  /** The entries of a row whose source is not decided, in any source, and the reference under which they are stored. */
  storedAnywhere(row: ReferencedRow & Pick<Row, 'earlierReference'>) {
    const { earlierReference = row.reference } = row;
    for (const reference of [row.reference, earlierReference]) {
      for (const sourceIds of [[], this.#sourceIds()]) {
        const storedEntries = this.#storedOf({ ...row, reference }, sourceIds);
        if (storedEntries.length > 0) return { reference, storedEntries };
      }
    }
    return { reference: row.reference, storedEntries: [] };
  }

  /** A part, compared with the entry that has its reference. */
  #comparedPart(part: ImportEntry, row: Row, rowReference: string): New | StoredPart {
    const { byReference, byId } = this.#books;
    const { entry, id, isReferenceDerived } = part;
    const sourceId = part.source?.id ?? this.#sourceId ?? '';
    const reference = entry.externalRef ?? '';
    const isHere = ({ source }: StoredEntry) => source.id === sourceId;
    // An entry without a reference, in an export of the ledger, is identified by its id.
    const withId = isReferenceDerived && id !== undefined ? byId.get(id) : undefined;
    if (withId && isHere(withId)) return storedPart(part, withId, reference);
    for (const possible of this.#referencesOfPart(part, rowReference, sourceId)) {
      const stored = byReference.get(possible);
      if (stored && isHere(stored)) return storedPart(part, stored, possible);
    }
    const holder = withId ?? byReference.get(reference);
    if (!holder) return { matchStatus: 'new', toSend: entry };
    // A derived reference names the account, if the file does: then it is this payment. Two lists may have the same one.
    if (withId || !isReferenceDerived || row.isSourceChosen || row.account !== '') {
      const { stored, source } = holder;
      const fields = differences(part, stored);
      return { matchStatus: 'elsewhere', toSend: entry, stored, storedIn: source, fields };
    }
    const toSend = { ...entry, externalRef: referenceWithin(sourceId, reference) };
    return { matchStatus: 'new', toSend, equalElsewhere: holder };
  }

  /** The references under which a part may be stored in its source. */
  #referencesOfPart(
    { entry, part, isReferenceDerived }: ImportEntry,
    rowReference: string,
    sourceId: string,
  ): string[] {
    const reference = entry.externalRef ?? '';
    const numbered = part !== undefined && reference === rowReference ? [`${rowReference}#${part}`] : [];
    const version2 = isReferenceDerived && this.#hasVersion2 ? [referenceWithin(sourceId, reference)] : [];
    const numberedWithin =
      version2.length > 0 ? numbered.map((possible) => referenceWithin(sourceId, possible)) : [];
    return [...numbered, ...numberedWithin, reference, ...version2];
  }

  /** The entries of the row that none of its parts is. */
  #surplusOf(
    row: Row,
    reference: string,
    comparedParts: readonly (New | StoredPart)[],
    parts: readonly ImportEntry[],
  ): StoredEntry[] {
    const idsOfParts = new Set(comparedParts.filter(isStored).map(({ stored }) => stored.id));
    const isEntryOfRow = ({ source: { id } }: StoredEntry) =>
      row.isSourceChosen || row.account !== '' || !row.isReferenceDerived || row.sourceIds.includes(id);
    // Another source may have version 1 of a part that this one has under version 2.
    const isOfOtherSource = ({ stored: { externalRef }, source: { id } }: StoredEntry) =>
      !row.sourceIds.includes(id) &&
      comparedParts.some((part, index) => isStored(part) && parts[index]?.entry.externalRef === externalRef);
    const entriesOfRow = this.#storedOf({ ...row, reference }, row.sourceIds).filter(isEntryOfRow);
    return entriesOfRow.filter((entry) => !idsOfParts.has(entry.stored.id) && !isOfOtherSource(entry));
  }

  /**
   * All entries under the reference of a row or of its parts. A reference of a file may end like a part, such as a numbered invoice: a part
   * also has the date and the description of the whole row.
   */
  #storedOf(
    { reference, isReferenceDerived, ...row }: ReferencedRow,
    sourceIds: readonly string[],
  ): readonly StoredEntry[] {
    const underReference = (this.#byRow.get(reference) ?? []).filter(
      ({ stored: { externalRef } }) =>
        externalRef === reference || !this.#wholeReferences.has(externalRef ?? ''),
    );
    if (isReferenceDerived)
      return [...underReference, ...this.#version2Of(sourceIds, partReferences(reference))];
    const stored = this.#books.byReference.get(reference)?.stored;
    const whole = stored ? { date: stored.date, text: descriptionKey(stored.description ?? '') } : row;
    return underReference.filter(
      ({ stored }) =>
        stored.externalRef === reference ||
        (stored.date === whole.date && descriptionKey(stored.description ?? '') === whole.text),
    );
  }

  /** The stored reference of a row: an earlier version of the reader derived another one. */
  #storedReference({ reference, earlierReference, sourceIds }: Row): string {
    if (earlierReference === undefined) return reference;
    const references = [reference, earlierReference];
    const storedUnder = (possible: string, ids: readonly string[]) => [
      ...(this.#byRow.get(possible) ?? []),
      ...this.#version2Of(ids, [possible]),
    ];
    const here = references.find((possible) =>
      storedUnder(possible, sourceIds).some(({ source: { id } }) => sourceIds.includes(id)),
    );
    const allIds = this.#sourceIds();
    return here ?? references.find((possible) => storedUnder(possible, allIds).length > 0) ?? reference;
  }

  /** The entries of these sources under version 2 of these references. */
  #version2Of(sourceIds: readonly string[], references: readonly string[]): StoredEntry[] {
    if (!this.#hasVersion2) return [];
    const { byReference } = this.#books;
    return sourceIds.flatMap((id) =>
      references.flatMap((reference) => byReference.get(referenceWithin(id, reference)) ?? []),
    );
  }

  #sourceIds(): string[] {
    return this.#books.sources.map(({ id }) => id);
  }
}

/** Whether an entry is this part. */
const isStored = (part: New | StoredPart): part is StoredPart => part.matchStatus !== 'new';

const withReference = <Part extends ImportEntry>(part: Part, from: string, to: string): Part =>
  from === to
    ? part
    : {
        ...part,
        entry: { ...part.entry, externalRef: `${to}${(part.entry.externalRef ?? '').slice(from.length)}` },
        ...(part.part !== undefined && { rowReference: to }),
      };

/** A row whose reference belongs to another entry. */
export const takenBy = (holder: StoredEntry, parts: readonly ImportEntry[]): ReferenceMatch => ({
  comparedParts: parts.map(({ entry }): ComparedPart => ({ matchStatus: 'taken', toSend: entry, holder })),
  storedEntries: [],
  holder,
});

/** Whether some parts are stored, and others neither stored nor missing from an interrupted push. */
function isStoredInOtherParts({ parts }: Row, comparedParts: readonly (New | StoredPart)[]): boolean {
  if (parts.length === 1 || comparedParts.every(isStored)) return false;
  return comparedParts.some(({ matchStatus }) => matchStatus === 'conflict' || matchStatus === 'elsewhere');
}

/**
 * Whether the entries share with the row what its reference promises. A derived reference is the hash of the row, and the app may have
 * changed the entry: one fact is enough. The ids of banks and programs begin again, so that date, and amount or description, must agree.
 */
function isLike(row: Row, storedEntries: readonly StoredEntry[]): boolean {
  const entries = storedEntries.map(({ stored }) => stored);
  if (row.parts.some(({ id }) => id !== undefined && entries.some((entry) => entry.id === id))) return true;
  const typedAmount = ({ type, amountPence }: { type: string; amountPence: number }) =>
    `${type} ${amountPence}`;
  const amounts = row.parts.map(({ entry }) => typedAmount(entry));
  const isSameAmount =
    row.amounts.includes(signedSum(entries)) || entries.some((entry) => amounts.includes(typedAmount(entry)));
  const texts = [row.text, ...row.parts.flatMap(({ earlier }) => earlier?.description ?? [])].map(
    descriptionKey,
  );
  const isSameText = entries.some(({ description }) => texts.includes(descriptionKey(description ?? '')));
  const days = Math.min(...entries.map(({ date }) => daysBetween(date, row.date)));
  if (row.isReferenceDerived) return isSameAmount || isSameText || days === 0;
  return days <= DAYS_APART_MAX && (isSameAmount || (isSameText && row.text !== ''));
}
