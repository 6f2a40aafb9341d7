/**
 * The stored entries of a row, by its reference. The first part of a split row has the reference of the row, and the others append their
 * numbers; in earlier versions the first part had its number too. A derived reference exists in two versions, the second for one source.
 * A row is never stored both whole and in parts, nor in the parts of two splits.
 */

import { daysBetween } from '../days.ts';
import { PARTS_MAX } from '../import/options.ts';
import type { ReadEntry } from '../import/result.ts';
import { haveVersion2, referenceWithin } from '../import/values/derived-reference.ts';
import { type ComparedPart, differences } from './compared-entry.ts';
import { DAYS_APART_MAX, type Row, sameDescription, signedSum } from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';

const NUMBERS = Array.from({ length: PARTS_MAX }, (_, index) => index + 1);
const PART = new RegExp(`#(?:${NUMBERS.join('|')})$`);

/** The reference of the row, from the reference of a part. */
export const rowOfPart = (reference: string) => reference.replace(PART, '');

/** The number of a part; 1 for a first part, or a whole row. */
export const partNumber = (reference: string) => Number(PART.exec(reference)?.[0].slice(1) ?? 1);

export const isPart = (reference: string) => PART.test(reference);

/** The possible references of a whole row and of its parts. */
const namesOf = (reference: string) => [reference, ...NUMBERS.map((number) => `${reference}#${number}`)];

/** A row compared with the books under a reference. */
export interface FoundByReference {
  /** Each part of the row. */
  parts: ComparedPart[];
  /** The entries that are the row. */
  storedEntries: readonly StoredEntry[];
  /** The entry that has the reference, and that the row does not resemble. */
  taken?: StoredEntry;
}

type NamedRow = Pick<Row, 'reference' | 'isReferenceDerived' | 'date'> & { text: string };

