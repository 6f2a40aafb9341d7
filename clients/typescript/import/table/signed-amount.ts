/** The amount of a row with its direction, from one column or the pair of money in and money out. */

import type { TableDirections } from '../columns/directions.ts';
import type { Layout } from '../columns/layout.ts';
import type { TableRow } from '../files/cells.ts';
import type { DecimalMark, EntryType } from '../options.ts';
import {
  hasMinus,
  hasPlus,
  isBlankAmount,
  type ReadAmount,
  readAmount,
  readMoney,
} from '../values/amounts.ts';
import { currencyOfName, isOfCurrency, PENCE_MARK } from '../values/currency.ts';
import { settleDirection } from '../values/direction.ts';
import type { Evidence } from '../values/evidence.ts';

/** How a table writes its amounts: in which columns, with which decimal mark, sign and unit. */
export interface AmountNotation {
  layout: Layout;
  decimal: DecimalMark;
  directions: TableDirections;
  isPence: boolean;
}

/** The text of a cell of the row. */
export type CellOf = (index: number | undefined) => string;

/** Without a problem and without pence, all columns of a pair, or of several amounts, are empty. */
export interface SignedAmount {
  type?: EntryType | undefined;
  /** The pence without a sign. */
  pence?: number;
  problem?: {
    field: 'amount' | 'type';
    index: number | undefined;
    message: string;
    option?: 'decimal' | 'rowMeanings';
  };
}

export function readSignedAmount(row: TableRow, cell: CellOf, notation: AmountNotation): SignedAmount {
  const { columns } = notation.layout;
  const words = notation.directions.wordsOf(row);
  const isPair = columns.moneyIn !== undefined || columns.moneyOut !== undefined;
  return isPair ? readPair(cell, notation, words) : readSingle(cell, notation, words);
}

function readSingle(cell: CellOf, notation: AmountNotation, words: Words): SignedAmount {
  const { layout, directions } = notation;
  const { columns } = layout;
  const index = columns.amountPence ?? columns.amount;
  const text = cell(index);
  const read = columns.amountPence === undefined ? readIn(text, notation) : readPence(text);
  const sign = layout.isPositiveSpent && !hasPlus(text) ? -1 : 1;
  if ('problem' in read) {
    const directed = settleDirection(evidenceOfRow(cell, notation, hasMinus(text) ? -sign : sign, words));
    return { ...('type' in directed && directed), problem: amountProblem(index, read) };
  }
  const fee = readOrZero(cell(columns.fee), notation);
  if ('problem' in fee) {
    return { type: typeBySign(read.pence * sign), problem: amountProblem(columns.fee, fee) };
  }
  const pence = read.pence * sign - fee.pence;
  if (!Number.isSafeInteger(pence)) {
    return {
      type: typeBySign(pence),
      problem: { field: 'amount', index, message: 'The amount is too large.' },
    };
  }
  if (directions.isTyped && words.length === 0) {
    const message = 'The type is no word for income or expense.';
    return { pence: Math.abs(pence), problem: { field: 'type', index: columns.type, message } };
  }
  const directed = settleDirection(evidenceOfRow(cell, notation, pence, words));
  if ('problem' in directed) {
    const problem = { field: 'type' as const, index: columns.type, message: directed.problem };
    return { pence: Math.abs(pence), problem };
  }
  return { type: directed.type, pence: Math.abs(pence) };
}

type Words = readonly Evidence<EntryType>[];

/**
 * The evidence of words and sign. A word is alone, or with a sign that repeats it or contradicts it, by the meaning of a minus in the table:
 *
 * | word    | sign  | `takesBack`, `repeatsIncome` | `repeatsExpense`, `contradicts` |
 * | ------- | ----- | ---------------------------- | ------------------------------- |
 * | income  | minus | contradicted                 | contradicted                    |
 * | income  | plus  | repeated                     | repeated                        |
 * | income  | none  | alone                        | alone                           |
 * | expense | minus | contradicted                 | repeated                        |
 * | expense | plus  | contradicted                 | contradicted                    |
 * | expense | none  | alone                        | contradicted                    |
 *
 * For a word that a person has explained, see `turnedBySign`.
 * @param pence with the sign of the row, with its fee
 */
function evidenceOfRow(
  cell: CellOf,
  { layout, directions }: AmountNotation,
  pence: number,
  words: Words,
): Words {
  const { columns, header } = layout;
  const index = columns.amountPence ?? columns.amount;
  const text = cell(index);
  const [word] = words;
  const beside = (says: EntryType) => [...words, { says, column: header[index ?? -1] || 'the amount', text }];
  if (word === undefined) return beside(typeBySign(pence));
  if (words.some(({ isOfText }) => isOfText)) {
    return words.map((each) => turnedBySign(each, text, directions));
  }
  const isExpenseMinus = directions.minus === 'repeatsExpense' || directions.minus === 'contradicts';
  switch (`${word.says} ${pence < 0 ? 'minus' : hasPlus(text) ? 'plus' : 'none'}` as const) {
    case 'income minus':
      return beside('expense');
    case 'expense minus':
      return beside(isExpenseMinus ? 'expense' : 'income');
    case 'income plus':
    case 'expense plus':
      return beside('income');
    case 'expense none':
      return isExpenseMinus ? beside('income') : words;
    case 'income none':
      return words;
  }
}

