/** The decisions of a person about pairs of records. */
import { hashOf } from './hash.ts';
import type { Facts, FileEntry } from './row.ts';

/** `send`: the row is a separate payment. `leave`: it is the other record, which differs if the amounts differ. */
export type Decision = 'send' | 'leave';

/** By `pairKey` or `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

export const NO_DECISIONS: Decisions = new Map();

type RowContent = { reference: string } & Partial<Facts>;

/** The row, and a hash of its content: banks use references again, and a browser keeps no rows. @param row a file as a whole has no content */
function contentKey({ reference, date, pence, text }: RowContent): string {
  const facts = date === undefined ? '' : hashOf(new TextEncoder().encode(`${date} ${pence} ${text}`));
  return `${reference}:${facts.slice(0, 16)}`;
}

/** A decision is about a row and another record. It also applies to the same row in another file, and to no other row. */
export const pairKey = (row: RowContent, storedId: string): string => `${contentKey(row)} ${storedId}`;

/** The id of a row as the other record of a pair. Ids have no spaces. */
export const rowId = (row: RowContent): string => `row:${encodeURIComponent(contentKey(row))}`;

/** The key for the row of an entry. */
export const decisionKey = ({ whole }: FileEntry, storedId: string): string => pairKey(whole, storedId);
