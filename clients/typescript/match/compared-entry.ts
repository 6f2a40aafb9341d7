/** The status of each entry of a file, compared with the books. */

import type { ImportEntry } from '../import/result.ts';
import type { NewTransaction, Source, Transaction } from '../resources.ts';
import type { FileEntry, RowPosition } from './row.ts';
import type { StoredEntry } from './stored-books.ts';

/** The fields of an entry that are compared with its stored entry. */
export const COMPARED_FIELDS = ['date', 'type', 'amountPence', 'description', 'category'] as const;
export type ComparedField = (typeof COMPARED_FIELDS)[number];
/** `split`: the row is stored whole and the rules split it, or the reverse, or the parts differ. */
export type DifferingField = ComparedField | 'split';

/** An entry of a file, compared with the books. */
export type ComparedEntry = FileEntry & ComparedPart;
/** The result of comparing a part of a row, or a whole row, with the books. */
export type ComparedPart = New | HeldBack | Known | Conflict | Elsewhere | Taken | Probable | Same;
export type MatchStatus = ComparedPart['matchStatus'];
/** A part that has an entry of its own in the books. */
export type StoredPart = Known | Conflict | Elsewhere;

interface WithStatus<Status extends string> {
  matchStatus: Status;
  /** The entry with its reference for the service. Only a `new` one needs to be sent. */
  toSend: NewTransaction;
}

/** The books do not have it. */
export interface New extends WithStatus<'new'> {
  /** Another source has an equal entry. */
  equalElsewhere?: StoredEntry;
}

/** The books do not have it, and it is not sent, because another source has an equal entry: `CompareOptions.holdsBackEqual`. */
interface HeldBack extends WithStatus<'held back'> {
  equalElsewhere: StoredEntry;
}

/** This source has it. */
interface Known extends WithStatus<'known'> {
  stored: Transaction;
}

/** This source has it with other content, or the stored row is split in another way. The stored entry stays unchanged. */
interface Conflict extends WithStatus<'conflict'> {
  stored: Transaction;
  fields: readonly DifferingField[];
  /** With `split`: the stored entries of the row that no part of it is. */
  surplus?: readonly StoredEntry[];
}

/** Another source has it. It is not created here. */
interface Elsewhere extends WithStatus<'elsewhere'> {
  stored: Transaction;
  storedIn: Source;
  fields: readonly DifferingField[];
}

/** Its reference belongs to an entry that it does not resemble. It cannot be created under that reference. */
interface Taken extends WithStatus<'taken'> {
  holder: StoredEntry;
}

/** It may be another record, and a person has to decide. */
interface Probable extends WithStatus<'probable'> {
  probably: ProbableRecord;
  /** If the record is split in another way: the entries of the record. */
  surplus?: readonly StoredEntry[];
}

/** A person has said that it is this stored entry, and nothing else differs. */
interface Same extends WithStatus<'same'> {
  probably: ProbableRecord;
}

/** A stored entry, or a row of another file as if it was stored. */
interface ProbableRecord extends StoredEntry {
  /** It has another amount or type, which the row probably corrects. */
  isEarlierVersion: boolean;
  /** It is in another source than the row. */
  isElsewhere: boolean;
  /** The fields that differ. */
  fields: readonly DifferingField[];
  /** It is a row of another file of the run, which the books do not have yet. */
  other?: RowPosition;
}

/** The worst one first. */
const MATCH_STATUSES: readonly MatchStatus[] = [
  'taken',
  'conflict',
  'elsewhere',
  'held back',
  'new',
  'probable',
  'same',
  'known',
];

/** Of the parts of a row, the one with the worst status. */
export const worstOf = (parts: readonly ComparedEntry[]): ComparedEntry | undefined =>
  parts.toSorted(
    (one, other) => MATCH_STATUSES.indexOf(one.matchStatus) - MATCH_STATUSES.indexOf(other.matchStatus),
  )[0];

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

/** The stored entries of a row that none of its parts matches: it was split in another way. */
export const surplusOf = (part: ComparedPart): readonly StoredEntry[] =>
  ('surplus' in part && part.surplus) || [];

/** Whether the entry is to be sent. */
export const isNew = (entry: ComparedEntry): entry is FileEntry & New => entry.matchStatus === 'new';

/** The entry of another source that it is, or that equals it. */
export function entryElsewhere(part: ComparedPart): StoredEntry | undefined {
  if (part.matchStatus === 'elsewhere') return { stored: part.stored, source: part.storedIn };
  return 'equalElsewhere' in part ? part.equalElsewhere : undefined;
}

/**
 * The fields that differ between file and books. A category that the file does not name is no difference, and an empty description is equal
 * to none: an export writes both in the same way.
 */
export function differences(
  { entry, earlier }: Pick<ImportEntry, 'entry' | 'earlier'>,
  stored: Transaction,
): ComparedField[] {
  const isEarlierText = earlier !== undefined && earlier.description === (stored.description ?? '');
  return COMPARED_FIELDS.filter(
    (field) =>
      (entry[field] || null) !== (stored[field] || null) &&
      (field !== 'category' || entry.category !== undefined) &&
      (field !== 'description' || !isEarlierText),
  );
}
