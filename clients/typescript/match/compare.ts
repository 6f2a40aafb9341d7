/** Compares files with the books: each entry gets its match status, and what may be one payment is a question. */

import { groupBy } from '../group-by.ts';
import type { Source } from '../resources.ts';
import { closingsBefore } from './after-closing.ts';
import {
  type ComparedEntry,
  type ComparedPart,
  entryElsewhere,
  isNew,
  isProbable,
} from './compared-entry.ts';
import { type CompareOptions, type Matched, match } from './match.ts';
import { factKey } from './payment-facts.ts';
import { paymentsByReference } from './payments-by-reference.ts';
import { ReferenceIndex } from './reference-index.ts';
import {
  type FileEntry,
  type FileResult,
  type LeftOutRow,
  leftOutRows,
  type RepeatedRow,
  type Row,
  rowKey,
  rowsOfFiles,
} from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { storedFacts, storedRowsOf } from './stored-row.ts';
import { withAssignedBefore } from './without-source.ts';

/** The other source that seems to have the file: it has `equal` of its `entries`. */
export interface WrongSource {
  source: Source;
  equal: number;
  entries: number;
}

/** A row that is left out, and that the books have: an earlier push had other rules or answers. */
export interface LeftOutAndStored extends LeftOutRow {
  storedEntries: readonly StoredEntry[];
}

/** The rows of all files, each payment once. */
export interface MergedFiles {
  /** Without the rows that are repeated. */
  entries: readonly FileEntry[];
  /** Rows that an earlier file has too. */
  repeated: readonly RepeatedRow[];
  /**
   * Equal rows of two files that do not name their accounts: one payment in two exports, or a payment in each of two accounts. Undefined
   * if there are none.
   */
  unnamed: RepeatedRow | undefined;
}

/** The files compared with the books, with the options of the comparison: `compareAgain` begins with it. */
export interface ComparedFiles<File extends FileResult = FileResult> extends MergedFiles, CompareOptions {
  /** Rows without a decision have the entries that the books store for them. */
  files: readonly File[];
  rows: readonly Row[];
  books: Books;
  matched: Matched;
  entries: readonly ComparedEntry[];
  /**
   * Set if the file seems to belong to other sources: they have more than half of the rows that this one lacks, by reference or with equal
   * content, and these are not a repeated payment. Do not send the file unless a person confirms it.
   */
  wrongSource: WrongSource | undefined;
  leftOutAndStored: readonly LeftOutAndStored[];
}

const EMPTY_BOOKS: Books = { sources: [], byReference: new Map(), byId: new Map() };

/** Matches the files with the books by the decisions so far, and gives each of their entries its match status. */
export function compare<File extends FileResult>(
  read: readonly File[],
  books: Books,
  options: CompareOptions,
): ComparedFiles<File> {
  const files = withAssignedBefore(read, books);
  const rows = rowsOfFiles(files, options.source?.id);
  const leftOut = leftOutRows(files);
  const matched = match({ ...options, files, rows, leftOut, books });
  const { repeated, unnamed, leftOutAndStored } = matched;
  const entries = comparedEntries(entriesOnce(rows, repeated), matched, options);
  return {
    ...options,
    files,
    rows,
    books,
    matched,
    entries,
    repeated,
    unnamed,
    wrongSource: wrongSourceOf(entries, books, options.source),
    leftOutAndStored: [...leftOutAndStored].flatMap(([row, storedEntries]) =>
      storedEntries.length > 0 ? { ...row, storedEntries } : [],
    ),
  };
}

/** Compares the same entries with the current books. */
export function compareAgain<Before extends ComparedFiles>(before: Before, books: Books): Before {
  const { rows, repeated, files, source } = before;
  const matched = match({ ...before, leftOut: leftOutRows(files), books });
  const entries = comparedEntries(entriesOnce(rows, repeated), matched, before);
  return { ...before, books, matched, entries, wrongSource: wrongSourceOf(entries, books, source) };
}

/** The entries of several files as one list, by their references alone. A row in two exports of an account is one entry. */
export function mergeFiles(files: readonly FileResult[]): MergedFiles {
  const rows = rowsOfFiles(files, undefined);
  const index = new ReferenceIndex(EMPTY_BOOKS, new Set(), undefined);
  const { repeated, unnamed } = paymentsByReference(rows, EMPTY_BOOKS, index, closingsBefore(files));
  return { entries: entriesOnce(rows, repeated), repeated, unnamed };
}

function entriesOnce(rows: readonly Row[], repeated: readonly RepeatedRow[]): FileEntry[] {
  const again = new Set(repeated.map(rowKey));
  return rows.flatMap((row) => (again.has(rowKey(row)) ? [] : row.parts));
}

const comparedEntries = (
  entries: readonly FileEntry[],
  { comparedParts }: Matched,
  { holdsBackEqual = false }: CompareOptions,
): ComparedEntry[] =>
  entries.map((entry) => {
    const part = comparedParts.get(entry) as ComparedPart;
    return holdsBackEqual && part.matchStatus === 'new' && part.equalElsewhere
      ? { ...entry, ...part, equalElsewhere: part.equalElsewhere, matchStatus: 'held back' }
      : { ...entry, ...part };
  });

/** The entries that a person has to decide about. */
export const probableEntries = ({ entries }: Pick<ComparedFiles, 'entries'>): ComparedEntry[] =>
  entries.filter(isProbable);

/** The entries to send, with their references. */
export const newEntries = ({ entries }: Pick<ComparedFiles, 'entries'>): ComparedEntry[] =>
  entries.filter(isNew).map((entry) => ({ ...entry, entry: entry.toSend }));

/** Fewer different payments in another source may be chance, such as two properties with the same rent. */
const DIFFERENT_PAYMENTS_MIN = 3;

function wrongSourceOf(
  entries: readonly ComparedEntry[],
  { sources, byId }: Books,
  source: CompareOptions['source'],
): WrongSource | undefined {
  const missing = entries.filter(
    (entry) =>
      (('probably' in entry && entry.probably.isElsewhere) ||
        ['new', 'held back', 'elsewhere'].includes(entry.matchStatus)) &&
      !entry.isSourceChosen,
  );
  if (missing.length < DIFFERENT_PAYMENTS_MIN) return undefined;
  const equalRows = groupBy(storedRowsOf([...byId.values()]), (stored) => factKey(storedFacts(stored)));
  const otherSourcesOf = (entry: ComparedEntry): Source[] => {
    const equal = (equalRows.get(factKey(entry.whole)) ?? []).flat();
    const ids = new Set([entryElsewhere(entry)?.source.id, ...equal.map(({ source: { id } }) => id)]);
    return sources.filter(({ id }) => id !== source?.id && ids.has(id));
  };
  const inOther = missing.filter((entry) => otherSourcesOf(entry).length > 0);
  const payments = new Set(
    inOther.map(({ entry: { type, amountPence, description } }) =>
      JSON.stringify([type, amountPence, description]),
    ),
  );
  const bySource = groupBy(inOther.flatMap(otherSourcesOf), (other) => other);
  const [most] = [...bySource].sort(([, one], [, other]) => other.length - one.length);
  if (!most || inOther.length * 2 <= missing.length || payments.size < DIFFERENT_PAYMENTS_MIN)
    return undefined;
  return { source: most[0], equal: most[1].length, entries: entries.length };
}
