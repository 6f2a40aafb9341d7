/** Rows that lack only their source. If a person assigned one in an earlier push, its stored entries answer the question. */
import { headerKey } from '../import/files/cells.ts';
import type { ImportEntry, ImportResult, RowWithoutSource } from '../import/result.ts';
import { isWithoutSource } from '../import/rules/problems.ts';
import { partNumber } from './part-reference.ts';
import { descriptionKey, signed, signedSum } from './payment-facts.ts';
import { ReferenceIndex } from './reference-index.ts';
import type { FileResult } from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';

/** The numbers of the invalid rows whose only problem is that nothing decides their source. */
export function rowsWithoutSource({ invalid }: Pick<ImportResult, 'invalid'>): ReadonlySet<number> {
  const others = new Set(invalid.filter((problem) => !isWithoutSource(problem)).map(({ row }) => row));
  return new Set(invalid.flatMap(({ row }) => (others.has(row) ? [] : row)));
}

/** Reads a row without a source as its stored entries, if they add up to the row. */
export function withAssignedBefore<File extends FileResult>(files: readonly File[], books: Books): File[] {
  if (files.every(({ result }) => result.withoutSource.length === 0)) return [...files];
  const index = new ReferenceIndex(books, new Set(), undefined);
  return files.map((file) => ({ ...file, result: withStored(file.result, index) }));
}

function withStored(result: ImportResult, index: ReferenceIndex): ImportResult {
  const references = new Set<string>();
  const assigned: ImportEntry[] = [];
  for (const row of result.withoutSource) {
    const text = descriptionKey(row.description);
    const { reference, storedEntries } = index.storedAnywhere({ ...row, reference: row.rowReference, text });
    const rowWithReference = { ...row, rowReference: reference };
    const ofRow = wholeRow(storedEntries, rowWithReference);
    if (ofRow.length === 0 || references.has(reference)) continue;
    references.add(reference);
    const parts = ofRow.map((entry) => entryOfStored(entry, rowWithReference));
    assigned.push(
      ...(parts.length === 1
        ? parts
        : parts
            .sort((one, other) => (one.part ?? 1) - (other.part ?? 1))
            .map((read) => ({ part: 1, rowReference: reference, ...read }))),
    );
  }
  if (assigned.length === 0) return result;
  const rows = new Set(assigned.map(({ row }) => row));
  const isOther = ({ row }: { row: number }) => !rows.has(row);
  return {
    ...result,
    entries: [...result.entries, ...assigned].sort((one, other) => one.row - other.row),
    invalid: result.invalid.filter(isOther),
    withoutSource: result.withoutSource.filter(isOther),
    rowsWithoutEntry: result.rowsWithoutEntry.filter(isOther),
  };
}

/** The entries that add up to the row, with the first of them; empty if there are none, or the one has another category. */
function wholeRow(
  storedEntries: readonly StoredEntry[],
  { rowReference, isReferenceDerived, type, amountPence, category }: RowWithoutSource,
): readonly StoredEntry[] {
  const whole = storedEntries.filter(({ stored: { externalRef } }) => externalRef === rowReference);
  const [one, ...others] = storedEntries;
  // The label of a category is not known here: a label that differs from the key is asked about again.
  const isOtherCategory =
    category !== undefined && headerKey(category) !== headerKey(one?.stored.category ?? '');
  if (isOtherCategory && others.length === 0) return [];
  const isFirst = ({ stored: { externalRef } }: StoredEntry) =>
    externalRef === rowReference || externalRef === `${rowReference}#1`;
  const parts = isReferenceDerived || storedEntries.some(isFirst) ? storedEntries : [];
  const pence = signed({ type, amountPence });
  return [whole, parts].find((entries) => signedSum(entries.map(({ stored }) => stored)) === pence) ?? [];
}

/** The row with the source and the category of its stored entry. Its date and description are from the file. */
function entryOfStored({ stored, source: { id, name } }: StoredEntry, row: RowWithoutSource): ImportEntry {
  const { date, description, type: _, amountPence: __, category: ___, rowReference, ...ofRow } = row;
  const { type, amountPence, category, externalRef } = stored;
  const part = externalRef?.startsWith(`${rowReference}#`) ? partNumber(externalRef) : undefined;
  const entry = { date, type, amountPence, externalRef: externalRef ?? rowReference };
  return {
    ...ofRow,
    entry: { ...entry, ...(category !== null && { category }), ...(description !== '' && { description }) },
    source: { id, name },
    ...(part !== undefined && { part, rowReference }),
  };
}
