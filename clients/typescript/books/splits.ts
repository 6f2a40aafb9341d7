/**
 * Compares split rows with the books. A row is never stored both whole and in parts, nor in the parts of two splits. The first part has the
 * reference of the row, and the others append their numbers. In earlier versions the first part also had its number.
 */
import type { ReadEntry } from '../import/options.ts';
import { haveVersion2, referenceWithin } from '../import/values/reference.ts';
import type { Source, Transaction } from '../resources.ts';
import type { ComparedRow } from './match-status.ts';
import type { Books } from './stored-books.ts';
import { namesOf, rowOfPart } from './stored-rows.ts';

/**
 * Marks rows as conflicts if the books store the row of the file in another way. A part that is missing beside equal stored parts is new: an
 * earlier push stopped between them.
 * @param source of entries without a source of their own
 */
export function splitsCompared(
  entries: readonly ReadEntry[],
  rows: readonly ComparedRow[],
  books: Books,
  source: Pick<Source, 'id'> | undefined,
): ComparedRow[] {
  const ofRows = new Set(entries.flatMap(({ entry, part }) => (part === undefined ? entry.externalRef : [])));
  const findStored = storedOtherwise(books, ofRows, source);
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
      for (const { entry } of group)
        result.push({ matchStatus: 'conflict', entry, stored, fields: ['split'] });
  }
  return result;
}

/**
 * Finds an entry that stores the row in another way than the group: the parts of the row, or the whole row.
 * @param ofRows references of whole rows, which are not parts
 */
function storedOtherwise(
  { byReference, byId }: Books,
  ofRows: ReadonlySet<string | undefined>,
  source: Pick<Source, 'id'> | undefined,
) {
  const parts = storedParts(byReference, ofRows);
  const hasVersion2 = haveVersion2(byReference.keys());

  return (group: readonly ReadEntry[], rows: readonly ComparedRow[]): Transaction | undefined => {
    const first = group[0] as ReadEntry;
    const reference = (first.part === undefined ? first.entry.externalRef : first.rowReference) ?? '';
    const isOwn = ({ id }: Transaction) => rows.some(({ stored }) => stored?.id === id);
    const otherParts = () => parts.get(reference)?.find((stored) => !isOwn(stored) && isPart(stored, first));
    /** Finds references of version 2, which include a source. */
    const within = (names: readonly string[]) => {
      if (!hasVersion2 || !first.isReferenceDerived) return undefined;
      const ofGroup = new Set(group.map((read) => read.source?.id ?? source?.id ?? ''));
      const found = names.flatMap((name) =>
        [...ofGroup].flatMap((id) => byReference.get(referenceWithin(id, name)) ?? []),
      );
      return found.find(({ stored }) => !isOwn(stored))?.stored;
    };
    const [, ...names] = namesOf(reference);
    const otherPartsWithin = () => within(names);

    if (first.part === undefined) return otherParts() ?? otherPartsWithin();
    const whole = byReference.get(reference) ?? (first.id === undefined ? undefined : byId.get(first.id));
    const isWhole = whole && !isFirstPart(rows[0] as ComparedRow, whole.stored);
    const other =
      (isWhole ? whole.stored : undefined) ?? within([reference]) ?? otherParts() ?? otherPartsWithin();
    if (other || rows.every(({ matchStatus }) => matchStatus !== 'new')) return other;
    return rows.find(({ matchStatus }) => matchStatus === 'conflict' || matchStatus === 'elsewhere')?.stored;
  };
}

/** The stored parts of rows, by the references of the rows. */
function storedParts(byReference: Books['byReference'], ofRows: ReadonlySet<string | undefined>) {
  const parts = new Map<string, Transaction[]>();
  for (const [reference, { stored }] of byReference) {
    const row = rowOfPart(reference);
    if (row === reference || ofRows.has(reference)) continue;
    const ofRow = parts.get(row);
    if (ofRow) ofRow.push(stored);
    else parts.set(row, [stored]);
  }
  return parts;
}

/** Whether the stored entry with the reference of the row is the first part, by its amount. */
const isFirstPart = ({ stored, fields = [] }: ComparedRow, { id }: Transaction) =>
  stored?.id === id && !fields.includes('amountPence') && !fields.includes('type');

/** References of a file may end like parts, such as numbered invoices: a part also has the row's date and description. */
function isPart(stored: Transaction, { entry, earlier, isReferenceDerived }: ReadEntry): boolean {
  return (
    isReferenceDerived ||
    (stored.date === entry.date &&
      [entry.description, earlier?.description].includes(stored.description ?? undefined))
  );
}
