/** The amount of a row with its direction, from one column or the pair of money in and money out. */

import type { TableDirections } from '../columns/direction.ts';
import type { Layout } from '../columns/layout.ts';
import type { DecimalMark } from '../options.ts';
import { hasMinus, hasPlus, isBlankAmount, type ReadAmount, readMoney } from '../values/amounts.ts';
import { currencyOfName, isOfCurrency } from '../values/currency.ts';
import { type Direction, settleDirection } from '../values/direction.ts';
import type { Statement } from '../values/statement.ts';

export interface AmountReader {
  layout: Layout;
  decimal: DecimalMark;
  directions: TableDirections;
}

type CellOf = (index: number | undefined) => string;

/** Without a problem and without pence, the columns of a pair are both empty. */
export interface SignedAmount {
  type?: Direction | undefined;
  /** Without a sign. */
  pence?: number;
  problem?: { field: 'amount' | 'type'; index: number | undefined; message: string; option?: 'decimal' };
}

export function readSignedAmount(cell: CellOf, reader: AmountReader): SignedAmount {
  const { columns } = reader.layout;
  const isPair = columns.moneyIn !== undefined || columns.moneyOut !== undefined;
  return isPair ? readPair(cell, reader) : readSingle(cell, reader);
}

function readSingle(cell: CellOf, reader: AmountReader): SignedAmount {
  const { layout, decimal } = reader;
  const { columns, bank } = layout;
  const index = columns.amountPence ?? columns.amount;
  const text = cell(index);
  const read = columns.amountPence === undefined ? readMoney(text, decimal) : readPence(text);
  const sign = bank?.isPositiveSpent ? -1 : 1;
  if ('problem' in read) {
    const directed = settleDirection(statementsOfRow(cell, reader, hasMinus(text) ? -sign : sign));
    return { ...('type' in directed && directed), problem: amountProblem(index, read) };
  }
  const fee = isBlankAmount(cell(columns.fee)) ? { pence: 0 } : readMoney(cell(columns.fee), decimal);
  if ('problem' in fee) {
    return { type: typeOf(read.pence * sign), problem: amountProblem(columns.fee, fee) };
  }
  const pence = read.pence * sign - fee.pence;
  if (!Number.isSafeInteger(pence)) {
    return { type: typeOf(pence), problem: { field: 'amount', index, message: 'The amount is too large.' } };
  }
  if (reader.directions.isTyped && reader.directions.wordOf(cell(columns.type)) === undefined) {
    const message = 'The type is neither income nor expense, nor a word for one of them.';
    return { pence: Math.abs(pence), problem: { field: 'type', index: columns.type, message } };
  }
  const directed = settleDirection(statementsOfRow(cell, reader, pence));
  if ('problem' in directed) {
    const problem = { field: 'type' as const, index: columns.type, message: directed.problem };
    return { pence: Math.abs(pence), problem };
  }
  return { type: directed.type, pence: Math.abs(pence) };
}

/** The statements of type and sign. An unsigned amount beside a word makes no statement, unless other amounts have signs. */
function statementsOfRow(cell: CellOf, reader: AmountReader, pence: number): Statement<Direction>[] {
  const { layout, directions } = reader;
  const { columns, header } = layout;
  const index = columns.amountPence ?? columns.amount;
  const sign: Statement<Direction> = {
    says: typeOf(pence),
    column: header[index ?? -1] || 'the amount',
    text: cell(index),
  };
  const word = directions.isTyped ? directions.wordOf(cell(columns.type)) : undefined;
  if (word === undefined) return [sign];
  const type: Statement<Direction> = {
    says: word,
    column: header[columns.type ?? -1] || 'the type',
    text: cell(columns.type),
  };
  if (pence < 0) {
    const isTakenBack = word === 'expense' && !directions.isExpenseNegative;
    return [type, isTakenBack ? { ...sign, says: 'income' } : sign];
  }
  const isSigned = hasPlus(cell(index)) || (word === 'expense' && directions.isExpenseSigned);
  return isSigned ? [type, sign] : [type];
}

/** The balance after the row, if the text is an amount in the currency of the row. */
export function readBalance(
  cell: CellOf,
  { layout, decimal }: AmountReader,
  currency: string | undefined,
): { balance?: number } {
  const text = cell(layout.columns.balance);
  const read = isBlankAmount(text) ? undefined : readMoney(text, decimal);
  if (!read || 'problem' in read) return {};
  const name = layout.header[layout.columns.balance ?? -1] ?? '';
  const says = [read.mark, currencyOfName(name), /£|gbp/i.exec(`${name} ${text}`)?.[0]];
  if (!says.every((each) => each === undefined || isOfCurrency(each, currency))) return {};
  return { balance: layout.bank?.isPositiveSpent ? 0 - read.pence : read.pence };
}

type Misread = Extract<ReadAmount, { problem: string }>;

function amountProblem(index: number | undefined, { problem, isDecimalMark }: Misread) {
  const option = isDecimalMark && { option: 'decimal' as const };
  return { field: 'amount' as const, index, message: problem, ...option };
}

const typeOf = (pence: number): Direction => (pence < 0 ? 'expense' : 'income');

function readPair(cell: CellOf, { layout, decimal, directions }: AmountReader): SignedAmount {
  const { columns, header } = layout;
  const { moneyIn, moneyOut } = columns;
  const texts = { in: cell(moneyIn), out: cell(moneyOut) };
  if (isBlankAmount(texts.in) && isBlankAmount(texts.out)) return {};
  const none: ReadAmount = { pence: 0 };
  const problem = (index: number | undefined, read: Misread): SignedAmount => ({
    ...(isBlankAmount(texts.in) !== isBlankAmount(texts.out) && {
      type: isBlankAmount(texts.in) ? 'expense' : 'income',
    }),
    problem: amountProblem(index, read),
  });
  const received = isBlankAmount(texts.in) ? none : readMoney(texts.in, decimal);
  if ('problem' in received) return problem(moneyIn, received);
  const paid = isBlankAmount(texts.out) ? none : readMoney(texts.out, decimal);
  if ('problem' in paid) return problem(moneyOut, paid);
  if (received.pence !== 0 && paid.pence !== 0) {
    return problem(moneyOut, { problem: 'The row has both money in and money out; it must be two rows.' });
  }
  const spent = directions.isOutNegative ? -paid.pence : paid.pence;
  if (received.pence < 0) {
    return problem(moneyIn, { problem: 'Money in is negative; if it was paid back, it is money out.' });
  }
  if (spent < 0 || (paid.pence > 0 && hasPlus(texts.out))) {
    return problem(moneyOut, { problem: 'Money out has another sign in this row than in the others.' });
  }
  const pence = received.pence + spent;
  const [index, says]: [number | undefined, Direction] =
    received.pence > 0 ? [moneyIn, 'income'] : [moneyOut, 'expense'];
  const word = directions.isTyped ? directions.wordOf(cell(columns.type)) : undefined;
  if (word !== undefined && pence !== 0) {
    const directed = settleDirection([
      { says, column: header[index ?? -1] || 'the column', text: cell(index) },
      { says: word, column: header[columns.type ?? -1] || 'the type', text: cell(columns.type) },
    ]);
    if ('problem' in directed) {
      return { pence, problem: { field: 'type', index: columns.type, message: directed.problem } };
    }
  }
  return { type: says, pence };
}

/** A column of whole pence, like the API's amounts. */
function readPence(text: string): ReadAmount {
  const pence = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(pence) ? { pence } : { problem: 'This is not a whole number of pence.' };
}
