/** What the import knows: the file and how it is read, the edits, the books, what is sent. */
import type { Compared } from '../../typescript/books/compared.ts';
import { type Decisions, NO_DECISIONS } from '../../typescript/books/decisions.ts';
import type { FileEntry } from '../../typescript/books/joined-files.ts';
import { isOpen } from '../../typescript/books/standing.ts';
import type { Books, Period } from '../../typescript/books/stored-books.ts';
import type {
  Correction,
  DateFormat,
  DecimalMark,
  Encoding,
  Field,
  Format,
  ImportError,
  ImportResult,
} from '../../typescript/import/index.ts';
import type { CategorySet, Source, SourceType } from '../../typescript/index.ts';
import {
  type BalanceProof,
  balanceProofs,
  type Closings,
  withClosings,
} from '../../typescript/proof/balances.ts';
import { capitalised } from '../page/format.ts';
import type { Sending } from './sending.ts';

export type Step = 'file' | 'check' | 'send' | 'result';

/** What the visitor has set; the reader finds out the rest. */
export interface Reading {
  format?: Format | undefined;
  encoding?: Encoding | undefined;
  bank?: string | undefined;
  sheet?: string | undefined;
  dateFormat?: DateFormat | undefined;
  decimal?: DecimalMark | undefined;
  accountLabel?: string | undefined;
  /** Equal rows with one reference of the bank are one payment, or several. */
  repeated?: 'same' | 'another' | undefined;
  map?: Partial<Record<Field, string>> | undefined;
  /** Columns that are not used. */
  ignore?: readonly string[] | undefined;
}

/** Where categories come from when a row has none. */
export interface Categorising {
  rules: string;
  /** Keys; empty: none. */
  income: string;
  expense: string;
}

export interface ImportFile {
  name: string;
  bytes: Uint8Array;
}

/** A file that was imported, with what it was read with. */
export interface ImportedFile
  extends Pick<
    ImportState,
    'source' | 'isByRules' | 'reading' | 'categorising' | 'corrections' | 'balances'
  > {
  file: ImportFile;
  result: ImportResult;
}

export type Corrections = ReadonlyMap<number, Correction>;

export interface ImportState {
  step: Step;
  /** Of the account. */
  sources: readonly Source[];
  /** The one of rows of which neither the rules nor a column decides. */
  source: Source | undefined;
  /** No source is chosen for all rows: the rules or a column decide. */
  isByRules: boolean;
  /** By the type of the source; undefined until they are read. */
  allCategories: Record<SourceType, CategorySet> | undefined;
  file: ImportFile | undefined;
  /** Of this account, since the page was opened. The last one with the content of a file counts. */
  imported: readonly ImportedFile[];
  /** What is imported after it, one after the other. */
  waiting: readonly ImportFile[];
  reading: Reading;
  /** The use of the columns is kept for files with this header. */
  areColumnsKept: boolean;
  categorising: Categorising;
  corrections: Corrections;
  /** About rows that are probably in the books, of all files of this account. */
  decisions: Decisions;
  /** Before each change, the last one last. */
  history: readonly Pick<ImportState, 'corrections' | 'decisions'>[];
  /** The file is being read with the settings of now. */
  isBusy: boolean;
  read: ImportResult | undefined;
  /** What was read, in which rows that nothing decides about are what the books have of them. */
  result: ImportResult | undefined;
  /** What `read` would be without corrections; undefined until it is needed again. */
  original: ImportResult | undefined;
  /** What the balances of the file say, one for each of its bank accounts. */
  balances: readonly BalanceProof[];
  /** The file cannot be read, or a setting does not fit it. The last result stays. */
  problem: ImportError | undefined;
  /** What else failed, for example reading the categories. */
  failure: string | undefined;
  books: StoredBooks;
  /** The entries of `result` beside the books; undefined until these are read. */
  compared: Compared | undefined;
  /** The file is for this source, although another one has its entries. */
  isSourceConfirmed: boolean;
  sending: Sending | undefined;
  /** What was not sent the last time, because the books had changed since it was shown. */
  changed: readonly FileEntry[] | undefined;
  /** Ids of the entries that this file has created. */
  created: ReadonlySet<string>;
}