/** Finds the stored entries of rows by their references. */
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
      for (const name of isPart(reference) ? [reference, rowOfPart(reference)] : [reference]) {
        const ofRow = this.#byRow.get(name);
        if (ofRow) ofRow.push(stored);
        else this.#byRow.set(name, [stored]);
      }
    }
    this.#hasVersion2 = haveVersion2(books.byReference.keys());
  }

  /** The row compared with its entries. */
  compare(row: Row): FoundByReference {
    return this.compareAs(row, this.#storedName(row));
  }

  /** The row compared with its entries, under this reference. */
  compareAs(row: Row, reference: string): FoundByReference {
    const { byId } = this.#books;
    const reads = row.parts.map((read) => withReference(read, row.reference, reference));
    const parts = reads.map((read) => this.#comparedPart(read, row, reference));
    const found = parts.filter(isStored).flatMap(({ stored }) => byId.get(stored?.id ?? '') ?? []);
    const surplus = this.#surplusOf(row, reference, parts, reads);
    const storedEntries = [...found, ...surplus];
    if (storedEntries.length === 0) return { parts, storedEntries };
    const [first] = storedEntries as [StoredEntry];
    if (!isLike(row, storedEntries)) return takenBy(first, reads);
    if (surplus.length === 0 && !isStoredInOtherParts(row, parts)) return { parts, storedEntries };
    return { parts: asSplit(reads, parts, surplus, first), storedEntries };
  }

  /** The entries of a row whose source is not decided, in any source, and the name under which they are stored. */
  storedAnywhere(row: NamedRow & Pick<Row, 'earlierReference'>): {
    reference: string;
    storedEntries: readonly StoredEntry[];
  } {
    const { reference, earlierReference } = row;
    for (const name of [reference, earlierReference ?? reference]) {
      const first = this.#storedOf({ ...row, reference: name }, []);
      const storedEntries =
        first.length > 0 ? first : this.#storedOf({ ...row, reference: name }, this.#sourceIds());
      if (storedEntries.length > 0) return { reference: name, storedEntries };
    }
    return { reference, storedEntries: [] };
  }

  /** A part, compared with the entry that has its reference. */
  #comparedPart(read: ReadEntry, row: Row, rowName: string): ComparedPart {
    const { byReference, byId } = this.#books;
    const { entry, id, isReferenceDerived } = read;
    const own = read.source?.id ?? this.#sourceId ?? '';
    const reference = entry.externalRef ?? '';
    const isHere = (found: StoredEntry | undefined) => found?.source.id === own;
    // An entry without a reference, in an export of the ledger, is identified by its id.
    const found = isReferenceDerived && id !== undefined ? byId.get(id) : undefined;
    if (found && isHere(found)) return storedPart(read, found, reference);
    for (const name of this.#namesOfPart(read, rowName, own)) {
      const stored = byReference.get(name);
      if (stored && isHere(stored)) return storedPart(read, stored, name);
    }
    const other = found ?? byReference.get(reference);
    if (!other) return { matchStatus: 'new', toSend: entry };
    // A derived reference names the account, if the file does: then it is this payment. Two lists may have the same one.
    if (found || !isReferenceDerived || row.isSourceChosen || row.account !== '')
      return {
        matchStatus: 'elsewhere',
        toSend: entry,
        ...storedElsewhere(other),
        fields: differences(read, other.stored),
      };
    return {
      matchStatus: 'new',
      toSend: { ...entry, externalRef: referenceWithin(own, reference) },
      ...storedElsewhere(other),
    };
  }

  /** The references under which a part may be stored in its source. */
  #namesOfPart({ entry, part, isReferenceDerived }: ReadEntry, rowName: string, own: string): string[] {
    const reference = entry.externalRef ?? '';
    const numbered = part !== undefined && reference === rowName ? [`${rowName}#${part}`] : [];
    const version2 = isReferenceDerived && this.#hasVersion2 ? [referenceWithin(own, reference)] : [];
    const numberedWithin = version2.length > 0 ? numbered.map((name) => referenceWithin(own, name)) : [];
    return [...numbered, ...numberedWithin, reference, ...version2];
  }

  /** The entries of the row that none of its parts is. */
  #surplusOf(
    row: Row,
    reference: string,
    parts: readonly ComparedPart[],
    reads: readonly ReadEntry[],
  ): StoredEntry[] {
    const own = new Set(parts.filter(isStored).map(({ stored }) => stored?.id));
    const isEntryOf = ({ source: { id } }: StoredEntry) =>
      row.isSourceChosen || row.account !== '' || !row.isReferenceDerived || row.sourceIds.includes(id);
    // Another source may have version 1 of a part that this one has under version 2.
    const isOther = ({ stored: { externalRef }, source: { id } }: StoredEntry) =>
      !row.sourceIds.includes(id) &&
      parts.some((part, index) => isStored(part) && reads[index]?.entry.externalRef === externalRef);
    const named = this.#storedOf({ ...row, reference }, row.sourceIds).filter(isEntryOf);
    return named.filter((each) => !own.has(each.stored.id) && !isOther(each));
  }

  /**
   * All entries under the reference of a row or of its parts. A reference of a file may end like a part, such as a numbered invoice: a part
   * also has the date and the description of the whole row.
   */
  #storedOf(
    { reference, isReferenceDerived, ...row }: NamedRow,
    ids: readonly string[],
  ): readonly StoredEntry[] {
    const named = (this.#byRow.get(reference) ?? []).filter(
      ({ stored: { externalRef } }) =>
        externalRef === reference || !this.#wholeReferences.has(externalRef ?? ''),
    );
    if (isReferenceDerived) return [...named, ...this.#version2Of(ids, namesOf(reference))];
    const first = this.#books.byReference.get(reference);
    const like = first
      ? { date: first.stored.date, text: sameDescription(first.stored.description ?? '') }
      : row;
    return named.filter(
      ({ stored }) =>
        stored.externalRef === reference ||
        (stored.date === like.date && sameDescription(stored.description ?? '') === like.text),
    );
  }

  /** The stored name of a row: an earlier version of the reader derived another one. */
  #storedName({ reference, earlierReference, sourceIds }: Row): string {
    if (earlierReference === undefined) return reference;
    const names = [reference, earlierReference];
    const of = (name: string, ids: readonly string[]) => [
      ...(this.#byRow.get(name) ?? []),
      ...this.#version2Of(ids, [name]),
    ];
    const here = names.find((name) =>
      of(name, sourceIds).some(({ source: { id } }) => sourceIds.includes(id)),
    );
    const allIds = this.#sourceIds();
    return here ?? names.find((name) => of(name, allIds).length > 0) ?? reference;
  }

  /** The entries of these sources under version 2 of these references. */
  #version2Of(ids: readonly string[], names: readonly string[]): StoredEntry[] {
    if (!this.#hasVersion2) return [];
    const { byReference } = this.#books;
    return ids.flatMap((id) => names.flatMap((name) => byReference.get(referenceWithin(id, name)) ?? []));
  }

  #sourceIds(): string[] {
    return this.#books.sources.map(({ id }) => id);
  }
}

