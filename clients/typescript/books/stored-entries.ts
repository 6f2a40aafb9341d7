/** Entries of a file that are in the books already, without a reference that the service could recognise. */
import type { ImportResult, ReadEntry } from '../import/options.ts';
import type { Transaction } from '../resources.ts';
import { pounds } from './pounds.ts';

/** In an export of the ledger, an entry without a reference is known by its id. */
function isKnownById({ id, isReferenceDerived }: ReadEntry): boolean {
  return id !== undefined && isReferenceDerived;
}

/** Whether `withoutStored` needs the stored entries of the source. Most files do not. */
export function needsStored({ entries }: Pick<ImportResult, 'entries'>): boolean {
  return entries.some(isKnownById);
}

/** The result with the entries skipped that are stored already, by their id. */
export function withoutStored(statement: ImportResult, stored: Iterable<Transaction>): ImportResult {
  const byId = new Map<string, Transaction>();
  if (needsStored(statement)) for (const each of stored) byId.set(each.id, each);
  const entries: ReadEntry[] = [];
  const skipped = [...statement.skipped];
  const unread = [...statement.unread];
  for (const read of statement.entries) {
    const known = isKnownById(read) ? byId.get(read.id ?? '') : undefined;
    if (!known) {
      entries.push(read);
      continue;
    }
    const { row, entry } = read;
    skipped.push({ row, reason: reasonFor(entry, known) });
    const { date, type, amountPence, description = '', category = '' } = entry;
    unread.push({ row, date, type, amount: pounds(amountPence), description, category });
  }
  return { ...statement, entries, skipped: skipped.sort(byRow), unread: unread.sort(byRow) };
}

const byRow = (one: { row: number }, two: { row: number }) => one.row - two.row;

function reasonFor(entry: ReadEntry['entry'], stored: Transaction): string {
  const isSame =
    entry.date === stored.date &&
    entry.type === stored.type &&
    entry.amountPence === stored.amountPence &&
    (entry.description ?? null) === stored.description;
  return isSame
    ? 'It is stored already, with this id.'
    : 'It is stored already, with this id and other content, and stays as it is.';
}
