/** Rows that a person assigned in an earlier push. Their stored entries answer the question, so that it is not repeated. */
import { headerKey } from '../import/files/cells.ts';
import type { ImportResult, ReadEntry, UndecidedRow } from '../import/result.ts';
import { partNumber, ReferenceIndex } from './by-reference.ts';
import { type FileResult, sameDescription, signed, signedSum } from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';

/** Reads a row without a decision as its stored entries, if they add up to the row. */
export function withDecidedBefore<File extends FileResult>(files: readonly File[], books: Books): File[] {
  if (files.every(({ result }) => result.undecided.length === 0)) return [...files];
  const index = new ReferenceIndex(books, new Set(), undefined);
  return files.map((file) => ({ ...file, result: withStored(file.result, index) }));
}

function withStored(result: ImportResult, index: ReferenceIndex): ImportResult {
  const references = new Set<string>();
  const found: ReadEntry[] = [];
  for (const row of result.undecided) {
    const text = sameDescription(row.description);
    const named = index.storedAnywhere({ ...row, reference: row.rowReference, text });
    const undecided = { ...row, rowReference: named.reference };
    const { rowReference } = undecided;
    const stored = wholeRow(named.storedEntries, undecided);
    if (stored.length === 0 || references.has(rowReference)) continue;
    references.add(rowReference);
    const parts = stored.map((each) => asRead(each, undecided));
    found.push(
      ...(parts.length === 1
        ? parts
        : parts
            .sort((one, other) => (one.part ?? 1) - (other.part ?? 1))
            .map((each) => ({ part: 1, rowReference, ...each }))),
    );
  }
  if (found.length === 0) return result;
  const rows = new Set(found.map(({ row }) => row));
  const isLeft = ({ row }: { row: number }) => !rows.has(row);
  return {
    ...result,
    entries: [...result.entries, ...found].sort((one, other) => one.row - other.row),
    invalid: result.invalid.filter(isLeft),
    undecided: result.undecided.filter(isLeft),
    unread: result.unread.filter(isLeft),
  };
}

/** The entries that add up to the row, with the first of them; empty if there are none, or the one has another category. */
function wholeRow(
  stored: readonly StoredEntry[],
  { rowReference, isReferenceDerived, type, amountPence, category }: UndecidedRow,
): readonly StoredEntry[] {
  const ofRow = stored.filter(({ stored: { externalRef } }) => externalRef === rowReference);
  const [one, ...others] = stored;
  // The label of a category is not known here: a label that differs from the key is asked about again.
  const isOther = category !== undefined && headerKey(category) !== headerKey(one?.stored.category ?? '');
  if (isOther && others.length === 0) return [];
  const isFirst = ({ stored: { externalRef } }: StoredEntry) =>
    externalRef === rowReference || externalRef === `${rowReference}#1`;
  const parts = isReferenceDerived || stored.some(isFirst) ? stored : [];
  const pence = signed({ type, amountPence });
  return [ofRow, parts].find((each) => signedSum(each.map(({ stored }) => stored)) === pence) ?? [];
}

/** The row with the source and the category of its stored entry. Its date and description are from the file. */
function asRead({ stored, source: { id, name } }: StoredEntry, row: UndecidedRow): ReadEntry {
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
