/** The types of the facts of an import and of the state derived from them, with the first facts. */
import type { BalanceCheck } from '../../typescript/balances/balances.ts';
import type { Period } from '../../typescript/days.ts';
import type { Closings } from '../../typescript/import/chain/closings.ts';
import type { ImportError } from '../../typescript/import/import-error.ts';
import type { FileSettings, ImportOptions } from '../../typescript/import/options.ts';
import type { Field, RowCorrection } from '../../typescript/import/questions-and-answers.ts';
import type { ImportResult, Recognised } from '../../typescript/import/result.ts';
import type { CategorySet, Source, SourceType } from '../../typescript/index.ts';
import type { ComparedFiles, MergedFiles } from '../../typescript/match/compare.ts';
import { type Decisions, NO_DECISIONS } from '../../typescript/match/decision.ts';
import type { FileEntry, FileResult } from '../../typescript/match/row.ts';
import type { Books } from '../../typescript/match/stored-books.ts';
import type { PushState } from './push-state.ts';

export type Step = 'file' | 'check' | 'push' | 'result';

export interface ColumnUse {
  use: Field | 'ignore';
  /** Of money in or out: a key or a label, and the id of a property or business. */
  category?: string | undefined;
  source?: string | undefined;
  /** The name of the column that it is one entry with, which has the category and the property. */
  with?: string | undefined;
}
/** `other`: read without being a field, such as the currency. `open`: a person has to say. */
export type Use = ColumnUse['use'] | 'other' | 'open';
/** The uses by the names of the columns in options of the reader. */
export type ColumnUses = Readonly<Record<string, ColumnUse>>;

/** The settings of the visitor; the reader finds out the rest. */
export interface ParseOptions extends FileSettings, Pick<ImportOptions, 'rowMeanings' | 'values' | 'unit'> {
  uses?: ColumnUses | undefined;
}

/** Where categories come from when a row has none. */
export interface Categorising {
  rules: string;
  /** The keys of the default categories; an empty text is none. */
  income: string;
  expense: string;
}

/** A file as a person gives it. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/** By the number of the row in its file. */
export type Corrections = ReadonlyMap<number, RowCorrection>;

/** The outcome of a read, and everything that it depends on. */
export interface CachedResult extends FileResult {
  file: GivenFile;
  readSettings: readonly unknown[];
  source: Source | undefined;
  corrections: Corrections;
  /** The result of the file without the corrections. */
  original: ImportResult;
}

/** The facts of one file: its bytes, everything that a person has set in it, and its last read. */
export interface FileFacts {
  file: GivenFile;
  parseOptions: ParseOptions;
  /** The uses of the columns as the reader finds them without answers. */
  foundUses: readonly Use[];
  /** The answers about columns that the file was last read with. */
  usesOfRead: ColumnUses | undefined;
  corrections: Corrections;
  read: CachedResult | undefined;
  /** The file cannot be read, or a setting does not fit it. The last read stays. */
  problem: ImportError | undefined;
}

/** A file with the state derived from its facts. */
export interface FileState extends FileFacts {
  /** The rows as read. The books decide rows that nothing else decides. */
  result: ImportResult | undefined;
  /** One for each bank account of the file. */
  balances: readonly BalanceCheck[];
}

/** A file that was pushed, and the settings and changes that it was read with. */
export interface PushedFile
  extends Pick<FileState, 'file' | 'parseOptions' | 'corrections' | 'balances'>,
    Pick<AccountFacts, 'source' | 'isByRules' | 'categorising' | 'rates'> {
  recognised: Recognised | undefined;
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
  /** Converts amounts in other currencies, of all files. Undefined: such amounts are refused. */
  rates: GivenFile | undefined;
  /** About rows that are probably in the books, and entries that a file lacks. */
  decisions: Decisions;
  /** Those of the rules before these files, by the name of the bank account. */
  closings: Closings;
  /** Since the page was opened. The last one with the content of a file counts. */
  pushedFiles: readonly PushedFile[];
  /** Something else than the file failed, for example reading the categories. */
  failure: string | undefined;
}

/** Facts that belong to the files of one import. The next import begins with `NO_FILES`. */
interface ImportFacts {
  step: Step;
  files: readonly FileFacts[];
  /** Before each change, the last one last. Each file has its corrections. */
  history: readonly { corrections: readonly Corrections[]; decisions: Decisions }[];
  /** Identifies the read that is running. */
  pending: object | undefined;
  books: StoredBooks;
  /** The files are for this source, although another one has their entries. */
  isSourceConfirmed: boolean;
  push: PushState | undefined;
  /** New rows that the last import did not send, because the books had changed since they were shown. */
  changed: readonly FileEntry[] | undefined;
  /** Ids of the entries that these files have created. */
  created: ReadonlySet<string>;
}

/** All facts of an import: everything that is set. The rest is derived from them. */
export interface Facts extends AccountFacts, ImportFacts {}

/** The facts of an import with the state derived from them: views and actions read it. */
export interface ImportState extends Facts {
  files: readonly FileState[];
  isBusy: boolean;
  /** The entries of all files as one list. */
  merged: MergedFiles;
  /** The entries beside the books; undefined until these are read. */
  compared: ComparedFiles | undefined;
}

/** The entries of all sources of the account. While they are read, the ones before stay. `due`: they have to be read. */
interface StoredBooks {
  status: 'due' | 'reading' | 'read' | 'failed';
  period: Period;
  stored: Books | undefined;
}

export const DUE_BOOKS: StoredBooks = { status: 'due', period: {}, stored: undefined };

export const NO_ACCOUNT: AccountFacts = {
  sources: [],
  source: undefined,
  isByRules: false,
  allCategories: undefined,
  categorising: { rules: '', income: '', expense: '' },
  rates: undefined,
  decisions: NO_DECISIONS,
  closings: new Map(),
  pushedFiles: [],
  failure: undefined,
};

export const NO_FILES: ImportFacts = {
  step: 'file',
  files: [],
  history: [],
  pending: undefined,
  books: DUE_BOOKS,
  isSourceConfirmed: false,
  push: undefined,
  changed: undefined,
  created: new Set(),
};

/** Which step may follow which. The next import begins at the first one. */
export const FOLLOWS: Record<Step, readonly Step[]> = {
  file: ['check'],
  check: ['file', 'check', 'push'],
  push: ['check', 'result'],
  result: ['push'],
};

/** More than the lines of a file of 10 MiB: the number of a row counts blank lines too. */
const ROW_NUMBERS_MAX = 100_000_000;
/** Numbers the rows of all files. @param file its index */
export const rowId = (file: number, row: number): number => file * ROW_NUMBERS_MAX + row;
/** The file and the row of a number that `rowId` has made. */
export const rowPositionOf = (id: number) => ({
  file: Math.floor(id / ROW_NUMBERS_MAX),
  row: id % ROW_NUMBERS_MAX,
});

/** Whether two files have the same content. */
export const isEqualFile = ({ bytes: one }: GivenFile, { bytes: other }: GivenFile): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
