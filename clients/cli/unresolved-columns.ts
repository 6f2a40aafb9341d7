/** Proposes options that settle the columns of a file, if the values fit the names. */

import type { ImportError, Recognised } from '../typescript/import/index.ts';
import { directionOf } from '../typescript/import/values/direction.ts';

const NO_PAYMENT =
  /due|owed|owing|expected|arrears|vat|tax|net|gross|total|balance|number|\bno\b|receipt|invoice/i;
const INCOME = /rent|received|income|paid/i;
const EXPENSE = /cost|expense|fee|bill|charge|repair|insurance|mortgage|paid out|spent/i;
const SPENT_BY = /supplier|contractor|expense|expenditure/i;

type Columns = Recognised['columns'];
type Table = NonNullable<ImportError['table']>;

/** @param file set if the options are for one of several files */
export function unresolvedLines({ unresolved = [], table }: ImportError, file?: string): string[] {
  if (!table || unresolved.length === 0) return [];
  const of = file === undefined ? '' : `${/^[\w./-]+$/.test(file) ? file : `"${file}"`}:`;
  const { header } = table;
  const map = chosen(unresolved, table);
  const options = Object.entries(map).map(([field, index]) => `${field}=${nameOf(index, header)}`);
  const others = unresolved.filter((index) => !Object.values(map).includes(index));
  const line = [
    ...(options.length > 0 ? [`--map ${of}${options.join(',')}`] : []),
    ...others.map((index) => `--ignore ${of}${nameOf(index, header)}`),
  ];
  return [
    '--map field=column reads a column, and --ignore column leaves one out, by name or by number.',
    ...signLines(unresolved, table, of),
    ...(isEnough(map, others, table)
      ? [`If these columns hold what their names say: ${line.join(' ')}`]
      : []),
  ];
}

/** Keeps fields that are already found; takes neither of two columns for one field. */
function chosen(unresolved: readonly number[], { header, rows, columns }: Table): Columns {
  const fits = (index: number, names: RegExp, others: RegExp) => {
    const name = header[index] ?? '';
    return names.test(name) && !others.test(name) && !NO_PAYMENT.test(name);
  };
  const only = (found: readonly number[]) => (found.length === 1 ? found[0] : undefined);
  const below = rows.slice(rows.findIndex((cells) => cells.join() === header.join()) + 1);
  const textsOf = (index: number) => below.map((cells) => cells[index] ?? '').filter((text) => text !== '');
  const type = only(unresolved.filter((index) => textsOf(index).every((text) => directionOf(text))));
  if (columns.amount !== undefined) {
    if (type !== undefined) return { type };
    const isSpent = unresolved.includes(columns.amount) && header.some((name) => SPENT_BY.test(name));
    return isSpent ? { moneyOut: columns.amount } : {};
  }
  const moneyIn = only(unresolved.filter((index) => fits(index, INCOME, EXPENSE)));
  const moneyOut = only(unresolved.filter((index) => fits(index, EXPENSE, /rent|received|income|paid in/i)));
  return {
    ...(columns.moneyIn === undefined && moneyIn !== undefined && { moneyIn }),
    ...(columns.moneyOut === undefined && moneyOut !== undefined && { moneyOut }),
  };
}

/** Whether the file can be read with the proposed options: a date, an amount that is not left out, and never both columns of a pair. */
function isEnough(map: Columns, others: readonly number[], { rows, columns }: Table): boolean {
  const { date, amount, moneyIn, moneyOut } = { ...columns, ...map };
  const money = [amount, moneyIn, moneyOut].filter((index) => index !== undefined);
  const isFilled = (cells: readonly string[], index = -1) => /[1-9]/.test(cells[index] ?? '');
  const isTwice = rows.some((cells) => isFilled(cells, moneyIn) && isFilled(cells, moneyOut));
  return date !== undefined && money.length > 0 && !money.some((index) => others.includes(index)) && !isTwice;
}

function signLines(
  unresolved: readonly number[],
  { header, columns: { amount } }: Table,
  of: string,
): string[] {
  if (amount === undefined || !unresolved.includes(amount)) return [];
  const name = nameOf(amount, header);
  return [
    `--map ${of}amount=${name} reads amounts without a sign as income, and --map ${of}moneyOut=${name} as expenses.`,
  ];
}

/** The column in a form for the shell and `--map`: its number if the name has other characters, or is not unique. */
function nameOf(index: number, header: readonly string[]): string {
  const name = header[index] ?? '';
  const isPlain =
    /^[\p{L}][\p{L}\p{N} £()/.-]*$/u.test(name) && header.filter((each) => each === name).length === 1;
  return isPlain ? `"${name}"` : String(index + 1);
}
