/** The running balance of a table as evidence: each row happened, once, with its sign and its unit. */
import type { TableRow } from '../files/cells.ts';
import type { DecimalMark } from '../options.ts';
import { isBlankAmount, readMoney } from '../values/amounts.ts';
import { type BalancedRow, balanceSteps, isReversed, reversedRows } from '../values/balances.ts';
import { moneyColumns, type PartialLayout } from './layout.ts';

export interface RunningBalance {
  /** Each row with an amount has a balance, and each balance follows from the one before it, perhaps as a debt. */
  isWhole: boolean;
  /** It follows if the amounts are added. */
  isAdded: boolean;
  /** Balances that follow only if the amounts have the other sign, in most rows, or in some of a table without a minus. */
  isContradicted: boolean;
}

/** @param signOf a row whose direction another column or the line above it says: 1 or -1 */
export function runningBalance(
  data: readonly TableRow[],
  { columns }: PartialLayout,
  decimal: DecimalMark,
  signOf: (row: TableRow) => 1 | -1 | undefined,
): RunningBalance {
  const { amount, amountPence, moneyIn, moneyOut, balance } = columns;
  const read = (cells: readonly string[], index: number | undefined) => {
    const text = cells[index ?? -1] ?? '';
    const found = isBlankAmount(text) ? { pence: 0 } : readMoney(text, decimal);
    return 'pence' in found ? found.pence : Number.NaN;
  };
  const single = amount ?? amountPence;
  const penceOf = (row: TableRow) => {
    const { cells } = row;
    if (single === undefined) return read(cells, moneyIn) - Math.abs(read(cells, moneyOut));
    const pence = read(cells, single);
    return pence < 0 ? pence : pence * (signOf(row) ?? 1);
  };
  const withMoney = data.filter(({ cells }) =>
    moneyColumns(columns).some((index) => !isBlankAmount(cells[index] ?? '')),
  );
  const balanced = withMoney.filter(({ cells }) => !isBlankAmount(cells[balance ?? -1] ?? ''));
  const rows: BalancedRow[] = balanced.map((row) => ({
    pence: penceOf(row),
    balance: read(row.cells, balance),
  }));
  const { added, taken, all } = balanceSteps(rows);
  const isEach = balanced.length === withMoney.length && all > 0;
  return {
    isWhole: isEach && (added === all || taken === all),
    isAdded: isEach && added === all,
    isContradicted:
      isReversed(rows) || (!rows.some(({ pence }) => pence < 0) && reversedRows(rows).reversed.length > 0),
  };
}
