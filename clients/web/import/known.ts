/** Which entries of the file are in the books already, by their references. */
import type { NewTransaction } from '../../typescript/import/index.ts';
import type { Ledger, Transaction } from '../../typescript/index.ts';

export interface KnownEntries {
  status: 'unread' | 'reading' | 'read' | 'failed';
  /** The period that was read, `YYYY-MM-DD`. */
  from: string;
  to: string;
  byReference: ReadonlyMap<string, Transaction>;
  withoutReference: readonly Transaction[];
}

export type Standing = 'new' | 'known' | 'conflict';

const COMPARED = ['date', 'type', 'amountPence', 'category', 'description'] as const;
export type ComparedField = (typeof COMPARED)[number];

/** The fields in which the file and the books differ. A category that the file does not name is no difference. */
export function differences(entry: NewTransaction, stored: Transaction): ComparedField[] {
  return COMPARED.filter((field) => (entry[field] ?? null) !== stored[field]).filter(
    (field) => field !== 'category' || entry.category !== undefined,
  );
}

export function standingOf(entry: NewTransaction, { byReference }: KnownEntries): Standing {
  const stored = byReference.get(entry.externalRef ?? '');
  if (!stored) return 'new';
  return differences(entry, stored).length === 0 ? 'known' : 'conflict';
}

/** The first and the last day; undefined without entries. */
export function periodOf(
  entries: readonly { entry: NewTransaction }[],
): { from: string; to: string } | undefined {
  let from = entries[0]?.entry.date;
  if (from === undefined) return undefined;
  let to = from;
  for (const { entry } of entries) {
    if (entry.date < from) from = entry.date;
    if (entry.date > to) to = entry.date;
  }
  return { from, to };
}

/** @throws LedgerError */
export async function readKnown(
  ledger: Ledger,
  sourceId: string,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<KnownEntries> {
  const byReference = new Map<string, Transaction>();
  const withoutReference: Transaction[] = [];
  for await (const each of ledger.transactions(sourceId, { from, to, signal })) {
    if (each.externalRef !== null) byReference.set(each.externalRef, each);
    else withoutReference.push(each);
  }
  return { status: 'read', from, to, byReference, withoutReference };
}

/**
 * The stored entries with these ids. The sources are read one after the other until all are found.
 * @throws LedgerError
 */
export async function readStored(
  ledger: Ledger,
  sourceIds: readonly string[],
  ids: ReadonlySet<string>,
): Promise<Map<string, Transaction>> {
  const found = new Map<string, Transaction>();
  for (const sourceId of sourceIds) {
    if (found.size === ids.size) break;
    for await (const each of ledger.transactions(sourceId)) {
      if (!ids.has(each.id)) continue;
      found.set(each.id, each);
      if (found.size === ids.size) break;
    }
  }
  return found;
}
