/** The choices of a person: columns, by the options `map` and `ignore`, and meanings of their texts, by the option `values`. */

import { headerKey } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { FIELDS, type Field, type Meaning } from '../questions-and-answers.ts';
import { amountNames, withAmountColumns } from './amount-columns.ts';
import { columnIndex, columnsNamed } from './column-names.ts';
import type { ChosenValues, Columns } from './layout.ts';

/** The columns that the options settle, and the keys of the header without ignored columns. */
export function chosenColumns(
  cells: readonly string[],
  options: ImportOptions,
): { keys: string[]; resolvedColumns: Set<number> } {
  const { map = {}, ignore = [] } = options;
  const keys = cells.map(headerKey);
  const ignored = new Set(ignore.flatMap((name) => columnsNamed(name, keys)));
  const resolvedColumns = new Set(ignored);
  const names = [...Object.entries(map), ...amountNames(options).map((name) => ['amounts', name] as const)];
  for (const [field, name] of names) {
    const index = columnIndex(name, keys, cells.length) ?? -1;
    if (index === -1) continue;
    if (ignored.has(index)) {
      const message = `The column "${name.slice(0, 100)}" is both chosen and left out.`;
      throw new ImportError('invalid_option', message, 'ignore');
    }
    // Its direction is still open.
    if (field !== 'unsigned') resolvedColumns.add(index);
  }
  return { keys: keys.map((key, at) => (ignored.has(at) ? '' : key)), resolvedColumns };
}

/** The columns, overridden by the map option; undefined if a mapped name is missing. */
export function mapColumns(
  found: Partial<Columns>,
  keys: string[],
  cells: string[],
  options: ImportOptions,
): (Partial<Columns> & Pick<Columns, 'description' | 'account'>) | undefined {
  const { map = {} } = options;
  const mapped: Partial<Record<Field, number | undefined>> = {};
  for (const field of FIELDS) {
    const name = map[field];
    if (name === undefined) continue;
    const index = columnIndex(name, keys, cells.length);
    if (index === -1) return undefined;
    mapped[field] = index;
  }
  const { description, spent: _, unsigned: __, ...others } = mapped;
  const columns = { description: [], account: [], ...found, ...others };
  if ('description' in mapped) columns.description = description === undefined ? [] : [description];
  const { spent, unsigned, moneyIn: mappedIn, moneyOut: mappedOut } = mapped;
  const mappedAmount = spent ?? unsigned ?? mapped.amount;
  const single = { amount: undefined, amountPence: undefined, fee: undefined };
  const severalAmounts = { amounts: undefined, check: mapped.check, repeats: undefined };
  if (mappedIn !== undefined || mappedOut !== undefined) Object.assign(columns, single, severalAmounts);
  else if (mappedAmount !== undefined) {
    const field = mappedAmount === found.amountPence ? 'amountPence' : 'amount';
    const amount = { ...single, [field]: mappedAmount, moneyIn: undefined, moneyOut: undefined };
    Object.assign(columns, amount, severalAmounts);
  }
  if (mapped.check !== undefined && mapped.check === columns.amount) columns.amount = undefined;
  if (columns.moneyIn !== undefined && columns.moneyIn === columns.moneyOut) {
    Object.assign(columns, mappedIn === undefined ? { moneyIn: undefined } : { moneyOut: undefined });
  }
  const { date, ...rest } = columns;
  return withAmountColumns({ ...rest, ...(date !== undefined && { date }) }, options, (name) =>
    columnIndex(name, keys, cells.length),
  );
}

/** Case and spaces at the ends do not count. */
const valueKey = (text: string) => text.trim().toLowerCase();

export const meaningOf = (chosen: ChosenValues, text: string): Meaning | undefined =>
  chosen.get(valueKey(text));

/** By the index of the column, which may have a name and a number. @throws ImportError `unknown_column` */
export function chosenValues(
  header: readonly string[],
  width: number,
  { values = {} }: ImportOptions,
): Map<number, ChosenValues> {
  const keys = header.map(headerKey);
  const chosen = new Map<number, Map<string, Meaning>>();
  for (const [name, meanings] of Object.entries(values)) {
    const index = columnIndex(name, keys, width) ?? -1;
    if (index === -1) {
      const message = `There is no column "${name.slice(0, 100)}", whose values have a meaning.`;
      throw new ImportError('unknown_column', message, 'values');
    }
    const meaningsOfColumn = chosen.get(index) ?? new Map<string, Meaning>();
    chosen.set(index, meaningsOfColumn);
    for (const [text, meaning] of Object.entries(meanings)) meaningsOfColumn.set(valueKey(text), meaning);
  }
  return chosen;
}
