/**
 * Equal content comes before the ids of banks, which are used again.
 *
 * The books have 1 June, 20.00, CAFE under the id 7, and 3 June, 9.00, TAXI under the id 8. The bank numbers a new file from 7, and TAXI is its
 * first row. By its id, TAXI is the entry of CAFE. But another entry is equal to TAXI, and no row is proved to be that entry: the bank has used
 * the id 7 again, and it proves nothing about TAXI.
 */
import { mayBeEntry } from './origin.ts';
import { factKey } from './payment-facts.ts';
import type { ReferenceMatch } from './reference-index.ts';
import type { Row } from './row.ts';
import type { Books } from './stored-books.ts';
import { type StoredRow, storedFacts, storedRowsOf } from './stored-row.ts';

const factKeysOf = (row: Row) => row.amounts.map((pence) => factKey({ ...row, pence }));

const hasEqualFacts = (row: Row, record: Row | StoredRow): boolean =>
  factKeysOf(row).includes(factKey('file' in record ? record : storedFacts(record)));

/**
 * Tells whether the bank has used the id of a row again, for the payment of another record. Row and record have one id. But one of the two is
 * equal to a third record, which no reference proves to be another payment. Then the equal records are one payment.
 * @param ownMatches each row under its own reference
 */
export function reusedIds(rows: readonly Row[], books: Books, ownMatches: ReadonlyMap<Row, ReferenceMatch>) {
  const hasIds = rows.some(({ isReferenceDerived }) => !isReferenceDerived);
  const equalRows = byKeys(hasIds ? rows : [], factKeysOf);
  let equalEntries: ReturnType<typeof byKeys<StoredRow>> | undefined;
  const isProof = (row: Row, { storedEntries }: ReferenceMatch) =>
    storedEntries.length > 0 &&
    (row.isReferenceDerived || hasEqualFacts(row, storedEntries as unknown as StoredRow));
  const proved = new Set<unknown>(
    [...ownMatches].flatMap(([row, match]) =>
      isProof(row, match)
        ? [row, ...match.storedEntries.map(({ stored }) => `${row.file} ${stored.id}`)]
        : [],
    ),
  );
  /** Another file has a row that is equal, which no row of this file has the id of. */
  const hasEqual = (row: Row, file: string) => {
    const equal = equalRows(factKeysOf(row));
    const hasIdHere = ({ reference }: Row) =>
      equal.some((each) => each.file === row.file && each.reference === reference);
    return equal.some((each) => each.file === file && !hasIdHere(each));
  };
  return (row: Row, record: Row | StoredRow): boolean => {
    if (hasEqualFacts(row, record)) return false;
    if ('file' in record) return hasEqual(row, record.file) || hasEqual(record, row.file);
    const own = new Set(record.map(({ stored }) => stored.id));
    const isFree = ([{ stored }]: StoredRow) =>
      !own.has(stored.id) && !proved.has(`${row.file} ${stored.id}`);
    equalEntries ??= byKeys(storedRowsOf([...books.byId.values()]), (each) => [factKey(storedFacts(each))]);
    return (
      equalEntries(factKeysOf(row)).some((each) => isFree(each) && mayBeEntry(row, each)) ||
      equalRows([factKey(storedFacts(record))]).some(
        (each) => each.file === row.file && !proved.has(each) && mayBeEntry(each, record),
      )
    );
  };
}

/** Finds items by any of their keys. */
function byKeys<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]) {
  const index = new Map<string, Item[]>();
  for (const item of items) for (const key of keysOf(item)) index.set(key, [...(index.get(key) ?? []), item]);
  return (keys: readonly string[]): readonly Item[] => keys.flatMap((key) => index.get(key) ?? []);
}
