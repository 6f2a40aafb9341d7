/** The input of the questions about a table. */
import type { TableRow } from '../../files/cells.ts';
import type { ImportOptions } from '../../options.ts';
import type { TableDirections } from '../directions.ts';
import type { PartialLayout } from '../layout.ts';
import type { RunningBalance } from '../running-balance.ts';

export interface SettleContext {
  table: readonly TableRow[];
  /** The rows below the header. */
  data: readonly TableRow[];
  /** Those that have an amount; all, as long as no column of amounts is known. */
  withMoney: readonly TableRow[];
  layout: PartialLayout;
  /** The table is of a known bank, or an export of the ledger. */
  isKnown: boolean;
  /** Of the header, without ignored columns. */
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
  /** For options. */
  name: string;
  /** In messages. */
  label: string;
}
