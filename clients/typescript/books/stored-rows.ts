/** The stored entries of rows of files: under the reference of a row, or of its parts. */
import { haveVersion2, referenceWithin } from '../import/values/reference.ts';
import { sameDescription } from './same-description.ts';
import type { Books, StoredEntry } from './stored-books.ts';

/** The reference of the row, from the reference of a part. */
export const rowOfPart = (reference: string) => reference.replace(/#[1-9]\d?$/, '');

/** The number of a part; 1 for a first part, or a whole row. */
export const partNumber = (reference: string) => Number(/#([1-9]\d?)$/.exec(reference)?.[1] ?? 1);

export const isPart = (reference: string) => rowOfPart(reference) !== reference;

interface NamedRow {
  rowReference: string;
  isReferenceDerived: boolean;
  date: string;
  description?: string | undefined;
}

/** The possible references of a whole row and of its parts. */
export const namesOf = (rowReference: string) => [
  rowReference,
  ...Array.from({ length: 20 }, (_, index) => `${rowReference}#${index + 1}`),
];

/**
 * Finds the stored entries of a row: the whole row, or its parts. With `sourceId`, only in that source. References of a file may end like
 * parts, such as numbered invoices: a part also has the date and the description of the first one, or of the row.
 */
export function storedRows({
  byReference,
  sources,
}: Books): (row: NamedRow, sourceId?: string) => readonly StoredEntry[] {
  const found = new Map<string, StoredEntry[]>();
  for (const [reference, stored] of byReference) {
    for (const name of new Set([reference, rowOfPart(reference)])) {
      const ofRow = found.get(name);
      if (ofRow) ofRow.push(stored);
      else found.set(name, [stored]);
    }
  }
  const hasVersion2 = haveVersion2(byReference.keys());
  const isOf = ({ date, description }: { date: string; description?: string | null | undefined }) => {
    const text = sameDescription(description ?? '');
    return ({ stored }: StoredEntry) =>
      stored.date === date && sameDescription(stored.description ?? '') === text;
  };
  return (row, sourceId) => {
    const { rowReference, isReferenceDerived } = row;
    const named = found.get(rowReference) ?? [];
    const first = byReference.get(rowReference) ?? byReference.get(`${rowReference}#1`);
    const all = isReferenceDerived ? named : named.filter(isOf(first?.stored ?? row));
    const here = sourceId === undefined ? all : all.filter(({ source }) => source.id === sourceId);
    if (here.length > 0 || !hasVersion2 || !isReferenceDerived) return here;
    const ids = sourceId === undefined ? sources.map(({ id }) => id) : [sourceId];
    const names = namesOf(rowReference);
    return ids.flatMap((id) => names.flatMap((name) => byReference.get(referenceWithin(id, name)) ?? []));
  };
}
