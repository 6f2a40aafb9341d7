/** The direction of the rows of a table: by its type column, the signs of its amounts, and the columns of money in and money out. */

import { headerKey, type TableRow } from '../files/cells.ts';
import type { DecimalMark } from '../options.ts';
import { hasMinus, isBlankAmount, readMoney } from '../values/amounts.ts';
import { type Direction, directionOf, wordsIn } from '../values/direction.ts';
import type { Columns, Layout } from './layout.ts';

/** Words that no bank uses as codes of payment kinds: one of them makes the column a direction. */
const CERTAIN = ['income', 'expense', 'incoming', 'outgoing', 'moneyin', 'moneyout', 'expenditure'];

export interface TableDirections {
  /** Whether the type column holds words for income and expense. */
  isTyped: boolean;
  /** The meaning of a word in the type column. */
  wordOf: (text: string) => Direction | undefined;
  /** Whether a minus beside a word for expense repeats the direction; otherwise it takes the payment back. */
  isExpenseNegative: boolean;
  /** Whether a positive amount beside a word for expense contradicts it. */
  isExpenseSigned: boolean;
  /** Whether money out has a minus. */
  isOutNegative: boolean;
}

/**
 * A type column that the caller did not name counts only if its values are directions: many banks write the payment kind into it.
 */
export function tableDirections(
  rows: readonly TableRow[],
  { columns, isTypeMapped }: Layout,
  decimal: DecimalMark,
): TableDirections {
  const isTyped = columns.type !== undefined && (isTypeMapped || isDirectionColumn(rows, columns));
  const types = new Set(wordsIn(rows.map(({ cells }) => cells[columns.type ?? -1] ?? '')));
  const wordOf = (text: string) => (types.has(text) ? directionOf(text) : undefined);
  const expenses = { positive: 0, negative: 0 };
  const amount = columns.amountPence ?? columns.amount;
  if (isTyped && amount !== undefined) {
    for (const { cells } of rows) {
      const text = cells[amount] ?? '';
      if (wordOf(cells[columns.type ?? -1] ?? '') !== 'expense' || isBlankAmount(text)) continue;
      expenses[hasMinus(text) ? 'negative' : 'positive']++;
    }
  }
  return {
    isTyped,
    wordOf,
    isExpenseNegative: expenses.negative > expenses.positive || expenses.positive === 0,
    isExpenseSigned: expenses.negative > expenses.positive,
    isOutNegative: isOutNegative(rows, columns.moneyOut, decimal),
  };
}

/** Whether the type column holds directions, not payment kinds. */
export function isDirectionColumn(rows: readonly TableRow[], columns: Partial<Columns>): boolean {
  const types = wordsIn(rows.map(({ cells }) => cells[columns.type ?? -1] ?? '')).filter(
    (text) => text !== '',
  );
  const known = types.filter((text) => directionOf(text) !== undefined);
  if (types.some((text) => CERTAIN.includes(headerKey(text)))) return true;
  if (known.length === types.length) return types.length > 0;
  const isSigned = rows.some(({ cells }) =>
    hasMinus(cells[columns.amount ?? columns.amountPence ?? -1] ?? ''),
  );
  return known.length > 0 && !isSigned;
}

/** Some banks write a minus in all rows of money out. A single other sign is then the exception. */
export function isOutNegative(
  rows: readonly TableRow[],
  moneyOut: number | undefined,
  decimal: DecimalMark,
): boolean {
  if (moneyOut === undefined) return false;
  let sum = 0;
  for (const { cells } of rows) {
    const text = cells[moneyOut] ?? '';
    const read = isBlankAmount(text) ? undefined : readMoney(text, decimal);
    if (read && 'pence' in read) sum += Math.sign(read.pence);
  }
  return sum < 0;
}
