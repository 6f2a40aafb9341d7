/** The result of comparing an entry of a file with the books. */
import type { NewTransaction } from '../import/options.ts';
import type { Source, Transaction } from '../resources.ts';
import type { StoredEntry } from './stored-books.ts';

/**
 * - `new`: this source does not have it. With `source`, an equal entry is in that other source.
 * - `known`: this source has it.
 * - `conflict`: this source has it with other content, or the stored row is split in another way. The stored entry stays unchanged.
 * - `elsewhere`: another source has it, under a reference or an id that the file names, or although a rule, a column or a person chose
 *   this one: the rules have changed since it was sent. It is not created here.
 */
export type MatchStatus = 'new' | 'known' | 'conflict' | 'elsewhere';

export const COMPARED = ['date', 'type', 'amountPence', 'description', 'category'] as const;
export type ComparedField = (typeof COMPARED)[number];
/** `split`: the row is stored whole and the rules split it, or the reverse, or the parts differ. */
export type DifferingField = ComparedField | 'split';

export interface ComparedRow {
  matchStatus: MatchStatus;
  /** The entry, with the reference for the service. Only a `new` one needs to be sent. */
  entry: NewTransaction;
  /** Its stored entry; for a `new` one, the equal entry in the other source. */
  stored?: Transaction;
  /** The other source. */
  source?: Source;
  /** The differing fields of a `conflict` or an `elsewhere`. */
  fields?: readonly DifferingField[];
  /** For a `new` one that is not sent: the stored entry that it probably is, under another reference. */
  probably?: ProbableEntry;
}

export interface ProbableEntry extends StoredEntry {
  /** It has another amount, type or source, which the row probably corrects. */
  isEarlierVersion: boolean;
  /** It is in another source than the row. */
  isElsewhere: boolean;
  /** The fields that differ. */
  fields: readonly DifferingField[];
  /** A person has decided that the row is this entry. */
  isDecided?: true;
}

/** The names of fields for people. */
export const FIELD_WORDS: Record<DifferingField, string> = {
  ...{ date: 'date', type: 'type', amountPence: 'amount', description: 'description', category: 'category' },
  split: 'the way it is split',
};

/** Whether a person has to decide about the row. */
export const isOpen = ({ probably }: ComparedRow): boolean => probably !== undefined && !probably.isDecided;

/** Whether the row is sent. */
export const isSent = ({ matchStatus, probably }: ComparedRow): boolean => matchStatus === 'new' && !probably;
