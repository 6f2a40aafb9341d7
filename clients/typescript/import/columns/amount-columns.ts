/** The columns of a table with several amounts in a row: columns that add up to one entry, and their direction. */

import { ImportError } from '../import-error.ts';
import { type ImportOptions, PARTS_MAX } from '../options.ts';
import type { AmountGroup, Columns } from './layout.ts';

/** Checks values that a command line or an assistant may pass unchecked. @throws ImportError `invalid_option` */
export function requireAmounts({ amounts = [] }: ImportOptions): void {
  if (amounts.length > PARTS_MAX)
    throw invalidAmounts(
      `There are ${amounts.length} amounts in a row, and at most ${PARTS_MAX} are possible.`,
    );
  for (const { columns, direction } of amounts) {
    if (columns.length === 0 || columns.some((name) => name.trim() === ''))
      throw invalidAmounts('An amount of a row has no column.');
    if (direction !== 'in' && direction !== 'out')
      throw invalidAmounts(`The direction of "${columns.join(' + ').slice(0, 100)}" is "in" or "out".`);
  }
}

/**
 * The columns with their amounts. Each other column of money that a name or `map` settles is an amount of its own.
 * @param indexOf the column of a name, -1 if there is none
 * @returns undefined if a column is missing
 * @throws ImportError `invalid_option` for a column with two meanings
 */
export function withAmountColumns<C extends Partial<Columns>>(
  columns: C,
  { amounts = [], map = {} }: ImportOptions,
  indexOf: (name: string) => number | undefined,
): C | undefined {
  if (amounts.length === 0) return columns;
  const groups: AmountGroup[] = [];
  for (const { columns: names, ...amount } of amounts) {
    const found = names.map(indexOf).filter((index) => index !== undefined);
    if (found.includes(-1)) return undefined;
    groups.push({ ...amount, columns: found });
  }
  const all = groups.flatMap((group) => group.columns);
  const mapped = Object.values(map).map(indexOf);
  const twice = all.find((index, at) => all.indexOf(index) !== at || mapped.includes(index));
  if (twice !== undefined) {
    const name = amounts.flatMap((each) => each.columns).find((each) => indexOf(each) === twice) ?? '';
    throw invalidAmounts(`The column "${name.slice(0, 100)}" is chosen twice.`);
  }
  const { moneyIn, moneyOut } = columns;
  const add = (index: number | undefined, amount: Omit<AmountGroup, 'columns'>) => {
    if (index !== undefined && index !== -1 && !all.includes(index))
      groups.push({ ...amount, columns: [index] });
  };
  add(moneyIn, { direction: 'in' });
  if (moneyOut !== moneyIn) add(moneyOut, { direction: 'out' });
  add(indexOf(map.amount ?? ''), { direction: 'in', isSigned: true });
  add(indexOf(map.spent ?? ''), { direction: 'out', isSigned: true });
  const single = { amount: undefined, amountPence: undefined, fee: undefined };
  const check = all.includes(columns.check ?? -1) ? undefined : columns.check;
  return { ...columns, ...single, moneyIn: undefined, moneyOut: undefined, check, amounts: groups };
}

/** The names of all columns of `amounts`. */
export const amountNames = ({ amounts = [] }: ImportOptions): string[] =>
  amounts.flatMap(({ columns }) => columns);

const invalidAmounts = (message: string) => new ImportError('invalid_option', message, 'amounts');
