/** Compares the entries of a file with the books: new entries, known entries, and entries of another source. */
import type { ReadEntry } from '../import/options.ts';
import { haveVersion2, referenceWithin } from '../import/values/reference.ts';
import type { Source, Transaction } from '../resources.ts';
import { namedAsStored } from './earlier-references.ts';
import { COMPARED, type ComparedField, type ComparedRow, isSent } from './match-status.ts';
import { splitsCompared } from './splits.ts';
import type { Books, StoredEntry } from './stored-books.ts';

export type { ComparedField, ComparedRow, DifferingField, MatchStatus } from './match-status.ts';

export interface Comparison {
  /** One for each entry, in order. */
  rows: readonly ComparedRow[];
  /**
   * Set if the file seems to belong to another source: that source has more than half of the rows that this one lacks, and they are not a
   * repeated payment. It has `rows` of the `of` rows of the file. Do not send the file unless a person confirms it.
   */
  wrongSource: { source: Source; rows: number; of: number } | undefined;
}

/** Fewer different payments in another source may be chance, such as two properties with the same rent. */
const DIFFERENT_PAYMENTS_MIN = 3;

/**
 * Compares without network requests.
 * @param source of entries without a source of their own
 */
export function compareWithBooks(
  entries: readonly ReadEntry[],
  books: Books,
  source: Pick<Source, 'id'> | undefined,
): Comparison {
  const hasVersion2 = haveVersion2(books.byReference.keys());
  const named = namedAsStored(entries, books, source?.id);
  const compared = named.map((read) =>
    comparedRow(read, books, read.source?.id ?? source?.id ?? '', hasVersion2),
  );
  const rows = splitsCompared(named, compared, books, source);
  return { rows, wrongSource: wrongSourceOf(named, rows, books) };
}

/** The entries to send, with their references. */
export function newEntries<Entry extends ReadEntry>(
  entries: readonly Entry[],
  { rows }: Comparison,
): Entry[] {
  return entries.flatMap((read, index) => {
    const row = rows[index];
    return row && isSent(row) ? [{ ...read, entry: row.entry }] : [];
  });
}

/** The fields that differ between file and books. A category that the file does not name is no difference. */
export function differences(
  { entry, earlier }: Pick<ReadEntry, 'entry' | 'earlier'>,
  stored: Transaction,
): ComparedField[] {
  return COMPARED.filter((field) => (entry[field] ?? null) !== stored[field]).filter(
    (field) =>
      (field !== 'category' || entry.category !== undefined) &&
      (field !== 'description' || !isEarlierDescription(earlier, stored)),
  );
}

/** The books store no description for an entry without one. */
const isEarlierDescription = (earlier: ReadEntry['earlier'], { description }: Transaction) =>
  earlier !== undefined && earlier.description === (description ?? '');

function comparedRow(read: ReadEntry, books: Books, sourceId: string, hasVersion2: boolean): ComparedRow {
  const { entry, id, isReferenceDerived, isSourceChosen = false } = read;
  const reference = entry.externalRef ?? '';
  const isHere = (found: StoredEntry | undefined) => found?.source.id === sourceId;
  // An entry without a reference, in an export of the ledger, is identified by its id.
  const byId = isReferenceDerived && id !== undefined ? books.byId.get(id) : undefined;
  const numbered = numberedName(read);
  const numberedNames = numbered === undefined ? [] : [numbered];
  if (numbered !== undefined && hasVersion2) numberedNames.push(referenceWithin(sourceId, numbered));
  for (const name of numberedNames) {
    const found = books.byReference.get(name);
    if (found && isHere(found)) return storedRow(read, found, name);
  }
  const first = books.byReference.get(reference);
  if (byId && isHere(byId)) return storedRow(read, byId, reference);
  if (first && isHere(first)) return storedRow(read, first, reference);
  if (!byId && !first && !hasVersion2) return { matchStatus: 'new', entry };
  const second = isReferenceDerived ? referenceWithin(sourceId, reference) : undefined;
  const bySecond = second === undefined ? undefined : books.byReference.get(second);
  if (second !== undefined && bySecond && isHere(bySecond)) return storedRow(read, bySecond, second);

  const other = byId ?? first;
  if (!other) return { matchStatus: 'new', entry };
  if (byId || second === undefined || isSourceChosen) return elsewhere(read, other);
  return { matchStatus: 'new', entry: { ...entry, externalRef: second }, ...other };
}

const elsewhere = (read: ReadEntry, other: StoredEntry): ComparedRow => ({
  ...{ matchStatus: 'elsewhere', entry: read.entry, ...other, fields: differences(read, other.stored) },
});

/** The reference of a first part in earlier versions. */
function numberedName({ entry, part, rowReference }: ReadEntry): string | undefined {
  return part !== undefined && entry.externalRef === rowReference ? `${rowReference}#${part}` : undefined;
}

function storedRow(read: ReadEntry, { stored }: StoredEntry, externalRef: string): ComparedRow {
  const fields = differences(read, stored);
  const entry = { ...read.entry, externalRef };
  if (fields.length > 0) return { matchStatus: 'conflict', entry, stored, fields };
  // The service compares the description too.
  if (isEarlierDescription(read.earlier, stored)) {
    if (stored.description === null) delete entry.description;
    else entry.description = stored.description;
  }
  return { matchStatus: 'known', entry, stored };
}

function wrongSourceOf(
  entries: readonly ReadEntry[],
  rows: readonly ComparedRow[],
  { sources, byReference }: Books,
): Comparison['wrongSource'] {
  const isMissing = ({ matchStatus }: ComparedRow, index: number) =>
    (matchStatus === 'new' || matchStatus === 'elsewhere') && !entries[index]?.isSourceChosen;
  const missing = rows.filter(isMissing).length;
  const found = new Map<string, { source: Source; rows: number; payments: Set<string> }>();
  rows.forEach((row, index) => {
    const first = row.source;
    if (!first || !isMissing(row, index)) return;
    const { entry, isReferenceDerived } = entries[index] as ReadEntry;
    const { type, amountPence, description, externalRef = '' } = entry;
    const isIn = ({ id }: Source) =>
      id === first.id || (isReferenceDerived && byReference.has(referenceWithin(id, externalRef)));
    for (const source of sources.filter(isIn)) {
      const there = found.get(source.id) ?? { source, rows: 0, payments: new Set() };
      found.set(source.id, there);
      there.rows++;
      there.payments.add(JSON.stringify([type, amountPence, description]));
    }
  });
  const [most] = [...found.values()].sort((one, other) => other.rows - one.rows);
  if (!most || most.rows * 2 <= missing || most.payments.size < DIFFERENT_PAYMENTS_MIN) return undefined;
  return { source: most.source, rows: most.rows, of: rows.length };
}
