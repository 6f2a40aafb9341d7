/** The decisions of a person about pairs of records, and about what a file covers. */
import { sha256Of } from '../hash.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { FileEntry } from './row.ts';

/** About a row and another record: they are one payment, whose amounts may differ, or two. */
export type PairDecision = 'same' | 'separate';

/** Whether a file has all payments of its account, or of its first or last day. If it has, an entry that it lacks is wrong. */
type CoverageDecision = 'complete' | 'incomplete';

export type Decision = PairDecision | CoverageDecision;

/** The word for a decision in files of decisions, options and browsers. */
export type DecisionWord = 'send' | 'leave';

/** The decision that a word is, under its key. */
export function decisionOf(key: string, word: DecisionWord): Decision {
  // The key of a file has no hash before its last space.
  if (key[key.lastIndexOf(' ') - 1] === ':') return word === 'leave' ? 'complete' : 'incomplete';
  return word === 'leave' ? 'same' : 'separate';
}

/** The word for a decision, as `decisionOf` reads it. */
export const wordOf = (decision: Decision): DecisionWord =>
  decision === 'same' || decision === 'complete' ? 'leave' : 'send';

/** The decisions by their keys: see `pairKey` and `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

export const NO_DECISIONS: Decisions = new Map();

type HashedRow = { reference: string } & Partial<PaymentFacts>;

/** The key of a row: its reference, and a hash of its content, because banks use references again and a browser keeps no rows. A file as a whole has no content. */
export function contentKey({ reference, date, pence, text }: HashedRow): string {
  const facts = date === undefined ? '' : sha256Of(`${date} ${pence} ${text}`);
  return `${reference}:${facts.slice(0, 16)}`;
}

/** A decision is about a row and another record. It also applies to the same row in another file, and to no other row. */
export const pairKey = (row: HashedRow, storedId: string): string => `${contentKey(row)} ${storedId}`;

/** The id of a row as the other record of a pair. Ids have no spaces. */
export const recordIdOf = (row: HashedRow): string => `row:${encodeURIComponent(contentKey(row))}`;

/** The key of a pair by the ids of its records. @throws URIError for an id that `recordIdOf` has not made */
export const pairKeyOfIds = (rowId: string, storedId: string): string =>
  `${decodeURIComponent(rowId.slice('row:'.length))} ${storedId}`;

/** The ids of the records that a person says are the same as a row, by the content key of the row. */
export function sameRecordIds(decisions: Decisions): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const [key, decision] of decisions) {
    const end = key.lastIndexOf(' ');
    const row = key.slice(0, end);
    if (decision === 'same') ids.set(row, [...(ids.get(row) ?? []), key.slice(end + 1)]);
  }
  return ids;
}

/** The key for the row of an entry. */
export const decisionKey = ({ whole }: FileEntry, storedId: string): string => pairKey(whole, storedId);
