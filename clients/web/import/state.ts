/** The facts of an import, and what follows from them. */
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
import type { BalanceProof } from '../../typescript/proof/balances.ts';
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

/** A file that was imported, and the settings and changes that it was read with. */
export interface ImportedFile
  extends Pick<
    ImportState,
    'source' | 'isByRules' | 'reading' | 'categorising' | 'corrections' | 'balances'
  > {
  file: ImportFile;
}

export type Corrections = ReadonlyMap<number, Correction>;

/** What the reader made of the file, and the settings that it had. */
export interface FileRead {
  settings: readonly unknown[];
  source: Source | undefined;
  result: ImportResult;
  /** The result without corrections. */
  original: ImportResult;
}

/** Facts that belong to the account: files come and go. Another account has others. */
export interface AccountFacts {
  sources: readonly Source[];
  /** For rows that neither the rules nor a column assigns. */
  source: Source | undefined;
  /** No source is chosen for all rows: the rules or a column decide. */
  isByRules: boolean;
  /** By the type of the source; undefined until they are read. */
  allCategories: Record<SourceType, CategorySet> | undefined;
  categorising: Categorising;
  /** About rows that are probably in the books. */
  decisions: Decisions;
  /** Since the page was opened. The last one with the content of a file counts. */
  imported: readonly ImportedFile[];
  /** Something else than the file failed, for example reading the categories. */
  failure: string | undefined;
}

/** Facts that belong to the file. Another file begins with `NO_FILE`. */
export interface FileFacts {
  step: Step;
  file: ImportFile | undefined;
  /** Files that are imported after it, one after the other. */
  waiting: readonly ImportFile[];
  reading: Reading;
  /** The use of the columns is kept for files with this header. */
  areColumnsKept: boolean;
  corrections: Corrections;
  /** Before each change, the last one last. */
  history: readonly Pick<Facts, 'corrections' | 'decisions'>[];
  /** Identifies the read that is running. */
  pending: object | undefined;
  read: FileRead | undefined;
  /** The file cannot be read, or a setting does not fit it. The last read stays. */
  problem: ImportError | undefined;
  books: StoredBooks;
  /** The file is for this source, although another one has its entries. */
  isSourceConfirmed: boolean;
  sending: Sending | undefined;
  /** New rows that the last import did not send, because the books had changed since they were shown. */
  changed: readonly FileEntry[] | undefined;
  /** Ids of the entries that this file has created. */
  created: ReadonlySet<string>;
}

/** Everything that is set. The rest follows from it. */
export interface Facts extends AccountFacts, FileFacts {}

/** The facts, and what follows from them. */
export interface ImportState extends Facts {
  isBusy: boolean;
  /** The rows as read. The books decide rows that nothing else decides. */
  result: ImportResult | undefined;
  /** The entries of `result` beside the books; undefined until these are read. */
  compared: Compared | undefined;
  /** One for each bank account of the file. */
  balances: readonly BalanceProof[];
}

/** The entries of all sources of the account. While they are read, the ones before stay. */
export interface StoredBooks {
  status: 'unread' | 'reading' | 'read' | 'failed';
  period: Period;
  stored: Books | undefined;
}

export const NO_BOOKS: StoredBooks = { status: 'unread', period: {}, stored: undefined };

export const NO_ACCOUNT: AccountFacts = {
  sources: [],
  source: undefined,
  isByRules: false,
  allCategories: undefined,
  categorising: { rules: '', income: '', expense: '' },
  decisions: NO_DECISIONS,
  imported: [],
  failure: undefined,
};

export const NO_FILE: FileFacts = {
  step: 'file',
  file: undefined,
  waiting: [],
  reading: {},
  areColumnsKept: false,
  corrections: new Map(),
  history: [],
  pending: undefined,
  read: undefined,
  problem: undefined,
  books: NO_BOOKS,
  isSourceConfirmed: false,
  sending: undefined,
  changed: undefined,
  created: new Set(),
};

/** Which step may follow which. Another file begins at the first one. */
export const FOLLOWS: Record<Step, readonly Step[]> = {
  file: ['check'],
  check: ['file', 'check', 'send'],
  send: ['check', 'result'],
  result: ['send'],
};

/** The files that were imported, with this one. */
export function withImported(state: ImportState): ImportedFile[] {
  const { file, source, isByRules, reading, categorising, corrections, balances } = state;
  if (!file) return [...state.imported];
  return [
    ...state.imported.filter(isOther(file)),
    { file, source, isByRules, reading, categorising, corrections, balances },
  ];
}

/** Finds the imported files with another content. */
export const isOther =
  ({ bytes }: ImportFile) =>
  ({ file }: ImportedFile) =>
    file.bytes.length !== bytes.length || file.bytes.some((byte, index) => byte !== bytes[index]);

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
