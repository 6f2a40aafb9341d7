/** The outcome of a request whose entries were created, as a message. */
import type { Created, ExistingEntry } from '../../proto/contract.ts';
import type { CreatedBatch, NewEntry } from './create-batches.ts';

export function createdMessage({ added, deduplicated, result }: CreatedBatch): Created {
  return result === null ? { added } : { added, deduplicated, resultJson: Buffer.from(result) };
}

interface Result {
  transactions: { id: string; externalRef: string | null }[];
  existing: { id: string }[];
  conflicts?: { index: number; fields: string[] }[];
}

/** For gateways of the release before, which render the result themselves. */
export function earlierCreatedMessage(
  entries: readonly NewEntry[],
  { added, result }: CreatedBatch,
): Created {
  if (result === null) return { added };
  const { transactions, existing, conflicts = [] }: Result = JSON.parse(result);
  const fieldsAt = new Map(conflicts.map(({ index, fields }) => [index, fields]));
  const ids: string[] = [];
  const known: ExistingEntry[] = [];
  let isRepeated = false;
  // Both lists are in the order in which the entries were sent. Of entries with one reference, only the first can be new.
  for (const [index, { id, externalRef = null }] of entries.entries()) {
    const created = transactions[index - known.length];
    const entry = created?.externalRef === externalRef ? created : existing[known.length];
    if (entry === undefined) throw new Error('the result lacks an entry');
    ids.push(entry.id);
    if (entry === created) isRepeated ||= created.id !== id;
    else known.push({ index, id: entry.id, differingFields: fieldsAt.get(index) ?? [] });
  }
  return { added, existing: known, ids: isRepeated ? ids : [] };
}
