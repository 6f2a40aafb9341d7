/** The facts of a table that the questions about it share. */
import { lazy } from '../../../lazy.ts';
import type { TableRow } from '../../files/cells.ts';
import type { ImportOptions } from '../../options.ts';
import { chosenColumns } from '../chosen-columns.ts';
import type { TableDirections } from '../directions.ts';
import { isKnownTable, type PartialLayout, rowsWithMoney } from '../layout.ts';
import { type RunningBalance, runningBalance } from '../running-balance.ts';

export interface SettleContext {
  table: readonly TableRow[];
  /** The rows below the header that are not hidden. */
  data: readonly TableRow[];
  /** Those that have an amount; all, as long as no column of amounts is known. */
  withMoney: readonly TableRow[];
  layout: PartialLayout;
  /** The table is of a known bank, or an export of the ledger. */
  isKnown: boolean;
  /** The names of the header in the form for comparison; empty for ignored columns. */
  keys: readonly string[];
  titles: readonly string[];
  options: ImportOptions;
  /** Computed when first needed, as is the balance: a known bank needs neither. */
  readonly directions: TableDirections;
  readonly balance: RunningBalance;
}

export interface Column {
  index: number;
  key: string;
  /** The column as options name it. */
  name: string;
  /** The column in messages. */
  label: string;
}

export function settleContext(
  table: readonly TableRow[],
  layout: PartialLayout,
  options: ImportOptions,
  titles: readonly string[],
  directionsOf: () => TableDirections,
): SettleContext {
  const { header, columns } = layout;
  const data = table.slice(layout.firstRow).filter(({ isHidden }) => !isHidden);
  const signOf = (row: TableRow) => {
    const [word] = directionsOf().wordsOf(row);
    return word && (word.says === 'income' ? 1 : -1);
  };
  const balanceOf = lazy(() => runningBalance(data, layout, options.decimal ?? '.', signOf));
  return {
    table,
    data,
    withMoney: rowsWithMoney(data, columns),
    layout,
    isKnown: isKnownTable(layout),
    keys: chosenColumns(header, options).keys,
    titles,
    options,
    get directions() {
      return directionsOf();
    },
    get balance() {
      return balanceOf();
    },
  };
}
