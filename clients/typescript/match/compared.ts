/** The state between the steps of a push, as docs/architecture.md lists them. */

import { groupBy } from '../group-by.ts';
import type { ReadEntry } from '../import/result.ts';
import type { Source } from '../resources.ts';
import { type ComparedEntry, isNew, isProbable } from './compared-entry.ts';
import { type Matched, match, partKey } from './matcher.ts';
import { type CompareOptions, factKey, factsOf, storedRowsOf } from './payments.ts';
import {
  type FileEntry,
  type FileResult,
  type LeftOutRow,
  leftOutRows,
  type Repetition,
  type Row,
  rowKey,
  rowsOfFiles,
} from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { withDecidedBefore } from './undecided.ts';

export interface Comparison {
  /** One for each entry, in order. */
  entries: readonly ComparedEntry[];
  /**
   * Set if the file seems to belong to other sources: they have more than half of the rows that this one lacks, by reference or with equal
   * content, and these are not a repeated payment. `source` has the most: `rows` of the `of` rows of the file. Do not send the file unless a person confirms it.
   */
  wrongSource: { source: Source; rows: number; of: number } | undefined;
}

/** A row that is left out, and that the books have: an earlier push had other rules or answers. */
export interface LeftOutAndStored extends LeftOutRow {
  stored: readonly StoredEntry[];
}

export interface JoinedFiles {
  /** Without the rows that are repeated. */
  entries: FileEntry[];
  /** Rows that an earlier file has too. */
  repeated: readonly Repetition[];
  /**
   * Equal rows of two files that do not name their accounts: one payment in two exports, or a payment in each of two accounts. Undefined
   * if there are none.
   */
  unnamed: Repetition | undefined;
}

export interface ComparedFiles<File extends FileResult = FileResult> extends JoinedFiles, CompareOptions {
  /** Rows without a decision have the entries that the books store for them. */
  files: readonly File[];
  rows: readonly Row[];
  books: Books;
  matched: Matched;
  comparison: Comparison;
  leftOutAndStored: readonly LeftOutAndStored[];
}

const NO_BOOKS: Books = { sources: [], byReference: new Map(), byId: new Map() };

export function compare<File extends FileResult>(
  read: readonly File[],
  books: Books,
  options: CompareOptions,
): ComparedFiles<File> {
  const files = withDecidedBefore(read, books);
  const rows = rowsOfFiles(files, options.source?.id);
  const leftOut = leftOutRows(files);
  const matched = match({ ...options, files, rows, leftOut, books });
  const { repeated, unnamed, storedLeftOut } = matched;
  const entries = entriesWithout(rows, repeated);
  return {
    ...options,
    files,
    rows,
    books,
    matched,
    entries,
    repeated,
    unnamed,
    comparison: comparisonOf(entries, matched, books, options.source),
    leftOutAndStored: [...storedLeftOut].flatMap(([row, stored]) =>
      stored.length > 0 ? { ...row, stored } : [],
    ),
  };
}

/** Compares the same entries with the current books. */
export function compareAgain<Before extends ComparedFiles>(before: Before, books: Books): Before {
  const { entries, rows, files } = before;
  const matched = match({ ...before, rows, leftOut: leftOutRows(files), books });
  return { ...before, books, matched, comparison: comparisonOf(entries, matched, books, before.source) };
}

/** The entries of several files as one list, without the books. A row in two exports of an account is one entry. */
export function joinFiles(files: readonly FileResult[]): JoinedFiles {
  const rows = rowsOfFiles(files, undefined);
  const options = { source: undefined, decisions: new Map(), all: 'separate' } as const;
  const { repeated, unnamed } = match({ ...options, files, rows, leftOut: [], books: NO_BOOKS });
  return { entries: entriesWithout(rows, repeated), repeated, unnamed };
}

function entriesWithout(rows: readonly Row[], repeated: readonly Repetition[]): FileEntry[] {
  const again = new Set(repeated.map(rowKey));
  return rows.flatMap((row) => (again.has(rowKey(row)) ? [] : row.parts));
}

/** The entries that a person has to decide about. */
export const probableEntries = ({ entries, comparison }: ComparedFiles): FileEntry[] =>
  entries.filter((_, index) => comparison.entries[index] && isProbable(comparison.entries[index]));

/** The entries to send, with their references. */
export function newEntries<Entry extends ReadEntry>(
  entries: readonly Entry[],
  { entries: compared }: Comparison,
): Entry[] {
  return entries.flatMap((read, index) => {
    const found = compared[index];
    return found && isNew(found) ? [{ ...read, entry: found.entry }] : [];
  });
}

function comparisonOf(
  entries: readonly FileEntry[],
  matched: Matched,
  books: Books,
  source: CompareOptions['source'],
): Comparison {
  const compared = entries.map((read) => matched.entryByPart.get(partKey(read)) as ComparedEntry);
  return { entries: compared, wrongSource: wrongSourceOf(entries, compared, books, source) };
}

/** Fewer different payments in another source may be chance, such as two properties with the same rent. */
const DIFFERENT_PAYMENTS_MIN = 3;

function wrongSourceOf(
  entries: readonly FileEntry[],
  rows: readonly ComparedEntry[],
  { sources, byId }: Books,
  own: CompareOptions['source'],
): Comparison['wrongSource'] {
  const isMissing = ({ matchStatus, probably }: ComparedEntry, index: number) =>
    (probably?.isElsewhere || matchStatus === 'new' || matchStatus === 'elsewhere') &&
    !entries[index]?.isSourceChosen;
  const missing = rows.filter(isMissing).length;
  if (missing < DIFFERENT_PAYMENTS_MIN) return undefined;
  const equal = groupBy(storedRowsOf([...byId.values()]), (stored) => factKey(factsOf(stored)));
  const sourcesOf = ({ whole }: FileEntry, row: ComparedEntry): Source[] => {
    const stored = (equal.get(factKey(whole)) ?? []).flat();
    const ids = new Set([row.source?.id, ...stored.map(({ source }) => source.id)]);
    return sources.filter(({ id }) => id !== own?.id && ids.has(id));
  };
  const isInOther = (row: ComparedEntry, index: number) =>
    isMissing(row, index) && sourcesOf(entries[index] as FileEntry, row).length > 0;
  const counts = new Map<Source, number>();
  const payments = new Set<string>();
  rows.forEach((row, index) => {
    if (!isInOther(row, index)) return;
    const read = entries[index] as FileEntry;
    const { type, amountPence, description } = read.entry;
    for (const source of sourcesOf(read, row)) counts.set(source, (counts.get(source) ?? 0) + 1);
    payments.add(JSON.stringify([type, amountPence, description]));
  });
  const found = rows.filter(isInOther).length;
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most || found * 2 <= missing || payments.size < DIFFERENT_PAYMENTS_MIN) return undefined;
  return { source: most[0], rows: most[1], of: rows.length };
}
