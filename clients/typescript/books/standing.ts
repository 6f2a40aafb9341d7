/** How an entry of a file stands beside the books. */
import type { NewTransaction } from '../import/options.ts';
import type { Source, Transaction } from '../resources.ts';
import type { StoredEntry } from './stored-books.ts';

/**
 * - `new`: this source does not have it. With `source`, an equal entry is in that other source.
 * - `known`: this source has it.
 * - `conflict`: this source has it with other content, or the row is split in another way than the stored one. What is stored stands.
 * - `elsewhere`: it is in another source, by a reference or an id that the file names, or although the source of the row was chosen: then
 *   the rules have changed since it was sent. It is not created here.
 */
export type Standing = 'new' | 'known' | 'conflict' | 'elsewhere';

export const COMPARED = ['date', 'type', 'amountPence', 'description', 'category'] as const;
export type ComparedField = (typeof COMPARED)[number];
/** `split`: the row is stored whole, and the rules split it; or the reverse, or in other parts. */
export type DifferingField = ComparedField | 'split';

export interface ComparedRow {
  standing: Standing;
  /** As the service recognises it. Only a `new` one needs to be sent. */
  entry: NewTransaction;
  /** The stored entry that it is, or of a `new` one the equal entry in the other source. */
  stored?: Transaction;
  /** The other source. */
  source?: Source;
  /** Of a `conflict`, and of one that is `elsewhere`: the fields that differ. */
  fields?: readonly DifferingField[];
  /** Of a `new` one: the stored entry that it probably is, under another reference. It is not sent. */
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
export const isSent = ({ standing, probably }: ComparedRow): boolean => standing === 'new' && !probably;
