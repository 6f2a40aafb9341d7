/**
 * New rows that are probably stored under another reference: banks change the date or the description of a payment, and people correct
 * its amount. Nothing is merged.
 */
import { groupBy } from '../group-by.ts';
import type { ReadEntry } from '../import/options.ts';
import type { Source } from '../resources.ts';
import { type Comparison, differences } from './comparison.ts';
import { daysOfFiles, type ReadFile } from './joined-files.ts';
import type { ComparedRow, ProbableEntry } from './match-status.ts';
import { sameDescription } from './same-description.ts';
import { type Books, dayAfter, type Period, type StoredEntry, widened } from './stored-books.ts';
import { partNumber, rowOfPart } from './stored-rows.ts';

/** The most days between the dates. */
export const DAYS_APART_MAX = 3;

/** The period of the books to compare the files with. */
export function periodAround(files: readonly ReadFile[]): Period {
  const entries = files.flatMap(({ statement }) => statement.entries);
  return entries.some(({ id }) => id !== undefined) ? {} : widened(daysOfFiles(files), DAYS_APART_MAX);
}

/** Nearest first, earlier before later: a payment is booked after it was pending. */
export const DAYS_APART = [0, -1, 1, -2, 2, -3, 3];

/** The fields that must be equal. */
interface Amount {
  sourceId: string;
  type: string;
  amountPence: number;
}

interface Payment extends Amount {
  description: string;
}

/**
 * Marks new rows that are probably stored entries, at most three days away, which no other row of the files is. In each pass a stored entry
 * is taken once: first by rows with its description, and by the nearest of them. A split row is marked as a whole.
 *
 * The first pass takes entries with an equal amount, type and source. A stored entry outside the period of the files, with the same
 * description, is an earlier or later payment of the same kind. The second pass takes entries of the period with an equal description,
 * which are probably earlier versions of the row: in its source, or in any other if the rules or the file choose the source, for example
 * by an amount that was wrong. An entry that the first pass gives to a row with another description may be either row: both are marked.
 * @param source of entries without a source of their own
 */
export function withProbable(
  entries: readonly ReadEntry[],
  comparison: Comparison,
  books: Books,
  source: Pick<Source, 'id'> | undefined,
  files: readonly ReadFile[],
): Comparison {
  const period = daysOfFiles(files);
  const isTaken = takenBy(entries, comparison.rows, files);
  const unclaimed = [...books.byId.values()].filter(({ stored }) => !isTaken(stored));
  const found = new Map<number, ProbableEntry>();
  const sameText = new Set<string>();
  const rows = newRows(entries, comparison.rows);
  const free = freeEntries(unclaimed, period);
  const open = rows.filter((indexes) =>
    indexes.every((index) => free.has(amountOf(entries[index] as ReadEntry, source))),
  );
  for (const isSameText of [true, false]) {
    forNearest(
      open.filter(([first = 0]) => !found.has(first)),
      entries,
      (indexes, date) => {
        const payments = indexes.map((index) => paymentOf(entries[index] as ReadEntry, source));
        const taken = free.take(payments, date, isSameText);
        for (const [position, each] of taken.entries()) {
          const index = indexes[position] as number;
          const fields = differences(entries[index] as ReadEntry, each.stored);
          found.set(index, { ...each, isEarlierVersion: false, isElsewhere: false, fields });
          if (isSameText) sameText.add(each.stored.id);
        }
        return taken.length > 0;
      },
    );
  }
  const earlier = earlierVersions(
    unclaimed.filter(({ stored }) => !sameText.has(stored.id)),
    period,
  );
  for (const isElsewhere of [false, true]) {
    const isOpen = ([first = 0]: number[]) =>
      !found.has(first) && (!isElsewhere || (entries[first] as ReadEntry).isSourceChosen === true);
    forNearest(earlier.isEmpty ? [] : rows.filter(isOpen), entries, (indexes, date) => {
      const payments = indexes.map((index) => paymentOf(entries[index] as ReadEntry, source));
      const versions = earlier.take(payments, date, isElsewhere);
      const [one] = versions;
      if (!one) return false;
      for (const [position, index] of indexes.entries()) {
        const version = versions[position] ?? one;
        const fields = hasEqualParts(versions, payments, isElsewhere)
          ? differences(entries[index] as ReadEntry, version.stored)
          : (['split'] as const);
        found.set(index, { ...version, isEarlierVersion: true, isElsewhere, fields });
      }
      return true;
    });
  }
  return {
    ...comparison,
    rows: comparison.rows.map((row, index) => {
      const probably = found.get(index);
      return probably ? { ...row, probably } : row;
    }),
  };
}

/** Whether a row is split as its earlier version: into as many parts, each in the same source unless the whole row is elsewhere. */
const hasEqualParts = (
  versions: readonly StoredEntry[],
  payments: readonly Payment[],
  isElsewhere: boolean,
): boolean =>
  versions.length === payments.length &&
  (isElsewhere || versions.every(({ source }, position) => source.id === payments[position]?.sourceId));

/** Tries each row with the days around its own, the nearest first, until `take` succeeds. */
function forNearest(
  rows: readonly number[][],
  entries: readonly ReadEntry[],
  take: (indexes: number[], date: string) => boolean,
): void {
  let open = rows;
  for (const days of DAYS_APART) {
    open = open.filter((indexes) => {
      const { entry } = entries[indexes[0] as number] as ReadEntry;
      return !take(indexes, dayAfter(entry.date, days));
    });
  }
}