/** The entries of all sources of the account. */
export interface StoredBooks {
  status: 'unread' | 'reading' | 'read' | 'failed';
  period: Period;
  stored: Books | undefined;
}

export const NO_BOOKS: StoredBooks = { status: 'unread', period: {}, stored: undefined };

export const initialState: ImportState = {
  step: 'file',
  sources: [],
  source: undefined,
  isByRules: false,
  allCategories: undefined,
  file: undefined,
  imported: [],
  waiting: [],
  reading: {},
  areColumnsKept: false,
  categorising: { rules: '', income: '', expense: '' },
  corrections: new Map(),
  decisions: NO_DECISIONS,
  history: [],
  isBusy: false,
  read: undefined,
  result: undefined,
  original: undefined,
  balances: [],
  problem: undefined,
  failure: undefined,
  books: NO_BOOKS,
  compared: undefined,
  isSourceConfirmed: false,
  sending: undefined,
  changed: undefined,
  created: new Set(),
};

/** The files that were imported, with this one. */
export function withImported(state: ImportState): ImportedFile[] {
  const { file, result, source, isByRules, reading, categorising, corrections, balances } = state;
  if (!file || !result) return [...state.imported];
  const others = state.imported.filter((each) => !isEqual(each.file.bytes, file.bytes));
  return [...others, { file, result, source, isByRules, reading, categorising, corrections, balances }];
}

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** The balances of a file, which goes on where those of its accounts end that were imported before. */
export function balancesOf(
  statement: ImportResult,
  imported: readonly ImportedFile[],
): readonly BalanceProof[] {
  const closings = imported.reduce<Closings>(
    (before, { balances }) => withClosings(before, balances),
    new Map(),
  );
  return balanceProofs([{ name: '', statement }], closings)[0] ?? [];
}

/** The categories as the page shows them. */
export function labelled(sets: Record<SourceType, CategorySet>): Record<SourceType, CategorySet> {
  const named = (categories: CategorySet['income']) =>
    categories.map(({ key, label }) => ({ key, label: capitalised(label) }));
  const entries = Object.entries(sets).map(([type, { income, expense }]) => [
    type,
    { income: named(income), expense: named(expense) },
  ]);
  return Object.fromEntries(entries);
}

/** The categories of the chosen source. */
export const categoriesOf = ({ source, allCategories }: ImportState): CategorySet | undefined =>
  source && allCategories?.[source.type];

/**
 * Whether there is something to send or to see, and nothing stands against it. Without the books it is unknown what is new, and whether the
 * file is one of another source. A row that is probably in the books needs a decision.
 */
export function canSend({ result, problem, isBusy, compared, isSourceConfirmed }: ImportState): boolean {
  if (!result || problem || isBusy || !compared) return false;
  if (result.entries.length === 0 && compared.leftOut.length === 0) return false;
  if (compared.comparison.rows.some(isOpen)) return false;
  return !compared.comparison.wrongSource || isSourceConfirmed;
}

/** Whether closing the tab would lose something: files that wait, entries that are being sent, or edits that are not all sent. */
export function isWorkAtRisk({ sending, corrections, waiting }: ImportState): boolean {
  if (waiting.length > 0) return true;
  if (sending?.status === 'done' && sending.changed.length === 0) return false;
  return corrections.size > 0 || (sending !== undefined && sending.status !== 'failed');
}

/** The sources that entries of the file are for. */
export function importedSources({ result, sources, source }: ImportState): Source[] {
  const ids = new Set(result?.entries.map((read) => read.source?.id ?? source?.id));
  return sources.filter(({ id }) => ids.has(id));
}

/** What the entries are for, for people. */
export function targetOf(state: ImportState): string {
  const sources = importedSources(state);
  const [only = state.source] = sources;
  if (sources.length > 1) return `${sources.length} properties and businesses`;
  return only?.name ?? 'your books';
}

/** How many rows need a correction or have to be left out. */
export const invalidRows = ({ invalid }: ImportResult): number => new Set(invalid.map(({ row }) => row)).size;
