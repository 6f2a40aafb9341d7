/** The amount of a row with its sign, from one column or from the pair of money in and money out. */

import type { directionReader } from '../columns/direction.ts';
import type { Columns, Layout } from '../columns/layout.ts';
import type { DecimalMark } from '../options.ts';
import { isBlankAmount, type ReadAmount, readAmount } from '../values/amounts.ts';

export interface AmountReader {
  layout: Layout;
  decimal: DecimalMark;
  direction: ReturnType<typeof directionReader>;
}

type CellOf = (index: number | undefined) => string;

/** Without a problem and without pence, the columns of a pair are both empty. */
export interface SignedAmount {
  type?: 'income' | 'expense' | undefined;
  /** Without a sign. */
  pence?: number;
  problem?: { field: 'amount' | 'type'; index: number | undefined; message: string; option?: 'decimal' };
}

export function readSignedAmount(cell: CellOf, reader: AmountReader): SignedAmount {
  const { columns } = reader.layout;
  const isPair = columns.moneyIn !== undefined || columns.moneyOut !== undefined;
  return isPair ? readPair(cell, columns, reader) : readSingle(cell, columns, reader);
}

function readSingle(
  cell: CellOf,
  columns: Columns,
  { layout, decimal, direction }: AmountReader,
): SignedAmount {
  const index = columns.amountPence ?? columns.amount;
  const read = columns.amountPence === undefined ? readAmount(cell(index), decimal) : readPence(cell(index));
  const sign = layout.bank?.isPositiveSpent ? -1 : 1;
  const type = cell(columns.type);
  if ('problem' in read) {
    const isNegative = /^[^\d]*[-(\u2212\u2013]|(-|dr)$/i.test(cell(index).trim());
    const directed = direction.apply(type, isNegative ? -sign : sign);
    return {
      ...('pence' in directed && { type: typeOf(directed.pence) }),
      problem: amountProblem(index, read),
    };
  }
  const fee = isBlankAmount(cell(columns.fee)) ? { pence: 0 } : readAmount(cell(columns.fee), decimal);
  if ('problem' in fee) {
    return { type: typeOf(read.pence * sign), problem: amountProblem(columns.fee, fee) };
  }
  const pence = read.pence * sign - fee.pence;
  if (!Number.isSafeInteger(pence)) {
    return { type: typeOf(pence), problem: { field: 'amount', index, message: 'The amount is too large.' } };
  }
  const directed = direction.apply(type, pence);
  if ('problem' in directed) {
    return {
      pence: Math.abs(pence),
      problem: { field: 'type', index: columns.type, message: directed.problem },
    };
  }
  return { type: typeOf(directed.pence), pence: Math.abs(pence) };
}

/** What the account has after the row. A text that is no amount says nothing of it. */
export function readBalance(cell: CellOf, { layout, decimal }: AmountReader): { balance?: number } {
  const text = cell(layout.columns.balance);
  const read = isBlankAmount(text) ? undefined : readAmount(text, decimal);
  if (!read || 'problem' in read) return {};
  return { balance: layout.bank?.isPositiveSpent ? 0 - read.pence : read.pence };
}

type Misread = Extract<ReadAmount, { problem: string }>;

function amountProblem(index: number | undefined, { problem, isDecimalMark }: Misread) {
  const option = isDecimalMark && { option: 'decimal' as const };
  return { field: 'amount' as const, index, message: problem, ...option };
}

const typeOf = (pence: number) => (pence < 0 ? 'expense' : 'income');

function readPair(
  cell: CellOf,
  { moneyIn, moneyOut }: Columns,
  { decimal, direction }: AmountReader,
): SignedAmount {
  const texts = { in: cell(moneyIn), out: cell(moneyOut) };
  if (isBlankAmount(texts.in) && isBlankAmount(texts.out)) return {};
  const none: ReadAmount = { pence: 0 };
  const problem = (index: number | undefined, read: Misread): SignedAmount => ({
    ...(isBlankAmount(texts.in) !== isBlankAmount(texts.out) && {
      type: isBlankAmount(texts.in) ? 'expense' : 'income',
    }),
    problem: amountProblem(index, read),
  });
  const received = isBlankAmount(texts.in) ? none : readAmount(texts.in, decimal);
  if ('problem' in received) return problem(moneyIn, received);
  const paid = isBlankAmount(texts.out) ? none : readAmount(texts.out, decimal);
  if ('problem' in paid) return problem(moneyOut, paid);
  if (received.pence !== 0 && paid.pence !== 0) {
    return problem(moneyOut, { problem: 'The row has both money in and money out; it must be two rows.' });
  }
  const spent = direction.isOutNegative ? -paid.pence : paid.pence;
  if (received.pence < 0) {
    return problem(moneyIn, { problem: 'Money in is negative; if it was paid back, it is money out.' });
  }
  if (spent < 0) {
    return problem(moneyOut, { problem: 'Money out has another sign in this row than in the others.' });
  }
  return { type: received.pence > 0 ? 'income' : 'expense', pence: received.pence + spent };
}

/** A column of whole pence, as the API writes amounts. */
function readPence(text: string): ReadAmount {
  const pence = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(pence) ? { pence } : { problem: 'This is not a whole number of pence.' };
}
