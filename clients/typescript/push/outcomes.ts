/** Outcomes of a push, as shown to the user. */

import type { ComparedFiles } from '../match/compare.ts';
import { type ComparedEntry, isNew, type New } from '../match/compared-entry.ts';
import { type FileEntry, rowKey } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import { pounds } from '../pounds.ts';
import { type PushCounts, pushCounts } from '../push-counts.ts';
import type { NewTransaction, Source, Transaction } from '../resources.ts';
import type { Outcome } from '../write.ts';

/** The reference of the row belongs to an entry that the row does not resemble. */
export interface TakenOutcome {
  status: 'taken';
  id: string;
  /** The entry; undefined if no source of the account has it. */
  holder: StoredEntry | undefined;
}

/** The outcome of a row. `elsewhere`: it is in another source. Neither such rows nor probably known ones were sent. */
export type EntryOutcome =
  | Outcome
  | TakenOutcome
  | { status: 'elsewhere'; id: string; source: Source }
  | { status: 'probably known' | 'probably a correction'; id: string; stored: StoredEntry['stored'] };

/** The outcome of each row before anything is sent: undefined for a new row. */
export const outcomesInBooks = ({ entries }: Pick<ComparedFiles, 'entries'>): (EntryOutcome | undefined)[] =>
  entries.map((entry) => (isNew(entry) ? undefined : outcomeInBooks(entry)));

interface OutcomeCounts extends Omit<PushCounts, 'settled'> {
  known: number;
  conflicts: number;
  elsewhere: number;
  /** Entries whose references belong to other entries. */
  taken: number;
  /** Probably known or corrections, and not sent. */
  probable: number;
  /** Entries without an outcome. */
  remaining: number;
}

/** Counts the outcomes of a push, which is why all programs count alike. */
export function countsOf(outcomes: readonly (EntryOutcome | undefined)[]): OutcomeCounts {
  const count = (...statuses: EntryOutcome['status'][]) =>
    outcomes.filter((outcome) => outcome && statuses.includes(outcome.status)).length;
  const { settled, ...counts } = pushCounts(outcomes);
  return {
    ...counts,
    known: count('known'),
    conflicts: count('conflict'),
    elsewhere: count('elsewhere'),
    taken: count('taken'),
    probable: count('probably known', 'probably a correction'),
    remaining: outcomes.length - settled,
  };
}

/** The outcome of a row that is not sent, from the comparison. */
function outcomeInBooks(entry: Exclude<ComparedEntry, New>): EntryOutcome {
  switch (entry.matchStatus) {
    case 'known':
      return { status: 'known', id: entry.stored.id };
    case 'joined':
      return { status: 'known', id: entry.probably.stored.id };
    case 'conflict':
      return { status: 'conflict', id: entry.stored.id, fields: entry.fields };
    case 'elsewhere':
      return { status: 'elsewhere', id: entry.stored.id, source: entry.storedIn };
    case 'held back': {
      const { stored, source } = entry.equalElsewhere;
      return { status: 'elsewhere', id: stored.id, source };
    }
    case 'taken':
      return { status: 'taken', id: entry.holder.stored.id, holder: entry.holder };
    case 'probable': {
      const { stored, isEarlierVersion } = entry.probably;
      const status = isEarlierVersion ? 'probably a correction' : 'probably known';
      return { status, id: stored.id, stored };
    }
  }
}

/**
 * The entries that have no stored entry of their own: a finished push has none. An entry of its own has an id, shares the date, the amount or
 * the description, and accounts for one row.
 */
export function withoutEntry<Entry extends FileEntry>(
  entries: readonly Entry[],
  outcomes: readonly (EntryOutcome | undefined)[],
): Entry[] {
  const rowsById = new Map<string, string>();
  return entries.filter((entry, index) => {
    const outcome = outcomes[index];
    if (!outcome || outcome.id === '' || outcome.status === 'taken') return true;
    const isOtherPayment =
      outcome.status === 'conflict' && FACTS.every((fact) => outcome.fields.includes(fact));
    const row = rowKey(entry);
    const firstRow = rowsById.get(outcome.id) ?? row;
    rowsById.set(outcome.id, firstRow);
    return isOtherPayment || firstRow !== row;
  });
}

const FACTS = ['date', 'amountPence', 'description'];

/** A sentence about a reference that is taken. */
export function takenText({ id, holder }: TakenOutcome): string {
  if (!holder) return `The reference belongs to entry ${id}, which is in no source of this account.`;
  return `The reference belongs to entry ${id} of ${holder.stored.date}: ${paymentText(holder.stored)}, in ${holder.source.name}.`;
}

/** `1,200.00, RENT JUNE` */
export const paymentText = ({ amountPence, description }: Transaction): string =>
  `${pounds(amountPence)}, ${description ?? 'without a description'}`;

/**
 * The outcomes, with conflicts over a category that the file does not name as known. The app, or a rule of an earlier push, chose the
 * stored category.
 */
export function outcomesForFile<MaybeOutcome extends Outcome | undefined>(
  entries: readonly { entry: NewTransaction }[],
  outcomes: readonly MaybeOutcome[],
): (MaybeOutcome | Outcome)[] {
  return outcomes.map((outcome, index) =>
    outcome?.status === 'conflict' &&
    outcome.fields.every((field) => field === 'category') &&
    entries[index]?.entry.category === undefined
      ? { status: 'known', id: outcome.id }
      : outcome,
  );
}
