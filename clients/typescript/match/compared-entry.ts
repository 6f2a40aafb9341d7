/** The status of each entry of a file, compared with the books. */

import type { ReadEntry } from '../import/result.ts';
import type { NewTransaction, Source, Transaction } from '../resources.ts';
import type { FileEntry, RowPosition } from './row.ts';
import type { StoredEntry } from './stored-books.ts';

/**
 * - `new`: the books do not have it. With `stored`, another source has an equal entry.
 * - `known`: this source has it.
 * - `conflict`: this source has it with other content, or the stored row is split in another way. The stored entry stays unchanged.
 * - `elsewhere`: another source has it. It is not created here.
 * - `taken`: its reference belongs to an entry that it does not resemble. It cannot be created under that reference.
 * - `probable`: it may be the record in `probably`, and a person has to decide.
 * - `joined`: a person has said that it is the stored entry in `probably`.
 */
export type MatchStatus = 'new' | 'known' | 'conflict' | 'elsewhere' | 'taken' | 'probable' | 'joined';

/** The fields of an entry that are compared with its stored entry. */
export const COMPARED = ['date', 'type', 'amountPence', 'description', 'category'] as const;
export type ComparedField = (typeof COMPARED)[number];
/** `split`: the row is stored whole and the rules split it, or the reverse, or the parts differ. */
export type DifferingField = ComparedField | 'split';

/** An entry of a file, compared with the books. */
export interface ComparedEntry extends FileEntry, ComparedPart {
  /** A `new` one that is not sent, because it equals an entry of another source: `CompareOptions.holdsBackEqual`. */
  isHeldBack?: boolean;
}

/** The result of comparing a part of a row, or a whole row, with the books. */
export interface ComparedPart {
  matchStatus: MatchStatus;
  /** The entry with its reference for the service. Only a `new` one needs to be sent. */
  toSend: NewTransaction;
  /** Its stored entry; for a `new` one, the equal entry in another source; for a `taken` one, the entry that has the reference. */
  stored?: Transaction;
  /** For a `new`, an `elsewhere` and a `taken` one: the source of `stored`. */
  storedIn?: Source;
  /** The differing fields of a `conflict` or an `elsewhere`. */
  fields?: readonly DifferingField[];
  /** With `split`: the stored entries of the row that no part of it is. */
  surplus?: readonly StoredEntry[];
  /** For a `probable` or a `joined` one: the stored entry, or the row of another file. */
  probably?: ProbableEntry;
}

interface ProbableEntry extends StoredEntry {
  /** It has another amount or type, which the row probably corrects. */
  isEarlierVersion: boolean;
  /** It is in another source than the row. */
  isElsewhere: boolean;
  /** The fields that differ. */
  fields: readonly DifferingField[];
  /** It is a row of another file of the run, which the books do not have yet. */
  other?: RowPosition;
}

/** The names of fields for people. */
export const FIELD_WORDS: Record<DifferingField, string> = {
  date: 'date',
  type: 'type',
  amountPence: 'amount',
  description: 'description',
  category: 'category',
  split: 'the way it is split',
};

/** Whether a person has to decide about the entry. */
export const isProbable = ({ matchStatus }: ComparedPart): boolean => matchStatus === 'probable';

/** Whether the entry is to be sent. */
export const isNew = ({ matchStatus, isHeldBack = false }: ComparedEntry): boolean =>
  matchStatus === 'new' && !isHeldBack;

/**
 * The fields that differ between file and books. A category that the file does not name is no difference, and an empty description is equal
 * to none: an export writes both in the same way.
 */
export function differences(
  { entry, earlier }: Pick<ReadEntry, 'entry' | 'earlier'>,
  stored: Transaction,
): ComparedField[] {
  const isEarlierText = earlier !== undefined && earlier.description === (stored.description ?? '');
  return COMPARED.filter(
    (field) =>
      (entry[field] || null) !== (stored[field] || null) &&
      (field !== 'category' || entry.category !== undefined) &&
      (field !== 'description' || !isEarlierText),
  );
}
