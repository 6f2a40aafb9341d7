/**
 * Rows that follow the closing balance of an earlier statement of their account: that statement did not have them. Open are rows of its last
 * day, on which the later statement begins, if the balance is broken or comes again: they may be its own or further ones.
 */

import { continuity, statementsInTurn } from '../balances/continuity.ts';
import { dayAfter, periodFromTo } from '../days.ts';
import { ordered } from '../import/chain/day-order.ts';
import type { AccountStatement, Balance, StatementRow } from '../import/result.ts';
import { type FileResult, type RowPosition, rowKey } from './row.ts';

export interface EarlierClosing {
  /** The day of the closing balance. */
  date: string;
  /** Whether another file of the run has that balance. */
  isOfRun: boolean;
  /** Whether an earlier push kept it, perhaps before it was interrupted. */
  isKept: boolean;
  /** The last day of the earlier statement that the later one does not show. Undefined for an open row. */
  unseenUntil: string | undefined;
}

export type EarlierClosingOf = (position: RowPosition) => EarlierClosing | undefined;

/** @param closings kept from earlier pushes, by account */
export function closingsBefore(
  files: readonly FileResult[],
  closings?: ReadonlyMap<string, Balance>,
): EarlierClosingOf {
  const afterClosing = new Map<string, EarlierClosing>();
  const inTurn = statementsInTurn(files, closings);
  for (const [index, { name: file }] of files.entries()) {
    for (const { statement, chain, previous } of inTurn[index] ?? []) {
      const { state } = continuity(previous?.closing, statement, chain);
      const { from } = periodFromTo(statement.rows);
      if (!previous || state === 'unchecked' || from === undefined) continue;
      const { closing, isOfFiles: isOfRun } = previous;
      const { date } = closing;
      const rowsOfDay = statement.rows.flatMap((row) =>
        from === date && row.date === date ? [row.row] : [],
      );
      const { open, after } =
        state === 'broken' ? { open: rowsOfDay, after: [] } : rowsAfter(closing, statement, chain.opening);
      const kept = closings?.get(chain.account);
      const isKept = kept?.date === date && kept.pence === closing.pence;
      const add = (row: number, unseenUntil?: string) =>
        afterClosing.set(rowKey({ row, file }), { date, isOfRun, isKept, unseenUntil });
      for (const row of open) add(row);
      for (const row of after) add(row, from > date ? date : dayAfter(from, -1));
    }
  }
  return (row) => afterClosing.get(rowKey(row));
}

/**
 * The numbers of the rows after a closing balance. It may lie within its day, and the account may have it several times on that day. A statement
 * that begins on this day may have the whole day or only the rest of it: the rows between the first and the last place are open.
 *
 * The earlier statement closes on 5 June with 100. The later one begins on that day with 120:
 *
 * | row | balance after it | |
 * |---|---|---|
 * | 5 June, -20 | 100, the first place | the earlier statement has it |
 * | 5 June, 5 | 105 | open |
 * | 5 June, -5 | 100, the last place | open |
 * | 6 June, -9 | 91 | after the closing balance |
 */
function rowsAfter({ date, pence }: Balance, { rows }: AccountStatement, opening: Balance | undefined) {
  const sum = (total: number, row: StatementRow) => total + row.pence;
  const rowsOfDay = rows.filter((row) => row.date === date);
  const before = rows.filter((row) => row.date < date);
  const start = before.reduce(sum, opening?.pence ?? 0);
  const inTurn = balancesOfDay(rowsOfDay, start);
  const places = inTurn.flatMap(({ balance }, index) => (balance === pence ? [index + 1] : []));
  if (start === pence) places.unshift(0);
  if (rowsOfDay.reduce(sum, start) === pence) places.push(rowsOfDay.length);
  const numbers = inTurn.map(({ row }) => row);
  const last = places.at(-1) ?? numbers.length;
  const later = rows.flatMap((row) => (row.date > date ? [row.row] : []));
  return {
    open: before.length > 0 ? [] : numbers.slice(places[0], last),
    after: [...numbers.slice(last), ...later],
  };
}

/** The balance after each row of a day, in the order in which they follow. Without an order if a row has none. */
function balancesOfDay(rows: readonly StatementRow[], start: number): { row: number; balance?: number }[] {
  const steps = rows.flatMap(({ row, pence, balance }) =>
    balance === undefined ? [] : [{ row, before: BigInt(balance - pence), after: BigInt(balance) }],
  );
  if (steps.length < rows.length) return rows.map(({ row }) => ({ row }));
  const inOrder = ordered(steps, BigInt(start), () => undefined);
  return inOrder.map(({ row, after }) => ({ row, balance: Number(after) }));
}
