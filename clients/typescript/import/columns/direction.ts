/** Whether a row is income or expense: what a type column says, and which sign a money-out column uses. */

import { headerKey, type TableRow } from '../files/cells.ts';
import type { DecimalMark } from '../options.ts';
import { isBlankAmount, type ReadAmount, readAmount } from '../values/amounts.ts';
import { directionOf } from '../values/direction.ts';
import type { Columns, Layout } from './layout.ts';

/** No bank uses these as codes of a kind of payment, so that one of them makes the column a direction. */
const CERTAIN = ['income', 'expense', 'incoming', 'outgoing', 'moneyin', 'moneyout', 'expenditure'];

/**
 * Reads the directions of one table. A type column that the caller did not name counts only if its values are directions: many banks
 * write the kind of payment into it.
 */
export function directionReader(rows: readonly TableRow[], layout: Layout, decimal: DecimalMark) {
  const isUsed =
    layout.columns.type !== undefined && (layout.isTypeMapped || isDirectionColumn(rows, layout.columns));
  return {
    /** The signed pence with the sign that the type demands. */
    apply(type: string, pence: number): ReadAmount {
      if (!isUsed) return { pence };
      const direction = directionOf(type);
      if (!direction)
        return { problem: 'The type is neither income nor expense, nor a word for one of them.' };
      if (direction === 'income' && pence < 0)
        return { problem: 'The type is income and the amount is negative.' };
      return { pence: direction === 'income' ? pence : -Math.abs(pence) };
    },
    isOutNegative: isOutNegative(rows, layout.columns.moneyOut, decimal),
  };
}

/** Whether the type column holds directions, and not kinds of payment. */
export function isDirectionColumn(rows: readonly TableRow[], columns: Partial<Columns>): boolean {
  const types = rows.map(({ cells }) => cells[columns.type ?? -1] ?? '').filter((text) => text !== '');
  const known = types.filter((text) => directionOf(text) !== undefined);
  if (types.some((text) => CERTAIN.includes(headerKey(text)))) return true;
  if (known.length === types.length) return types.length > 0;
  const hasMinus = rows.some(({ cells }) =>
    /[-(\u2212\u2013]/.test(cells[columns.amount ?? columns.amountPence ?? -1] ?? ''),
  );
  return known.length > 0 && !hasMinus;
}

/** Some banks write money out with a minus, in all rows. A single other sign is then the exception, not this one. */
function isOutNegative(
  rows: readonly TableRow[],
  moneyOut: number | undefined,
  decimal: DecimalMark,
): boolean {
  if (moneyOut === undefined) return false;
  let sum = 0;
  for (const { cells } of rows) {
    const text = cells[moneyOut] ?? '';
    const read = isBlankAmount(text) ? undefined : readAmount(text, decimal);
    if (read && 'pence' in read) sum += Math.sign(read.pence);
  }
  return sum < 0;
}
