/** New rows that are probably stored under another reference: banks change the date or the description of a payment. Nothing is merged. */
import { groupBy } from '../group-by.ts';
import type { ReadEntry } from '../import/options.ts';
import { comparable } from '../import/plan/rules.ts';
import type { Source } from '../resources.ts';
import type { Comparison } from './comparison.ts';
import { daysOfFiles, type ReadFile } from './joined-files.ts';
import type { ComparedRow } from './standing.ts';
import { type Books, dayAfter, type Period, type StoredEntry, widened } from './stored-books.ts';

/** How far apart the dates may be. */
export const DAYS_APART_MAX = 3;

/** The period of the books that the files are compared with. */
export function periodAround(files: readonly ReadFile[]): Period {
  const entries = files.flatMap(({ statement }) => statement.entries);
  return entries.some(({ id }) => id !== undefined) ? {} : widened(daysOfFiles(files), DAYS_APART_MAX);
}

/** Nearest first. A payment is booked after it was pending. */
const DAYS_APART = [0, -1, 1, -2, 2, -3, 3];

/** What has to be equal. */
interface Amount {
  sourceId: string;
  type: string;
  amountPence: number;
}

interface Payment extends Amount {
  description: string;
}

/**
 * Marks the new rows whose amount, type and source are those of a stored entry that no row of the files is, at most three days away. Each
 * stored entry is taken once, the nearest first. A row that is split is marked if each of its parts is found on one day.
 *
 * A stored entry outside the period of the files, with the same description, is an earlier or later payment of the same kind.
 * @param source the one of entries that have none of their own
 */
export function withProbable(
  entries: readonly ReadEntry[],
  comparison: Comparison,
  books: Books,
  source: Pick<Source, 'id'> | undefined,
  files: readonly ReadFile[],
): Comparison {
  const period = daysOfFiles(files);
  const free = freeEntries(books, takenBy(entries, comparison.rows, files), period);
  const found = new Map<number, StoredEntry>();
  const open = newRows(entries, comparison.rows).filter((indexes) =>
    indexes.every((index) => free.has(amountOf(entries[index] as ReadEntry, source))),
  );
  for (const days of DAYS_APART) {
    for (const indexes of open) {
      const [first = 0] = indexes;
      const { entry } = entries[first] as ReadEntry;
      if (found.has(first)) continue;
      const payments = indexes.map((index) => paymentOf(entries[index] as ReadEntry, source));
      const taken = free.take(payments, dayAfter(entry.date, days));
      for (const [position, stored] of taken.entries()) found.set(indexes[position] as number, stored);
    }
  }
  const rows = comparison.rows.map((row, index) => {
    const probably = found.get(index);
    return probably ? { ...row, probably } : row;
  });
  return { ...comparison, rows };
}

/** The indexes of the entries of each row of which the books have nothing. */
function newRows(entries: readonly ReadEntry[], rows: readonly ComparedRow[]): number[][] {
  const groups = groupBy(entries.keys(), (index) => entries[index]?.rowReference ?? index);
  return [...groups.values()].filter((indexes) => indexes.every((index) => rows[index]?.standing === 'new'));
}

function amountOf({ entry, source: own }: ReadEntry, source: Pick<Source, 'id'> | undefined): Amount {
  const { type, amountPence } = entry;
  return { sourceId: own?.id ?? source?.id ?? '', type, amountPence };
}

function paymentOf(read: ReadEntry, source: Pick<Source, 'id'> | undefined): Payment {
  return { ...amountOf(read, source), description: comparable(read.entry.description ?? '') };
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
    const { standing, stored } = rows[index] as ComparedRow;
    references.add(rowReference);
    if (standing !== 'new') ids.add(stored?.id);
  });
  for (const { statement } of files) {
    for (const { rowReference } of statement.leftOut) references.add(rowReference);
  }
  return ({ id, externalRef }) =>
    ids.has(id) ||
    (externalRef !== null && (references.has(externalRef) || references.has(rowOfPart(externalRef))));
}

/** The reference of the row whose part has this one. */
export const rowOfPart = (reference: string) => reference.replace(/#[1-9]\d?$/, '');

function freeEntries(
  books: Books,
  isTaken: (stored: StoredEntry['stored']) => boolean,
  { from = '', to = '' }: Period,
) {
  const keyOf = ({ sourceId, type, amountPence }: Amount, date: string) =>
    `${sourceId} ${type} ${amountPence} ${date}`;
  /** By description. None of the lists is empty. */
  const free = new Map<string, Map<string, StoredEntry[]>>();
  const amounts = new Set<string>();
  const add = (each: StoredEntry) => {
    const { date, description } = each.stored;
    const key = keyOf({ ...each.stored, sourceId: each.source.id }, date);
    const text = comparable(description ?? '');
    const ofDay = free.get(key) ?? new Map<string, StoredEntry[]>();
    free.set(key, ofDay);
    amounts.add(keyOf({ ...each.stored, sourceId: each.source.id }, ''));
    const same = ofDay.get(text);
    if (same) same.push(each);
    else ofDay.set(text, [each]);
  };
  for (const each of books.byId.values()) if (!isTaken(each.stored)) add(each);

  const takeOne = (payment: Payment, date: string): StoredEntry | undefined => {
    const ofDay = free.get(keyOf(payment, date)) ?? new Map<string, StoredEntry[]>();
    const isOfPeriod = date >= from && date <= to;
    const texts = ofDay.has(payment.description) && isOfPeriod ? [payment.description] : ofDay.keys();
    for (const text of texts) {
      if (text === payment.description && !isOfPeriod) continue;
      const all = ofDay.get(text) ?? [];
      const one = all.pop();
      if (all.length === 0) ofDay.delete(text);
      return one;
    }
    return undefined;
  };
  return {
    /** Whether there is one of any day. Most rows of a file end here. */
    has: (amount: Amount): boolean => amounts.has(keyOf(amount, '')),
    /** One for each payment, on that day; empty if there are not as many. */
    take(payments: readonly Payment[], date: string): StoredEntry[] {
      const taken: StoredEntry[] = [];
      for (const payment of payments) {
        const one = takeOne(payment, date);
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
