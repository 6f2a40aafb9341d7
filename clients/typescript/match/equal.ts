/** Equal content comes before the ids of banks, which are used again. */
import type { FoundByReference } from './by-reference.ts';
import type { StoredRow } from './origin.ts';
import { factKey, storedFacts, storedRowsOf } from './payments.ts';
import { mayBeEntry } from './questions.ts';
import type { Row } from './row.ts';
import type { Books } from './stored-books.ts';

const keysOf = (row: Row) => row.amounts.map((pence) => factKey({ ...row, pence }));

export const isEqual = (row: Row, other: Row | StoredRow): boolean =>
  keysOf(row).includes(factKey('file' in other ? other : storedFacts(other)));

/**
 * Tells whether the bank has used the id of a row again, for the payment of another record. Row and record have one id. But one of the two is
 * equal to a third record, which no reference proves to be another payment. Then the equal records are one payment.
 */
export function reusedIds(rows: readonly Row[], books: Books, named: ReadonlyMap<Row, FoundByReference>) {
  const hasIds = rows.some(({ isReferenceDerived }) => !isReferenceDerived);
  const equalRows = byKey(hasIds ? rows : [], keysOf);
  let equalEntries: ReturnType<typeof byKey<StoredRow>> | undefined;
  const isProof = (row: Row, storedEntries: readonly unknown[]) =>
    storedEntries.length > 0 &&
    (row.isReferenceDerived || isEqual(row, storedEntries as unknown as StoredRow));
  const proved = new Set<unknown>(
    [...named].flatMap(([row, { storedEntries }]) =>
      isProof(row, storedEntries)
        ? [row, ...storedEntries.map((each) => `${row.file} ${each.stored.id}`)]
        : [],
    ),
  );
  /** Another file has a row that is equal, which no row of this file has the id of. */
  const hasEqual = (row: Row, file: string) => {
    const equal = equalRows(keysOf(row));
    const isOwn = (each: Row) =>
      equal.some((own) => own.file === row.file && own.reference === each.reference);
    return equal.some((each) => each.file === file && !isOwn(each));
  };
  return (row: Row, other: Row | StoredRow): boolean => {
    if (isEqual(row, other)) return false;
    if ('file' in other) return hasEqual(row, other.file) || hasEqual(other, row.file);
    const isFree = ([{ stored }]: StoredRow) => !proved.has(`${row.file} ${stored.id}`);
    equalEntries ??= byKey(storedRowsOf([...books.byId.values()]), (each) => [factKey(storedFacts(each))]);
    return (
      equalEntries(keysOf(row)).some((each) => isFree(each) && mayBeEntry(row, each)) ||
      equalRows([factKey(storedFacts(other))]).some(
        (each) => each.file === row.file && !proved.has(each) && mayBeEntry(each, other),
      )
    );
  };
}

function byKey<Each>(all: readonly Each[], keys: (each: Each) => readonly string[]) {
  const found = new Map<string, Each[]>();
  for (const each of all) for (const key of keys(each)) found.set(key, [...(found.get(key) ?? []), each]);
  return (of: readonly string[]): readonly Each[] => of.flatMap((key) => found.get(key) ?? []);
}
