/** The changes that a visitor makes, and their effect on the state of the import. */

import { groupBy } from '../../typescript/group-by.ts';
import type { RowCorrection } from '../../typescript/import/index.ts';
import type { Source } from '../../typescript/index.ts';
import { probableEntries } from '../../typescript/match/compare.ts';
import type { ComparedEntry } from '../../typescript/match/compared-entry.ts';
import {
  type Decision,
  type DecisionWord,
  decisionKey,
  decisionOf,
  type PairDecision,
} from '../../typescript/match/decision.ts';
import type { CompareOptions } from '../../typescript/match/match.ts';
import type { FileEntry } from '../../typescript/match/row.ts';
import {
  type Corrections,
  type Facts,
  type FileFacts,
  type ImportState,
  type ParseOptions,
  rowId,
  rowPositionOf,
} from './state.ts';

/** Another source may have other categories. @param source undefined: the rules or a column decide */
export function withSource(state: Facts, source: Source | undefined): Partial<Facts> {
  const isSameType = source?.type === state.source?.type;
  return {
    source,
    isByRules: source === undefined,
    isSourceConfirmed: false,
    // The rules name sources, or categories that several types have.
    ...(!isSameType && { categorising: { ...state.categorising, income: '', expense: '' } }),
  };
}

/** A setting that is undefined or empty goes back to what the reader finds out. A setting that changes the rows ends the edits. */
export function withParseOptions(file: FileFacts, change: ParseOptions): FileFacts {
  const parseOptions = { ...file.parseOptions, ...change };
  const isOtherTable = isOfTable(change);
  // Columns are named as in the table that they were chosen for.
  if (isOtherTable || 'bank' in change) Object.assign(parseOptions, NO_ANSWERS, { rowMeanings: undefined });
  return { ...file, parseOptions, ...(isOtherTable && { corrections: new Map() }) };
}

/** The answers about columns, all taken back. */
export const NO_ANSWERS = { uses: undefined, values: undefined, unit: undefined } as const;
/** Whether the setting is a choice about columns. */
export const isOfColumns = (change: ParseOptions): boolean =>
  Object.keys(NO_ANSWERS).some((name) => name in change);

/** Whether the setting changes which rows the file has. */
export const isOfTable = (change: ParseOptions): boolean => 'format' in change || 'sheet' in change;

/** The correction of a row that is as the file has it. */
export const AS_IN_FILE: RowCorrection = {
  date: undefined,
  amount: undefined,
  type: undefined,
  description: undefined,
  category: undefined,
  source: undefined,
  isLeftOut: undefined,
};

const UNDO_MAX = 100;

/** The facts that a person changes in the table of rows, which undo takes back. */
type RowEdits = Pick<Facts, 'files' | 'decisions' | 'history'>;

/** Adds this change to the changes of each row. @param rows by their numbers across files */
export function withCorrection(state: RowEdits, rows: readonly number[], change: RowCorrection): RowEdits {
  const { decisions } = state;
  const changed = groupBy(rows, (id) => rowPositionOf(id).file);
  const files = state.files.map((file, index) => {
    const own = changed.get(index);
    return own ? { ...file, corrections: corrected(file.corrections, own, change) } : file;
  });
  return { files, decisions, history: historyOf(state) };
}

function corrected(before: Corrections, ids: readonly number[], change: RowCorrection): Corrections {
  const next = new Map(before);
  for (const { row } of ids.map(rowPositionOf)) {
    const merged = { ...next.get(row), ...change };
    const isEmpty = Object.values(merged).every((value) => value === undefined);
    if (isEmpty) next.delete(row);
    else next.set(row, merged);
  }
  return next;
}

/** The state before the last change; undefined if there was none. */
export function beforeLast({ files, history }: RowEdits): RowEdits | undefined {
  const { corrections, decisions } = history.at(-1) ?? {};
  if (!corrections || !decisions) return undefined;
  const earlier = files.map((file, index) => ({
    ...file,
    corrections: corrections[index] ?? file.corrections,
  }));
  return { files: earlier, decisions, history: history.slice(0, -1) };
}

/**
 * With this decision about the stored entries that these rows probably are.
 * @param decision undefined: it is open again
 */
export function withDecision(
  state: RowEdits & Pick<ImportState, 'compared'>,
  rows: readonly number[],
  decision: PairDecision | undefined,
): RowEdits {
  const { files, compared } = state;
  const chosen = new Set(rows);
  const decisions = new Map(state.decisions);
  const idOf = rowIdOf(state);
  for (const entry of compared?.entries ?? []) {
    if (!chosen.has(idOf(entry))) continue;
    if (decision === undefined) forget(decisions, entry);
    else if ('probably' in entry) decisions.set(decisionKey(entry, entry.probably.stored.id), decision);
  }
  return { files, decisions, history: historyOf(state) };
}

/** With the answer to a question about an entry that a pushed file lacks. */
export function withDecisionByKey(state: RowEdits, key: string, word: DecisionWord): RowEdits {
  const decisions = new Map(state.decisions).set(key, decisionOf(key, word));
  return { files: state.files, decisions, history: historyOf(state) };
}

/** Finds the number of a row across files. */
function rowIdOf({ files }: Pick<Facts, 'files'>): (read: FileEntry) => number {
  const indexes = new Map(files.map(({ file }, index) => [file.name, index]));
  return ({ file, row }) => rowId(indexes.get(file) ?? 0, row);
}

/** Removes all decisions about a row. */
function forget(decisions: Map<string, Decision>, read: FileEntry): void {
  const ofRow = decisionKey(read, '');
  for (const key of decisions.keys()) {
    // An id has no space.
    if (key.slice(0, key.lastIndexOf(' ') + 1) === ofRow) decisions.delete(key);
  }
}

/** The numbers of the rows that wait for a decision. */
export function probableRows(state: Pick<ImportState, 'compared' | 'files'>): ReadonlySet<number> {
  return new Set((state.compared ? probableEntries(state.compared) : []).map(rowIdOf(state)));
}

/** Whether a person has said that a row that differs is its stored entry. */
export function isDecidedAsSame(
  { decisions }: Pick<CompareOptions, 'decisions'>,
  entry: ComparedEntry,
): boolean {
  return 'stored' in entry && decisions.get(decisionKey(entry, entry.stored.id)) === 'same';
}

const historyOf = ({ files, decisions, history }: RowEdits) =>
  [...history, { corrections: files.map(({ corrections }) => corrections), decisions }].slice(-UNDO_MAX);
