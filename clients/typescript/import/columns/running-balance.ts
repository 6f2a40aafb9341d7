/** The running balance of a table as evidence: each row happened, once, with its sign and its unit. */
import { signOfBalances } from '../chain/sign-of-balances.ts';
import type { TableRow } from '../files/cells.ts';
import type { DecimalMark } from '../options.ts';
import { isBlankAmount, penceOf } from '../values/amounts.ts';
import { isReversed, reversedRows } from '../values/balance-steps.ts';
import { type AmountGroup, moneyColumns, type PartialLayout } from './layout.ts';

/** The fewest times that a debt comes back to 0.00: an account may be empty once. */
const PAID_OFF_MIN = 2;

export interface RunningBalance {
  /** All balances follow, perhaps as a debt. */
  follows: boolean;
  /** They follow if the amounts are added, of which some have a minus. Without one, they may be the running total of the amounts. */
  isAdded: boolean;
  /** The row before which no balance is: the first one, or the last one of a list with the latest row first. */
  firstPayment: 0 | -1;
  /** Balances that follow only if the amounts have the other sign, in most rows, or in some of a table without a minus. */
  isContradicted: boolean;
  /** A balance is the sum of all amounts: it begins at 0.00. Then it may be the running total of the amounts, which gives them no direction. */
  isFromZero: boolean;
  /** It comes back to 0.00, as the debt of a tenant or of a card does. A debt follows as a balance does. */
  isPaidOff: boolean;
}

const NO_BALANCE: RunningBalance = {
  follows: false,
  isAdded: false,
  isContradicted: false,
  isFromZero: false,
  isPaidOff: false,
  firstPayment: 0,
};

/** @param signOf a row whose direction another column or the line above it says: 1 or -1 */
export function runningBalance(
  data: readonly TableRow[],
  { columns }: PartialLayout,
  decimal: DecimalMark,
  signOf: (row: TableRow) => 1 | -1 | undefined,
): RunningBalance {
  const { amount, amountPence, moneyIn, moneyOut, amounts, balance } = columns;
  if (balance === undefined) return NO_BALANCE;
  const isBlank = (cells: readonly string[], index: number | undefined) =>
    isBlankAmount(cells[index ?? -1] ?? '');
  const read = (cells: readonly string[], index: number | undefined) =>
    penceOf(cells[index ?? -1] ?? '', decimal);
  const single = amount ?? amountPence;
  const signedPenceOf = (row: TableRow) => {
    const { cells } = row;
    if (amounts) return penceOfAmounts(amounts, (index) => read(cells, index));
    if (single === undefined) return read(cells, moneyIn) - Math.abs(read(cells, moneyOut));
    const pence = read(cells, single);
    return pence < 0 ? pence : pence * (signOf(row) ?? 1);
  };
  const rows = data
    .filter(({ cells }) => moneyColumns(columns).some((index) => !isBlank(cells, index)))
    .map((row) => ({
      day: row.cells[columns.date ?? -1] ?? '',
      pence: signedPenceOf(row),
      balance: isBlank(row.cells, balance) ? undefined : read(row.cells, balance),
    }));
  const balanced = rows.flatMap(({ pence, balance }) => (balance === undefined ? [] : [{ pence, balance }]));
  const sign = signOfBalances(rows);
  const total = rows.reduce((sum, { pence }) => sum + pence, 0);
  const isSigned = single === undefined || rows.some(({ pence }) => pence < 0);
  return {
    follows: sign !== undefined,
    isAdded: sign === 1 && isSigned,
    firstPayment: isLatestFirst(balanced) ? -1 : 0,
    isFromZero: balanced.some(({ balance }) => balance === total),
    isPaidOff:
      sign !== undefined &&
      balanced.filter(({ pence, balance }) => pence !== 0 && balance === 0).length >= PAID_OFF_MIN,
    isContradicted:
      sign !== 1 &&
      (isReversed(balanced) ||
        (!balanced.some(({ pence }) => pence < 0) && reversedRows(balanced).reversed.length > 0)),
  };
}

/** Whether the latest row comes first, by the first step that follows in one direction only. */
function isLatestFirst(rows: readonly { pence: number; balance: number }[]): boolean {
  const [first, second] = rows.filter(({ pence }) => pence !== 0);
  const step = (second?.balance ?? 0) - (first?.balance ?? 0);
  return Math.abs(step) !== Math.abs(second?.pence ?? 0) && Math.abs(step) === Math.abs(first?.pence ?? 0);
}

const penceOfAmounts = (amounts: readonly AmountGroup[], read: (index: number) => number): number =>
  amounts
    .flatMap(({ columns, direction, isSigned }) =>
      columns.map((index) =>
        direction === 'in' ? read(index) : -(isSigned ? read(index) : Math.abs(read(index))),
      ),
    )
    .reduce((sum, pence) => sum + pence, 0);
