/**
 * Rows that follow the closing balance of an earlier statement of their account: that statement did not have them. If the balance is broken,
 * the rows of its last day, on which the later statement begins, may be its own or further ones.
 */

import { continuity } from '../balances/continuity.ts';
import { dayAfter, periodFromTo } from '../days.ts';
import { chainOf } from '../import/chain/chain.ts';
import type { AccountStatement, Balance } from '../import/result.ts';
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
  closings: ReadonlyMap<string, Balance> = new Map(),
): ClosingBefore {
  const found = new Map<string, AfterClosing>();
  const last = new Map([...closings].map(([account, closing]) => [account, { ...closing, isOfRun: false }]));
  const all = files.flatMap(({ name, result }) =>
    result.statements.map((each) => ({ name, statement: each, chain: chainOf(each) })),
  );
  const startOf = ({ chain: { opening, closing } }: (typeof all)[number]) =>
    opening?.date ?? closing?.date ?? '';
  for (const { name, statement, chain } of all.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))) {
    const before = last.get(chain.account);
    const state = before && continuity(before, statement, chain).state;
    if (before && (state === 'holds' || state === 'broken')) {
      const { from = '' } = periodFromTo(statement.rows);
      const ofDay = statement.rows.filter(({ date }) => from === before.date && date === from);
      const isBroken = state === 'broken';
      const rows = isBroken ? ofDay.map(({ row }) => row) : rowsAfter(before, statement, chain.opening);
      const unseenUntil = from > before.date ? before.date : dayAfter(from, -1);
      const after = { ...before, unseenUntil: isBroken ? undefined : unseenUntil };
      for (const row of rows) found.set(rowKey({ row, file: name }), after);
    }
    const { closing } = chain;
    if (chain.account !== '' && closing && (!before || closing.date >= before.date))
      last.set(chain.account, { ...closing, isOfRun: true });
  }
  return (row) => found.get(rowKey(row));
}

/** The rows after a closing balance, which may lie within a day. */
function rowsAfter(
  { date, pence }: Balance,
  { rows }: AccountStatement,
  opening: Balance | undefined,
): number[] {
  const later = rows.filter((row) => row.date > date);
  const known = rows.filter((row) => row.date <= date);
  const sum = known.reduce((total, row) => total + row.pence, opening?.pence ?? 0);
  if (sum === pence) return later.map(({ row }) => row);
  const isDescending = (rows[0]?.date ?? '') > (rows.at(-1)?.date ?? '');
  const ofDay = known.filter((row) => row.date === date);
  if (isDescending) ofDay.reverse();
  const end = ofDay.length === known.length && opening?.pence === pence ? 0 : indexAfter(ofDay, pence);
  return [...ofDay.slice(end), ...later].map(({ row }) => row);
}

const indexAfter = (rows: readonly { balance?: number }[], pence: number) =>
  rows.findIndex(({ balance }) => balance === pence) + 1 || rows.length;
