/** The books of a landlord's sources after statements were pushed by rules, without the network. */

import type { ImportEntry, ImportResult } from '../../../../clients/typescript/import/index.ts';
import type { Source } from '../../../../clients/typescript/index.ts';
import { type ComparedFiles, compare } from '../../../../clients/typescript/match/compare.ts';
import type { ComparedEntry } from '../../../../clients/typescript/match/compared-entry.ts';
import { NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import type { CompareOptions } from '../../../../clients/typescript/match/match.ts';
import type { FileResult } from '../../../../clients/typescript/match/row.ts';
import type { Books, StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { SOURCES } from '../import/plan.ts';
import { sourceOf } from '../sources.ts';

export const sources = SOURCES.map(({ id, name }) => sourceOf(id, { name }));

/** Books that have the entries, in this order. */
export function pushed(entries: readonly Pick<ImportEntry, 'entry' | 'source'>[]): Books {
  const stored = entries.map(({ entry, source }, index): StoredEntry => {
    const { category = null, description = null, externalRef = null } = entry;
    return {
      stored: { ...entry, id: `e${index}`, category, description, externalRef },
      source: sources.find(({ id }) => id === source?.id) as Source,
    };
  });
  return booksOf(stored);
}

/** A file of one account that has these entries alone. */
export function fileOf(entries: readonly ImportEntry[], name = 'a.csv'): FileResult {
  const rows = entries.map(({ row, entry: { date, type, amountPence } }) => {
    return { row, date, pence: type === 'income' ? amountPence : -amountPence };
  });
  const lists = { entries, invalid: [], warnings: [], withoutSource: [], rowsWithoutEntry: [] };
  const omitted = { skipped: [], leftOut: [], leftOutUnreadable: [] };
  const statements = [{ account: entries[0]?.account ?? '', rows, unreadableRows: [] }];
  return { name, result: { ...lists, ...omitted, statements } as unknown as ImportResult };
}

/** The comparison of entries with the books, without questions. */
export const compareEntries = (
  entries: readonly ImportEntry[],
  books: Books,
  source: Pick<Source, 'id'> | undefined,
  options: Pick<CompareOptions, 'holdsBackEqual'> = {},
): ComparedFiles =>
  compare([fileOf(entries)], books, { ...options, source, decisions: NO_DECISIONS, byDefault: 'separate' });

export const booksOf = (stored: readonly StoredEntry[]): Books => ({
  sources,
  byId: new Map(stored.map((each) => [each.stored.id, each])),
  byReference: new Map(stored.map((each) => [each.stored.externalRef ?? '', each])),
});

/** The fields of an entry that differ from its stored entry. */
export const fieldsOf = (entry: ComparedEntry) => ('fields' in entry ? entry.fields : undefined);

/** The record that an entry may be, or that a person has said it is. */
export const probablyOf = (entry: ComparedEntry) => ('probably' in entry ? entry.probably : undefined);

/** `conflict date,description` */
export const statusAndFields = (entry: ComparedEntry) => `${entry.matchStatus} ${fieldsOf(entry) ?? ''}`;