/**
 * The direction that a person gave to the text, or the opposite if the sign differs from that of other rows:
 *
 * | word    | sign  | is the opposite                                                                      |
 * | ------- | ----- | ------------------------------------------------------------------------------------ |
 * | income  | minus | unless all income has a minus (`repeatsIncome`, `contradicts`)                       |
 * | income  | other | never                                                                                |
 * | expense | minus | unless most expenses have a minus, or no sign repeats its word                       |
 * | expense | plus  | always                                                                               |
 * | expense | none  | if most expenses have a minus (`repeatsExpense`), also another one beside this text  |
 */
function turnedBySign(
  word: Evidence<EntryType>,
  text: string,
  { minus, hasMinusBeside }: TableDirections,
): Evidence<EntryType> {
  const isOpposite = () => {
    switch (`${word.says} ${hasMinus(text) ? 'minus' : hasPlus(text) ? 'plus' : 'none'}` as const) {
      case 'income minus':
        return minus !== 'repeatsIncome' && minus !== 'contradicts';
      case 'income plus':
      case 'income none':
        return false;
      case 'expense minus':
        return minus !== 'repeatsExpense' && minus !== 'contradicts';
      case 'expense plus':
        return true;
      case 'expense none':
        return minus === 'repeatsExpense' && hasMinusBeside(word.text);
    }
  };
  return isOpposite() ? { ...word, says: word.says === 'income' ? 'expense' : 'income' } : word;
}

/** The balance after the row, if the text is an amount in the currency of the row. */
export function readRunningBalance(
  cell: CellOf,
  notation: AmountNotation,
  currency: string | undefined,
): { balance?: number } {
  const { layout } = notation;
  const text = cell(layout.columns.balance);
  const read = isBlankAmount(text) ? undefined : readIn(text, notation);
  if (!read || 'problem' in read) return {};
  const name = layout.header[layout.columns.balance ?? -1] ?? '';
  const says = [read.mark, currencyOfName(name), /£|gbp/i.exec(`${name} ${text}`)?.[0]];
  if (!says.every((each) => each === undefined || isOfCurrency(each, currency))) return {};
  return { balance: layout.bank?.isPositiveSpent ? 0 - read.pence : read.pence };
}

/** An amount in the unit of the file. */
export function readIn(text: string, { decimal, isPence }: AmountNotation): ReturnType<typeof readMoney> {
  const read = readMoney(isPence ? withoutPence(text) : text, decimal);
  if (!isPence || 'problem' in read) return read;
  return read.pence % 100 === 0 ? { ...read, pence: read.pence / 100 } : { problem: NO_WHOLE_PENCE };
}

export const readOrZero = (text: string, notation: AmountNotation): ReturnType<typeof readIn> =>
  isBlankAmount(text) ? { pence: 0 } : readIn(text, notation);

/** The amount without its mark of pence, as in `pence 1200` and `1200p`. */
const withoutPence = (text: string) => text.replace(PENCE_MARK, '').replace(/(?<=\d) ?p$/i, '');
export const NO_WHOLE_PENCE = 'This is not a whole number of pence.';

type Misread = Extract<ReadAmount, { problem: string }>;

export function amountProblem(index: number | undefined, { problem, isDecimalMark }: Misread) {
  const option = isDecimalMark && { option: 'decimal' as const };
  return { field: 'amount' as const, index, message: problem, ...option };
}

const typeBySign = (pence: number): EntryType => (pence < 0 ? 'expense' : 'income');

function readPair(cell: CellOf, notation: AmountNotation, words: Words): SignedAmount {
  const { layout, directions } = notation;
  const { columns, header } = layout;
  const { moneyIn, moneyOut } = columns;
  const texts = { in: cell(moneyIn), out: cell(moneyOut) };
  if (isBlankAmount(texts.in) && isBlankAmount(texts.out)) return {};
  const problem = (index: number | undefined, read: Misread): SignedAmount => ({
    ...(isBlankAmount(texts.in) !== isBlankAmount(texts.out) && {
      type: isBlankAmount(texts.in) ? 'expense' : 'income',
    }),
    problem: amountProblem(index, read),
  });
  const received = readOrZero(texts.in, notation);
  if ('problem' in received) return problem(moneyIn, received);
  const paid = readOrZero(texts.out, notation);
  if ('problem' in paid) return problem(moneyOut, paid);
  if (received.pence !== 0 && paid.pence !== 0) {
    const message = 'The row has money in and money out: a total, or two payments, for two rows?';
    return { problem: { field: 'amount', index: moneyOut, message, option: 'rowMeanings' } };
  }
  const spent = directions.isOutNegative ? -paid.pence : paid.pence;
  if (received.pence < 0) {
    return problem(moneyIn, { problem: 'Money in is negative; if it was paid back, it is money out.' });
  }
  if (spent < 0 || (paid.pence > 0 && hasPlus(texts.out))) {
    return problem(moneyOut, { problem: 'Money out has another sign in this row than in the others.' });
  }
  const pence = received.pence + spent;
  const [index, says]: [number | undefined, EntryType] =
    received.pence > 0 ? [moneyIn, 'income'] : [moneyOut, 'expense'];
  if (words.length > 0 && pence !== 0) {
    const stated = { says, column: header[index ?? -1] || 'the column', text: cell(index) };
    const directed = settleDirection([stated, ...words]);
    if ('problem' in directed) {
      return { pence, problem: { field: 'type', index: columns.type, message: directed.problem } };
    }
  }
  return { type: says, pence };
}

/** A column of whole pence, like the API's amounts. */
function readPence(text: string): ReadAmount {
  const read = readAmount(text, '.');
  const isWholeNumber = 'pence' in read && /^(?:[CD]R ?)?-?\d{1,16}(?: ?[CD]R)?$/i.test(text);
  return isWholeNumber ? { pence: read.pence / 100 } : { problem: NO_WHOLE_PENCE };
}
