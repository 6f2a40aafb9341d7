/** The decisions of a person about pairs of records. */
import type { ReadEntry } from '../import/options.ts';
import { referenceOf } from './row.ts';

/** `send`: the row is a separate payment. `leave`: it is the other record, which differs if the amounts differ. */
export type Decision = 'send' | 'leave';

/** By `pairKey` or `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

export const NO_DECISIONS: Decisions = new Map();

/** A decision is about a row and a stored entry. It also applies to the same row in another file. */
export const pairKey = ({ reference }: { reference: string }, storedId: string): string =>
  `${reference} ${storedId}`;

/** The key for the row of an entry. */
export const decisionKey = (read: ReadEntry, storedId: string): string =>
  pairKey({ reference: referenceOf(read) }, storedId);