/** The stored entry of a part that this source does not have. */
export const storedElsewhere = ({ stored, source }: StoredEntry) => ({ stored, storedIn: source });

/** Whether an entry is this part. */
const isStored = ({ matchStatus }: ComparedPart) => matchStatus !== 'new';

const withReference = <Read extends ReadEntry>(read: Read, from: string, to: string): Read =>
  from === to
    ? read
    : {
        ...read,
        entry: { ...read.entry, externalRef: `${to}${(read.entry.externalRef ?? '').slice(from.length)}` },
        ...(read.part !== undefined && { rowReference: to }),
      };

function storedPart(read: ReadEntry, { stored }: StoredEntry, externalRef: string): ComparedPart {
  const fields = differences(read, stored);
  const toSend = { ...read.entry, externalRef };
  if (fields.length > 0) return { matchStatus: 'conflict', toSend, stored, fields };
  // The service compares the description too.
  if (stored.description === null) delete toSend.description;
  else toSend.description = stored.description;
  return { matchStatus: 'known', toSend, stored };
}

/** A row whose reference belongs to another entry. */
export const takenBy = (taken: StoredEntry, reads: readonly ReadEntry[]): FoundByReference => ({
  parts: reads.map(
    ({ entry }): ComparedPart => ({ matchStatus: 'taken', toSend: entry, ...storedElsewhere(taken) }),
  ),
  storedEntries: [],
  taken,
});

/** Whether some parts are stored, and others neither stored nor missing from an interrupted push. */
function isStoredInOtherParts({ parts }: Row, compared: readonly ComparedPart[]): boolean {
  if (parts.length === 1 || compared.every(isStored)) return false;
  return compared.some(({ matchStatus }) => matchStatus === 'conflict' || matchStatus === 'elsewhere');
}

/** The row is split in another way: none of its parts is sent. */
export const asSplit = (
  reads: readonly ReadEntry[],
  parts: readonly ComparedPart[],
  surplus: readonly StoredEntry[],
  first: StoredEntry,
): ComparedPart[] =>
  parts.map(({ matchStatus, stored }, index) => ({
    matchStatus: 'conflict',
    toSend: (reads[index] as ReadEntry).entry,
    surplus,
    stored: matchStatus === 'new' || !stored ? first.stored : stored,
    fields: ['split'],
  }));

/**
 * Whether the entries share with the row what its reference promises. A derived reference is the hash of the row, and the app may have
 * changed the entry: one fact is enough. The ids of banks and programs begin again, so that date, and amount or description, must agree.
 */
function isLike(row: Row, stored: readonly StoredEntry[]): boolean {
  if (row.parts.some(({ id }) => id !== undefined && stored.some((each) => each.stored.id === id)))
    return true;
  const all = stored.map((each) => each.stored);
  const amounts = row.parts.map(({ entry }) => `${entry.type} ${entry.amountPence}`);
  const isSameAmount =
    row.amounts.includes(signedSum(all)) ||
    all.some((each) => amounts.includes(`${each.type} ${each.amountPence}`));
  const texts = [row.text, ...row.parts.flatMap(({ earlier }) => earlier?.description ?? [])].map(
    sameDescription,
  );
  const isSameText = all.some(({ description }) => texts.includes(sameDescription(description ?? '')));
  const days = Math.min(...all.map(({ date }) => daysBetween(date, row.date)));
  if (row.isReferenceDerived) return isSameAmount || isSameText || days === 0;
  return days <= DAYS_APART_MAX && (isSameAmount || (isSameText && row.text !== ''));
}