/** The indexes of the entries of each row that is entirely new. */
function newRows(entries: readonly ReadEntry[], rows: readonly ComparedRow[]): number[][] {
  const groups = groupBy(entries.keys(), (index) => entries[index]?.rowReference ?? index);
  return [...groups.values()].filter((indexes) =>
    indexes.every((index) => rows[index]?.matchStatus === 'new'),
  );
}

function amountOf({ entry, source: own }: ReadEntry, source: Pick<Source, 'id'> | undefined): Amount {
  const { type, amountPence } = entry;
  return { sourceId: own?.id ?? source?.id ?? '', type, amountPence };
}

function paymentOf(read: ReadEntry, source: Pick<Source, 'id'> | undefined): Payment {
  return { ...amountOf(read, source), description: sameDescription(read.entry.description ?? '') };
}

/** Whether a stored entry is a row of the files, or a part of one. */
function takenBy(
  entries: readonly ReadEntry[],
  rows: readonly ComparedRow[],
  files: readonly ReadFile[],
): (stored: StoredEntry['stored']) => boolean {
  const references = new Set<string | undefined>();
  const ids = new Set<string | undefined>();
  entries.forEach(({ entry, rowReference = entry.externalRef }, index) => {
    const { matchStatus, stored } = rows[index] as ComparedRow;
    references.add(rowReference);
    if (matchStatus !== 'new') ids.add(stored?.id);
  });
  for (const { statement } of files) {
    for (const { rowReference } of statement.leftOut) references.add(rowReference);
  }
  return ({ id, externalRef }) =>
    ids.has(id) ||
    (externalRef !== null && (references.has(externalRef) || references.has(rowOfPart(externalRef))));
}

/** Entries of the period by day and description. The entries of one row are one version, in the order of its parts. */
function earlierVersions(unclaimed: readonly StoredEntry[], { from = '', to = '' }: Period) {
  const keyOf = (date: string, description: string) => `${date} ${description}`;
  const dated = unclaimed.filter(
    ({ stored: { date, description } }) => date >= from && date <= to && description,
  );
  const byRow = groupBy(dated, ({ stored: { externalRef, id } }) =>
    externalRef === null ? id : rowOfPart(externalRef),
  );
  const versions = [...byRow.values()].map((parts) =>
    parts.sort((one, other) => partOf(one) - partOf(other)),
  );
  const free = groupBy(versions, ([first]) => {
    const { date, description } = (first as StoredEntry).stored;
    return keyOf(date, sameDescription(description ?? ''));
  });
  return {
    isEmpty: free.size === 0,
    /** Takes the entries of one row, in the source of one of the payments or in none of their sources; empty if there is no such row. */
    take(payments: readonly Payment[], date: string, isElsewhere: boolean): StoredEntry[] {
      const ofDay = free.get(keyOf(date, payments[0]?.description ?? '')) ?? [];
      const isIn = ({ source: { id } }: StoredEntry) => payments.some(({ sourceId }) => sourceId === id);
      const index = ofDay.findIndex((parts) => parts.some(isIn) !== isElsewhere);
      return index < 0 ? [] : (ofDay.splice(index, 1)[0] ?? []);
    },
  };
}

const partOf = ({ stored: { externalRef } }: StoredEntry) =>
  externalRef === null ? 1 : partNumber(externalRef);

function freeEntries(unclaimed: readonly StoredEntry[], { from = '', to = '' }: Period) {
  const keyOf = ({ sourceId, type, amountPence }: Amount, date: string) =>
    `${sourceId} ${type} ${amountPence} ${date}`;
  /** By description. None of the lists is empty. */
  const free = new Map<string, Map<string, StoredEntry[]>>();
  const amounts = new Set<string>();
  const add = (each: StoredEntry) => {
    const { date, description } = each.stored;
    const key = keyOf({ ...each.stored, sourceId: each.source.id }, date);
    const text = sameDescription(description ?? '');
    const ofDay = free.get(key) ?? new Map<string, StoredEntry[]>();
    free.set(key, ofDay);
    amounts.add(keyOf({ ...each.stored, sourceId: each.source.id }, ''));
    const same = ofDay.get(text);
    if (same) same.push(each);
    else ofDay.set(text, [each]);
  };
  for (const each of unclaimed) add(each);

  const takeOne = (payment: Payment, date: string, isSameText: boolean): StoredEntry | undefined => {
    const ofDay = free.get(keyOf(payment, date)) ?? new Map<string, StoredEntry[]>();
    const isOfPeriod = date >= from && date <= to;
    const text = [...ofDay.keys()].find((each) =>
      each === payment.description ? isSameText && isOfPeriod : !isSameText,
    );
    if (text === undefined) return undefined;
    const all = ofDay.get(text) ?? [];
    const one = all.pop();
    if (all.length === 0) ofDay.delete(text);
    return one;
  };
  return {
    /** Whether any day has an entry of this amount. Decides most rows of a file. */
    has: (amount: Amount): boolean => amounts.has(keyOf(amount, '')),
    /** Takes one entry of that day for each payment; empty if there are too few. */
    take(payments: readonly Payment[], date: string, isSameText: boolean): StoredEntry[] {
      const taken: StoredEntry[] = [];
      for (const payment of payments) {
        const one = takeOne(payment, date, isSameText);
        if (!one) {
          for (const each of taken) add(each);
          return [];
        }
        taken.push(one);
      }
      return taken;
    },
  };
}
