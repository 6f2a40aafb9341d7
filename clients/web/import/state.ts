/** What the import knows: the file and how it is read, the edits, the books, the push. */
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
import type { CategorySet, Source } from '../../typescript/index.ts';
import type { KnownEntries } from './known.ts';
import type { PushState } from './push.ts';

export type Step = 'file' | 'check' | 'push' | 'result';

/** What the visitor has set; the reader finds out the rest. */
export interface Reading {
  format?: Format | undefined;
  encoding?: Encoding | undefined;
  bank?: string | undefined;
  sheet?: string | undefined;
  dateFormat?: DateFormat | undefined;
  decimal?: DecimalMark | undefined;
  accountLabel?: string | undefined;
  map?: Partial<Record<Field, string>> | undefined;
}

/** Where categories come from when a row has none. */
export interface Categorising {
  rules: string;
  /** Keys; empty: the review queue. */
  income: string;
  expense: string;
}

export interface ImportFile {
  name: string;
  bytes: Uint8Array;
}

export interface ImportState {
  step: Step;
  source: Source | undefined;
  /** Those of the source's type. */
  categories: CategorySet | undefined;
  file: ImportFile | undefined;
  reading: Reading;
  categorising: Categorising;
  corrections: ReadonlyMap<number, Correction>;
  /** The file is being read with the settings of now. */
  isBusy: boolean;
  result: ImportResult | undefined;
  /** The file cannot be read, or a setting does not fit it. The last result stays. */
  problem: ImportError | undefined;
  /** What else failed, for example reading the categories. */
  failure: string | undefined;
  known: KnownEntries;
  /** The file is an export of the ledger, whose entries are recognised by their ids: the books must be read before a push. */
  mustCompare: boolean;
  /** The rows whose ids are in the books. */
  storedRows: ReadonlySet<number>;
  push: PushState | undefined;
}

export const NOTHING_KNOWN: KnownEntries = {
  status: 'unread',
  from: '',
  to: '',
  byReference: new Map(),
  withoutReference: [],
};

export const initialState: ImportState = {
  step: 'file',
  source: undefined,
  categories: undefined,
  file: undefined,
  reading: {},
  categorising: { rules: '', income: '', expense: '' },
  corrections: new Map(),
  isBusy: false,
  result: undefined,
  problem: undefined,
  failure: undefined,
  known: NOTHING_KNOWN,
  mustCompare: false,
  storedRows: new Set(),
  push: undefined,
};

/** Another file: what was set and edited for the one before does not apply to it. */
export function withFile(file: ImportFile): Partial<ImportState> {
  return {
    file,
    reading: {},
    corrections: new Map(),
    result: undefined,
    problem: undefined,
    known: NOTHING_KNOWN,
    push: undefined,
    step: 'file',
  };
}

/** Another source has other categories, and other entries in the books. */
export function withSource(state: ImportState, source: Source): Partial<ImportState> {
  const isSameType = source.type === state.source?.type;
  return {
    source,
    known: NOTHING_KNOWN,
    push: undefined,
    ...(!isSameType && { categories: undefined, categorising: initialState.categorising }),
  };
}

/** A setting that is undefined or empty goes back to what the reader finds out. A setting that changes the rows ends the edits. */
export function withReading(state: ImportState, change: Reading): Partial<ImportState> {
  const reading = { ...state.reading, ...change };
  const isOtherTable = 'format' in change || 'sheet' in change;
  // Columns are named as in the table that they were chosen for.
  if (isOtherTable || 'bank' in change) reading.map = undefined;
  return { reading, ...(isOtherTable && { corrections: new Map() }) };
}

/** The corrections with this one added to what the row has already. */
export function withCorrection(
  corrections: ReadonlyMap<number, Correction>,
  row: number,
  change: Correction,
): ReadonlyMap<number, Correction> {
  const next = new Map(corrections);
  const merged = { ...next.get(row), ...change };
  const isEmpty = Object.values(merged).every((value) => value === undefined);
  if (isEmpty) next.delete(row);
  else next.set(row, merged);
  return next;
}

/** Whether there is something to push, and nothing stands against it. */
export function canPush({ result, problem, isBusy, mustCompare, known }: ImportState): boolean {
  if (!result || result.entries.length === 0 || problem || isBusy) return false;
  return !mustCompare || known.status === 'read';
}

/** Whether closing the tab would lose something: a running push, or edits that are not all pushed. */
export function isWorkAtRisk({ push, corrections }: ImportState): boolean {
  if (push?.status === 'done') return false;
  return corrections.size > 0 || (push !== undefined && push.status !== 'failed');
}
