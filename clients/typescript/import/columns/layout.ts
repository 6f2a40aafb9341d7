/** The meaning of the columns of a table. */

import type { TableRow } from '../files/cells.ts';
import type { AmountColumns, Meaning } from '../questions-and-answers.ts';
import { isBlankAmount } from '../values/amounts.ts';
import type { BankLayout } from './banks.ts';

/** The columns that add up to one amount of the row. */
export interface AmountGroup extends Pick<AmountColumns, 'direction' | 'category' | 'source'> {
  columns: readonly number[];
  /** The sign of each cell counts, also if most cells have a minus. */
  isSigned?: true;
}

/** The index of the cell of each value of an entry. */
export interface Columns {
  date: number;
  amount?: number | undefined;
  amountPence?: number | undefined;
  moneyIn?: number | undefined;
  moneyOut?: number | undefined;
  fee?: number | undefined;
  /** Several amounts of a row, in place of the amounts above. */
  amounts?: readonly AmountGroup[] | undefined;
  /** The sum of the amounts of the row. */
  check?: number | undefined;
  /** Columns that repeat the amount, or are empty. */
  repeats?: readonly number[] | undefined;
  description: number[];
  descriptionOr?: number | undefined;
  notes?: number | undefined;
  category?: number | undefined;
  type?: number | undefined;
  reference?: number | undefined;
  source?: number | undefined;
  balance?: number | undefined;
  currency?: number | undefined;
  account: number[];
  id?: number | undefined;
  status?: number | undefined;
  /** The columns of the bank's `only` and `moves`. */
  only?: number | undefined;
  moves?: number | undefined;
}

/** The meanings that a person gave to the texts of a column: by the text in lower case, without spaces at its ends. */
export type ChosenValues = ReadonlyMap<string, Meaning>;

/** The line of text above a row, and its meaning for the row. */
export interface Heading {
  text: string;
  meaning: Meaning;
}

export interface Layout {
  bank: BankLayout | undefined;
  columns: Columns;
  /** The names of the columns; empty for a file without a header row. */
  header: string[];
  /** The index of the first row after the header. */
  firstRow: number;
  /** The columns that the bank's layout or an option settles. Names and values settle the others. */
  resolvedColumns: ReadonlySet<number>;
  /** The type column holds directions, according to the caller or its name: every value must be understood. */
  isTypeMapped: boolean;
  /** The table has columns of the API, such as an export of the ledger: its texts are taken unchanged. */
  isExact: boolean;
  /** Columns of free text that are read as the description, without a name for it. An earlier version did not read them. */
  foundDescriptions?: readonly number[];
  /** Positive amounts are money out. */
  isPositiveSpent: boolean;
  /** The meanings of texts that a person chose, by the index of the column. */
  values: ReadonlyMap<number, ChosenValues>;
  /** By the number of the row below it. Only those whose meaning a person has given. */
  headings: ReadonlyMap<number, Heading>;
}

/** A layout, or a header with only one of date and amount. */
export type PartialLayout = Pick<Layout, 'bank' | 'header' | 'firstRow' | 'resolvedColumns'> &
  Partial<Omit<Layout, 'columns'>> & { columns: Partial<Columns> };

/** A table of a known bank, or an export of the ledger: its names and texts need no evidence. */
export const isKnownTable = ({ bank, isExact }: Pick<PartialLayout, 'bank' | 'isExact'>): boolean =>
  bank !== undefined || isExact === true;

/** The indexes of the columns of amounts, without a fee in addition to them. */
export const moneyColumns = ({
  amount,
  amountPence,
  moneyIn,
  moneyOut,
  amounts = [],
}: Partial<Columns>): number[] =>
  [amount, amountPence, moneyIn, moneyOut, ...amounts.flatMap((group) => group.columns)].filter(
    (index) => index !== undefined,
  );

/** The rows with an amount; all, as long as no column of amounts is known. */
export function rowsWithMoney(rows: readonly TableRow[], columns: Partial<Columns>): readonly TableRow[] {
  const money = moneyColumns(columns);
  const hasAmount = ({ cells }: TableRow) => money.some((index) => !isBlankAmount(cells[index] ?? ''));
  return money.length > 0 ? rows.filter(hasAmount) : rows;
}

export const hasMoney = (columns: Partial<Columns>) => moneyColumns(columns).length > 0;

/** Whether the columns have a date and money. */
export const isUsable = <C extends Partial<Columns>>(columns: C | undefined): columns is C & Columns =>
  columns?.date !== undefined && hasMoney(columns);

/** The number of columns. */
export const columnCount = (header: readonly string[], rows: readonly TableRow[]): number =>
  header.length || rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);

/** The indexes of all columns that are read. */
export function readColumns({ amounts, ...columns }: Partial<Columns>): Set<number> {
  const indexes = Object.values(columns).flat();
  return new Set([...indexes, ...moneyColumns({ amounts })].filter((index) => index !== undefined));
}
