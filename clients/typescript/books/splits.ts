/** Rows that are split, beside the books: a row is never stored whole and in parts, nor in the parts of two ways to split it. */
import type { ReadEntry } from '../import/options.ts';
import { haveVersion2, referenceWithin } from '../import/values/reference.ts';
import type { Transaction } from '../resources.ts';
import type { ComparedRow } from './standing.ts';
import type { Books } from './stored-books.ts';

/** The numbers that the parts of a row may have. */
const PART_MAX = 20;

/**
 * The rows of the comparison, where those of a row of the file that is stored in another way are conflicts. A part that is missing beside
 * stored ones that are equal is new: an earlier push was stopped between them.
 */
export function splitsCompared(
  entries: readonly ReadEntry[],
  rows: readonly ComparedRow[],
  books: Books,
): ComparedRow[] {
  const findStored = storedOtherwise(books);
  const result: ComparedRow[] = [];
  while (result.length < entries.length) {
    const start = result.length;
    const { part, rowReference } = entries[start] as ReadEntry;
    let end = start + 1;
    while (part !== undefined && entries[end]?.rowReference === rowReference) end++;
    const group = entries.slice(start, end);
    const compared = rows.slice(start, end);
    const stored = findStored(group, compared);
    if (!stored) result.push(...compared);
    else
      for (const { entry } of group) result.push({ standing: 'conflict', entry, stored, fields: ['split'] });
  }
  return result;
}

/** Finds an entry that stores the row in another way than the group, which has the parts of the row or the whole of it. */
function storedOtherwise({ byReference, byId }: Books) {
  const parts = storedParts(byReference);
  const hasVersion2 = haveVersion2(byReference.keys());

  return (group: readonly ReadEntry[], rows: readonly ComparedRow[]): Transaction | undefined => {
    const first = group[0] as ReadEntry;
    const reference = (first.part === undefined ? first.entry.externalRef : first.rowReference) ?? '';
    const isOwn = (number: number) => group.some(({ part }) => part === number);
    const otherParts = () =>
      parts.get(reference)?.find(({ number, stored }) => !isOwn(number) && isPart(stored, first))?.stored;
    /** In version 2, under the name of a source. */
    const within = (names: readonly string[]) => {
      const sources = new Set(group.map(({ source }) => source?.id ?? ''));
      const found = names.flatMap((name) =>
        [...sources].flatMap((source) => byReference.get(referenceWithin(source, name)) ?? []),
      );
      return found[0]?.stored;
    };
    const isWithin = hasVersion2 && first.isReferenceDerived;
    const wholeWithin = () => (isWithin ? within([reference]) : undefined);
    const otherPartsWithin = () => {
      if (!isWithin) return undefined;
      const numbers = Array.from({ length: PART_MAX }, (_, index) => index + 1);
      return within(numbers.filter((number) => !isOwn(number)).map((number) => `${reference}#${number}`));
    };

    if (first.part === undefined) {
      if (rows.some(({ standing }) => standing === 'known' || standing === 'conflict')) return undefined;
      return otherParts() ?? otherPartsWithin();
    }
    const whole = byReference.get(reference) ?? (first.id === undefined ? undefined : byId.get(first.id));
    const other = whole?.stored ?? wholeWithin() ?? otherParts() ?? otherPartsWithin();
    if (other || rows.every(({ standing }) => standing !== 'new')) return other;
    return rows.find(({ standing }) => standing === 'conflict' || standing === 'elsewhere')?.stored;
  };
}

/** The stored parts of rows, by the references of the rows. */
function storedParts(byReference: Books['byReference']) {
  const parts = new Map<string, { number: number; stored: Transaction }[]>();
  for (const [reference, { stored }] of byReference) {
    const [, row = '', number] = /^(.*)#([1-9]\d?)$/.exec(reference) ?? [];
    if (number === undefined) continue;
    const ofRow = parts.get(row) ?? [];
    parts.set(row, ofRow);
    ofRow.push({ number: Number(number), stored });
  }
  return parts;
}

/** Somebody may number invoices so: under a reference of the file, a part has the row's date and description. */
function isPart(stored: Transaction, { entry, isReferenceDerived }: ReadEntry): boolean {
  return (
    isReferenceDerived || (stored.date === entry.date && stored.description === (entry.description ?? null))
  );
}
