/**
 * The stored entries of a row, by its reference. The first part of a split row has the reference of the row, and the others append their
 * numbers; in earlier versions the first part had its number too. A derived reference exists in two versions, the second for one source.
 * A row is never stored both whole and in parts, nor in the parts of two splits.
 */
import type { ReadEntry } from '../import/result.ts';
import { haveVersion2, referenceWithin } from '../import/values/reference.ts';
import { type ComparedRow, differences } from './match-status.ts';
import { DAYS_APART_MAX, type Row, sumOf } from './row.ts';
import { sameDescription } from './same-description.ts';
import { type Books, daysBetween, type StoredEntry } from './stored-books.ts';

/** The most parts of a split. */
const PARTS_MAX = 20;
const PART = /#(?:[1-9]|1\d|20)$/;

/** The reference of the row, from the reference of a part. */
export const rowOfPart = (reference: string) => reference.replace(PART, '');

/** The number of a part; 1 for a first part, or a whole row. */
export const partNumber = (reference: string) => Number(PART.exec(reference)?.[0].slice(1) ?? 1);

export const isPart = (reference: string) => PART.test(reference);

/** The possible references of a whole row and of its parts. */
const namesOf = (reference: string) => [
  reference,
  ...Array.from({ length: PARTS_MAX }, (_, index) => `${reference}#${index + 1}`),
];

/** A row beside the books: each of its parts, and the entries that are the row. */
export interface Named {
  parts: ComparedRow[];
  stored: readonly StoredEntry[];
  /** The entry that has the reference, and that the row does not resemble. */
  taken?: StoredEntry;
}

type NamedRow = Pick<Row, 'reference' | 'isReferenceDerived' | 'date'> & { text: string };

export type ByReference = ReturnType<typeof byReferenceIn>;

/** @param wholeReferences of the rows of the run, which are no parts; @param sourceId of rows without a source of their own */
export function byReferenceIn(
  { byReference, byId, sources }: Books,
  wholeReferences: ReadonlySet<string>,
  sourceId: string | undefined,
) {
  const byRow = new Map<string, StoredEntry[]>();
  for (const [reference, stored] of byReference) {
    for (const name of isPart(reference) ? [reference, rowOfPart(reference)] : [reference]) {
      const ofRow = byRow.get(name);
      if (ofRow) ofRow.push(stored);
      else byRow.set(name, [stored]);
    }
  }
  const hasVersion2 = haveVersion2(byReference.keys());
  const within = (ids: readonly string[], names: readonly string[]) =>
    hasVersion2
      ? ids.flatMap((id) => names.flatMap((name) => byReference.get(referenceWithin(id, name)) ?? []))
      : [];

  /**
   * All entries under the reference of a row or of its parts. A reference of a file may end like a part, such as a numbered invoice: a part
   * also has the date and the description of the whole row.
   */
  function storedOf(
    { reference, isReferenceDerived, ...row }: NamedRow,
    ids: readonly string[],
  ): readonly StoredEntry[] {
    const named = (byRow.get(reference) ?? []).filter(
      ({ stored: { externalRef } }) => externalRef === reference || !wholeReferences.has(externalRef ?? ''),
    );
    if (isReferenceDerived) return [...named, ...within(ids, namesOf(reference))];
    const first = byReference.get(reference);
    const like = first
      ? { date: first.stored.date, text: sameDescription(first.stored.description ?? '') }
      : row;
    return named.filter(
      ({ stored }) =>
        stored.externalRef === reference ||
        (stored.date === like.date && sameDescription(stored.description ?? '') === like.text),
    );
  }

  /** The entries of a row whose source is not decided, in any source, and the name under which they are stored. */
  function storedAnywhere(row: NamedRow & Pick<Row, 'earlierReference'>): {
    reference: string;
    stored: readonly StoredEntry[];
  } {
    const { reference, earlierReference } = row;
    const allIds = sources.map(({ id }) => id);
    for (const name of [reference, earlierReference ?? reference]) {
      const first = storedOf({ ...row, reference: name }, []);
      const stored = first.length > 0 ? first : storedOf({ ...row, reference: name }, allIds);
      if (stored.length > 0) return { reference: name, stored };
    }
    return { reference, stored: [] };
  }

  /** The stored name of a row: an earlier version of the reader derived another one. */
  function storedName({ reference, earlierReference, sourceIds }: Row): string {
    if (earlierReference === undefined) return reference;
    const names = [reference, earlierReference];
    const of = (name: string, ids: readonly string[]) => [...(byRow.get(name) ?? []), ...within(ids, [name])];
    const here = names.find((name) =>
      of(name, sourceIds).some(({ source: { id } }) => sourceIds.includes(id)),
    );
    const allIds = sources.map(({ id }) => id);
    return here ?? names.find((name) => of(name, allIds).length > 0) ?? reference;
  }

  function comparedPart(read: ReadEntry, row: Row, rowName: string): ComparedRow {
    const { entry, id, part, isReferenceDerived } = read;
    const own = read.source?.id ?? sourceId ?? '';
    const reference = entry.externalRef ?? '';
    const isHere = (found: StoredEntry | undefined) => found?.source.id === own;
    // An entry without a reference, in an export of the ledger, is identified by its id.
    const found = isReferenceDerived && id !== undefined ? byId.get(id) : undefined;
    const numbered = part !== undefined && reference === rowName ? [`${rowName}#${part}`] : [];
    const second = isReferenceDerived && hasVersion2 ? [referenceWithin(own, reference)] : [];
    const numberedWithin = second.length > 0 ? numbered.map((name) => referenceWithin(own, name)) : [];
    if (found && isHere(found)) return storedPart(read, found, reference);
    for (const name of [...numbered, ...numberedWithin, reference, ...second]) {
      const stored = byReference.get(name);
      if (stored && isHere(stored)) return storedPart(read, stored, name);
    }
    const other = found ?? byReference.get(reference);
    if (!other) return { matchStatus: 'new', entry };
    // A derived reference names the account, if the file does: then it is this payment. Two lists may have the same one.
    if (found || !isReferenceDerived || row.isSourceChosen || row.account !== '')
      return { matchStatus: 'elsewhere', entry, ...other, fields: differences(read, other.stored) };
    return {
      matchStatus: 'new',
      entry: { ...entry, externalRef: referenceWithin(own, reference) },
      ...other,
    };
  }

  /** The row beside its entries, under this reference. */
  function compareAs(row: Row, reference: string): Named {
    const reads = row.parts.map((read) => withReference(read, row.reference, reference));
    const parts = reads.map((read) => comparedPart(read, row, reference));
    const isOfRow = ({ matchStatus }: ComparedRow) => matchStatus !== 'new';
    const isEntryOf = ({ source: { id } }: StoredEntry) =>
      row.isSourceChosen || row.account !== '' || !row.isReferenceDerived || row.sourceIds.includes(id);
    const own = new Set(parts.filter(isOfRow).map(({ stored }) => stored?.id));
    // Another source may have version 1 of a part that this one has under version 2.
    const isOther = ({ stored: { externalRef }, source: { id } }: StoredEntry) =>
      !row.sourceIds.includes(id) &&
      parts.some((part, index) => isOfRow(part) && reads[index]?.entry.externalRef === externalRef);
    const named = storedOf({ ...row, reference }, row.sourceIds).filter(isEntryOf);
    const surplus = named.filter((each) => !own.has(each.stored.id) && !isOther(each));
    const found = parts.filter(isOfRow).flatMap(({ stored }) => byId.get(stored?.id ?? '') ?? []);
    const stored = [...found, ...surplus];
    if (stored.length === 0) return { parts, stored };
    const [first] = stored as [StoredEntry];
    if (!isLike(row, stored)) return takenBy(first, reads);
    if (surplus.length === 0 && !isStoredInOtherParts(row, parts)) return { parts, stored };
    return { parts: asSplit(reads, parts, surplus, first), stored };
  }

  return { storedAnywhere, compareAs, compare: (row: Row) => compareAs(row, storedName(row)) };
}

