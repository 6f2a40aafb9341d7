/** What the import knows: the file and how it is read, the edits, the books, what is sent. */
import type { Comparison } from '../../typescript/books/comparison.ts';
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
  /** Rows that are probably in the books, and of which a person says that they are payments of their own. */
  ownPayments: ReadonlySet<number>;
  /** Before each change, the last one last. */
  history: readonly Pick<ImportState, 'corrections' | 'ownPayments'>[];
  /** The file is being read with the settings of now. */
  isBusy: boolean;
  result: ImportResult | undefined;
  /** What `result` would be without corrections; undefined until it is needed again. */
  original: ImportResult | undefined;
  /** What the balances of the file say, one for each of its bank accounts. */
  balances: readonly BalanceProof[];
  /** The file cannot be read, or a setting does not fit it. The last result stays. */
  problem: ImportError | undefined;
  /** What else failed, for example reading the categories. */
  failure: string | undefined;
  books: StoredBooks;
  /** Of the entries of `result` with the books; undefined until the books are read. */
  comparison: Comparison | undefined;
  /** The file is for this source, although another one has its entries. */
  isSourceConfirmed: boolean;
  sending: Sending | undefined;
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
  ownPayments: new Set(),
  history: [],
  isBusy: false,
  result: undefined,
  original: undefined,
  balances: [],
  problem: undefined,
  failure: undefined,
  books: NO_BOOKS,
  comparison: undefined,
  isSourceConfirmed: false,
  sending: undefined,
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

/** Another file: what was set and edited for the one before does not apply to it. */
export function withFile(file: ImportFile): Partial<ImportState> {
  return {
    file,
    reading: {},
    areColumnsKept: false,
    corrections: new Map(),
    ownPayments: new Set(),
    history: [],
    result: undefined,
    original: undefined,
    balances: [],
    problem: undefined,
    books: NO_BOOKS,
    comparison: undefined,
    isSourceConfirmed: false,
    sending: undefined,
    step: 'file',
  };
}

/** Another source may have other categories. @param source undefined: the rules or a column decide */
export function withSource(state: ImportState, source: Source | undefined): Partial<ImportState> {
  const isSameType = source?.type === state.source?.type;
  return {
    source,
    isByRules: source === undefined,
    isSourceConfirmed: false,
    original: undefined,
    sending: undefined,
    // The rules name sources, or categories that several types have.
    ...(!isSameType && { categorising: { ...state.categorising, income: '', expense: '' } }),
  };
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

/** A setting that is undefined or empty goes back to what the reader finds out. A setting that changes the rows ends the edits. */
export function withReading(state: ImportState, change: Reading): Partial<ImportState> {
  const reading = { ...state.reading, ...change };
  const isOtherTable = 'format' in change || 'sheet' in change;
  // Columns are named as in the table that they were chosen for.
  if (isOtherTable || 'bank' in change) Object.assign(reading, { map: undefined, ignore: undefined });
  return {
    reading,
    original: undefined,
    ...(isOtherTable && { corrections: new Map(), ownPayments: new Set(), history: [] }),
  };
}

/** The correction of a row that is as the file has it. */
export const AS_IN_FILE: Correction = {
  date: undefined,
  amount: undefined,
  type: undefined,
  description: undefined,
  category: undefined,
  source: undefined,
  isLeftOut: undefined,
};

const UNDO_MAX = 100;

/** What a person says of rows. */
type Decisions = Pick<ImportState, 'corrections' | 'ownPayments' | 'history'>;

/** With this change added to what each of the rows has already. */
export function withCorrection(state: Decisions, rows: readonly number[], change: Correction): Decisions {
  const { corrections, ownPayments } = state;
  const next = new Map(corrections);
  for (const row of rows) {
    const merged = { ...next.get(row), ...change };
    const isEmpty = Object.values(merged).every((value) => value === undefined);
    if (isEmpty) next.delete(row);
    else next.set(row, merged);
  }
  return { corrections: next, ownPayments, history: historyOf(state) };
}

/** These rows are payments of their own. */
export const withOwnPayments = (state: ImportState, rows: readonly number[]): Partial<ImportState> => ({
  ownPayments: new Set([...state.ownPayments, ...rows]),
  history: historyOf(state),
});

const historyOf = ({ corrections, ownPayments, history }: Decisions) =>
  [...history, { corrections, ownPayments }].slice(-UNDO_MAX);

/**
 * Whether there is something to send, and nothing stands against it. Without the books it is unknown what is new, and whether the file is
 * one of another source. A row that is probably in the books needs a decision.
 */
export function canSend({ result, problem, isBusy, comparison, isSourceConfirmed }: ImportState): boolean {
  if (!result || result.entries.length === 0 || problem || isBusy || !comparison) return false;
  if (comparison.rows.some(({ probably }) => probably)) return false;
  return !comparison.wrongSource || isSourceConfirmed;
}

/** Whether closing the tab would lose something: files that wait, entries that are being sent, or edits that are not all sent. */
export function isWorkAtRisk({ sending, corrections, waiting }: ImportState): boolean {
  if (waiting.length > 0) return true;
  if (sending?.status === 'done') return false;
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
