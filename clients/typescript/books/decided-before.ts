/** Rows that a person assigned in an earlier push. Their stored entries answer the question, so that it is not repeated. */
import type { ImportResult, ReadEntry } from '../import/options.ts';
import type { ReadFile } from './joined-files.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { storedRows } from './stored-rows.ts';

/** Reads a row without a decision as its stored entries, if they add up to the row. */
export function withDecidedBefore<File extends ReadFile>(files: readonly File[], books: Books): File[] {
  if (files.every(({ statement }) => statement.undecided.length === 0)) return [...files];
  const storedOf = storedRows(books);
  return files.map((file) => ({ ...file, statement: decided(file.statement, storedOf) }));
}

function decided(statement: ImportResult, storedOf: ReturnType<typeof storedRows>): ImportResult {
  const references = new Set<string>();
  const found: ReadEntry[] = [];
  for (const undecided of statement.undecided) {
    const { row, rowReference, type, amountPence, ...ofFile } = undecided;
    const stored = storedOf(undecided);
    const isWhole = sumOf(stored) === signed(type, amountPence);
    if (stored.length === 0 || !isWhole || references.has(rowReference)) continue;
    references.add(rowReference);
    const parts = stored.map((each): ReadEntry => ({ row, ...ofFile, ...asRead(each, rowReference) }));
    found.push(
      ...(parts.length === 1
        ? parts
        : parts
            .sort((one, other) => (one.part ?? 1) - (other.part ?? 1))
            .map((each) => ({ part: 1, rowReference, ...each }))),
    );
  }
  if (found.length === 0) return statement;
  const rows = new Set(found.map(({ row }) => row));
  const isOpen = ({ row }: { row: number }) => !rows.has(row);
  return {
    ...statement,
    entries: [...statement.entries, ...found].sort((one, other) => one.row - other.row),
    invalid: statement.invalid.filter(isOpen),
    undecided: statement.undecided.filter(isOpen),
    unread: statement.unread.filter(isOpen),
  };
}

const signed = (type: string, pence: number) => (type === 'income' ? pence : -pence);
const sumOf = (stored: readonly StoredEntry[]) =>
  stored.reduce((sum, { stored: { type, amountPence } }) => sum + signed(type, amountPence), 0);

/** The stored entry, in the form of a read one. */
function asRead(
  { stored, source: { id, name } }: StoredEntry,
  rowReference: string,
): Pick<ReadEntry, 'entry' | 'source' | 'part' | 'rowReference'> {
  const { date, type, amountPence, category, description, externalRef } = stored;
  const [, part] = /#([1-9]\d?)$/.exec(externalRef ?? '') ?? [];
  const entry = { date, type, amountPence, externalRef: externalRef ?? rowReference };
  return {
    entry: { ...entry, ...(category !== null && { category }), ...(description !== null && { description }) },
    source: { id, name },
    ...(part !== undefined && { part: Number(part), rowReference }),
  };
}