const withReference = <Read extends ReadEntry>(read: Read, from: string, to: string): Read =>
  from === to
    ? read
    : {
        ...read,
        entry: { ...read.entry, externalRef: `${to}${(read.entry.externalRef ?? '').slice(from.length)}` },
        ...(read.part !== undefined && { rowReference: to }),
      };

function storedPart(read: ReadEntry, { stored }: StoredEntry, externalRef: string): ComparedRow {
  const fields = differences(read, stored);
  const entry = { ...read.entry, externalRef };
  if (fields.length > 0) return { matchStatus: 'conflict', entry, stored, fields };
  // The service compares the description too.
  if (stored.description === null) delete entry.description;
  else entry.description = stored.description;
  return { matchStatus: 'known', entry, stored };
}

/** A row whose reference belongs to another entry. */
export const takenBy = (taken: StoredEntry, reads: readonly ReadEntry[]): Named => ({
  parts: reads.map(({ entry }): ComparedRow => ({ matchStatus: 'taken', entry, ...taken })),
  stored: [],
  taken,
});

/** Whether some parts are stored, and others neither stored nor missing from an interrupted push. */
function isStoredInOtherParts({ parts }: Row, compared: readonly ComparedRow[]): boolean {
  if (parts.length === 1 || compared.every(({ matchStatus }) => matchStatus !== 'new')) return false;
  return compared.some(({ matchStatus }) => matchStatus === 'conflict' || matchStatus === 'elsewhere');
}

/** The row is split in another way: none of its parts is sent. */
export const asSplit = (
  reads: readonly ReadEntry[],
  parts: readonly ComparedRow[],
  surplus: readonly StoredEntry[],
  first: StoredEntry,
): ComparedRow[] =>
  parts.map(({ matchStatus, stored }, index) => ({
    matchStatus: 'conflict',
    entry: (reads[index] as ReadEntry).entry,
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
    row.amounts.includes(sumOf(all)) ||
    all.some((each) => amounts.includes(`${each.type} ${each.amountPence}`));
  const texts = [row.text, ...row.parts.flatMap(({ earlier }) => earlier?.description ?? [])].map(
    sameDescription,
  );
  const isSameText = all.some(({ description }) => texts.includes(sameDescription(description ?? '')));
  const days = Math.min(...all.map(({ date }) => daysBetween(date, row.date)));
  if (row.isReferenceDerived) return isSameAmount || isSameText || days === 0;
  return days <= DAYS_APART_MAX && (isSameAmount || (isSameText && row.text !== ''));
}
