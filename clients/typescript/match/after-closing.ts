/**
 * Rows that follow the closing balance of an earlier statement of their account: that statement did not have them. If the balance is broken,
 * the rows of its last day, on which the later statement begins, may be its own or further ones.
 */

import { continuity, statementsInTurn } from '../balances/continuity.ts';
import { dayAfter, periodFromTo } from '../days.ts';
import type { AccountStatement, Balance, StatementRow } from '../import/result.ts';
import { type FileResult, type RowPosition, rowKey } from './row.ts';

export interface AfterClosing {
  /** The day of the closing balance. */
  date: string;
  /** Whether another file of the run has that balance. Otherwise an earlier push kept it, perhaps before it was interrupted. */
  isOfRun: boolean;
  /** The last day of the earlier statement that the later one does not show. Undefined if the balance is broken. */
  unseenUntil: string | undefined;
}

export type ClosingBefore = (position: RowPosition) => AfterClosing | undefined;

/** @param closings kept from earlier pushes, by account */
export function closingsBefore(
  files: readonly FileResult[],
  closings?: ReadonlyMap<string, Balance>,
): ClosingBefore {
  const afterClosing = new Map<string, AfterClosing>();
  const inTurn = statementsInTurn(files, closings);
  for (const [index, { name: file }] of files.entries()) {
    for (const { statement, chain, previous } of inTurn[index] ?? []) {
      const { state } = continuity(previous?.closing, statement, chain);
      const { from } = periodFromTo(statement.rows);
      if (!previous || state === 'unchecked' || from === undefined) continue;
      const { closing, isOfFiles: isOfRun } = previous;
      const { date } = closing;
      const ofDay = from === date ? statement.rows.filter((row) => row.date === date) : [];
      const rows = state === 'broken' ? ofDay : rowsAfter(closing, statement, chain.opening);
      const lastUnseen = from > date ? date : dayAfter(from, -1);
      const unseenUntil = state === 'broken' ? undefined : lastUnseen;
      for (const { row } of rows) afterClosing.set(rowKey({ row, file }), { date, isOfRun, unseenUntil });
    }
  }
  return (row) => afterClosing.get(rowKey(row));
}

/** The rows after a closing balance, which may lie within a day. */
function rowsAfter(
  { date, pence }: Balance,
  { rows }: AccountStatement,
  opening: Balance | undefined,
): StatementRow[] {
  const later = rows.filter((row) => row.date > date);
  const until = rows.filter((row) => row.date <= date);
  const sum = until.reduce((total, row) => total + row.pence, opening?.pence ?? 0);
  if (sum === pence) return later;
  const isDescending = (rows[0]?.date ?? '') > (rows.at(-1)?.date ?? '');
  const ofDay = until.filter((row) => row.date === date);
  if (isDescending) ofDay.reverse();
  const end = ofDay.length === until.length && opening?.pence === pence ? 0 : indexAfter(ofDay, pence);
  return [...ofDay.slice(end), ...later];
}

const indexAfter = (rows: readonly { balance?: number }[], pence: number) =>
  rows.findIndex(({ balance }) => balance === pence) + 1 || rows.length;
