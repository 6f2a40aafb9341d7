/** The changes that a visitor makes, and their effect on the state of the import. */
import type { Decided } from '../../typescript/books/compared.ts';
import { type Decision, decisionKey } from '../../typescript/books/decisions.ts';
import { isOpen } from '../../typescript/books/standing.ts';
import type { Correction, ReadEntry } from '../../typescript/import/index.ts';
import type { Source } from '../../typescript/index.ts';
import type { Facts, ImportState, Reading } from './state.ts';

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
export function withReading(state: Facts, change: Reading): Partial<Facts> {
  const reading = { ...state.reading, ...change };
  const isOtherTable = 'format' in change || 'sheet' in change;
  // Columns are named as in the table that they were chosen for.
  if (isOtherTable || 'bank' in change) Object.assign(reading, { map: undefined, ignore: undefined });
  return {
    reading,
    ...(isOtherTable && { corrections: new Map(), history: [] }),
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

/** The changes and decisions of a person. */
type Said = Pick<ImportState, 'corrections' | 'decisions' | 'history'>;

/** Adds this change to the changes of each row. */
export function withCorrection(state: Said, rows: readonly number[], change: Correction): Said {
  const next = new Map(state.corrections);
  for (const row of rows) {
    const merged = { ...next.get(row), ...change };
    const isEmpty = Object.values(merged).every((value) => value === undefined);
    if (isEmpty) next.delete(row);
    else next.set(row, merged);
  }
  return { corrections: next, decisions: state.decisions, history: historyOf(state) };
}

/**
 * With this decision about the stored entries that these rows probably are.
 * @param decision undefined: it is open again
 */
export function withDecision(
  state: Said & Pick<ImportState, 'compared'>,
  rows: readonly number[],
  decision: Decision | undefined,
): Said {
  const { corrections, compared } = state;
  const chosen = new Set(rows);
  const decisions = new Map(state.decisions);
  for (const [index, read] of (compared?.entries ?? []).entries()) {
    if (!chosen.has(read.row)) continue;
    const { probably } = compared?.comparison.rows[index] ?? {};
    if (decision === undefined) forget(decisions, read);
    else if (probably) decisions.set(decisionKey(read, probably.stored.id), decision);
  }
  return { corrections, decisions, history: historyOf(state) };
}

/** Removes all decisions about a row. */
function forget(decisions: Map<string, Decision>, read: ReadEntry): void {
  const ofRow = decisionKey(read, '');
  for (const key of decisions.keys()) {
    // An id has no space.
    if (key.slice(0, key.lastIndexOf(' ') + 1) === ofRow) decisions.delete(key);
  }
}

/** The numbers of the rows that wait for a decision. */
export function probableRows({ compared }: Pick<ImportState, 'compared'>): ReadonlySet<number> {
  const isOpenAt = (index: number) => {
    const beside = compared?.comparison.rows[index];
    return beside !== undefined && isOpen(beside);
  };
  return new Set((compared?.entries ?? []).filter((_, index) => isOpenAt(index)).map(({ row }) => row));
}

/** Whether a person has said that the row is a stored entry. */
export function isDecidedToLeave(
  { decisions }: Pick<Decided, 'decisions'>,
  read: ReadEntry,
  storedId: string | undefined,
): boolean {
  return decisions.get(decisionKey(read, storedId ?? '')) === 'leave';
}

const historyOf = ({ corrections, decisions, history }: Said) =>
  [...history, { corrections, decisions }].slice(-UNDO_MAX);
