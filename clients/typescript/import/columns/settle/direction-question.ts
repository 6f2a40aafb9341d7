/** Whether the direction of a single amount is open. */

import { signQuestion } from '../../questions/sign-question.ts';
import type { Question } from '../../questions-and-answers.ts';
import { hasMinus, isBlankAmount } from '../../values/amounts.ts';
import {
  isCardNumber,
  isInLetters,
  isMinusOut,
  namesCardOrLoan,
  type SignedText,
} from '../../values/convention.ts';
import { isCardPayment } from '../../values/direction.ts';
import { labelOf, nameForOptions } from '../column-names.ts';
import type { SettleContext } from './settle-context.ts';

export const PAID_OFF = 'the balance comes back to 0.00, as a debt that is paid off';

export function directionQuestion(context: SettleContext): Question | undefined {
  const { withMoney, layout, directions, balance, options } = context;
  const { columns, resolvedColumns, header, bank } = layout;
  const { amount, spent } = options.map ?? {};
  const index = columns.amount ?? columns.amountPence;
  // The words of a column that is called Direction are asked about, unless a balance proves the rows.
  const isOfWords = layout.isTypeMapped === true && columns.type !== undefined && !balance.follows;
  if (index === undefined) return undefined;
  const isChosen = bank ? Boolean(amount ?? spent) : resolvedColumns.has(index);
  if (isChosen || directions.isTyped || isOfWords) return undefined;
  const amounts = withMoney.map(({ cells }) => ({
    text: cells[index] ?? '',
    description: columns.description?.map((at) => cells[at] ?? '').join(' ') ?? '',
  }));
  if (amounts.every(({ text }) => isBlankAmount(text))) return undefined;
  if (isProved(amounts, context)) return undefined;
  return signQuestion(
    { name: nameForOptions(header, index), label: labelOf(header, index), columns: [index] },
    amounts,
    reasonToAsk(amounts, context),
  );
}

/**
 * Whether the file proves the direction of its amounts. The first line that applies decides:
 *
 * | the table                                                       | proved                      |
 * | --------------------------------------------------------------- | --------------------------- |
 * | has the layout of a bank's card                                 | unless a minus is money out |
 * | has the layout of a bank's account                              | unless an account is a card |
 * |                                                                 | or the balance contradicts  |
 * | is of a card or a loan by its balance, a row or a name          | no                          |
 * | has a balance that rises and falls by them, but not from 0.00   | yes                         |
 * | has CR or DR beside each amount                                 | yes                         |
 * | has a minus on most amounts, and no balance that contradicts it | yes                         |
 * | is another one                                                  | no                          |
 */
function isProved(amounts: readonly SignedText[], context: SettleContext): boolean {
  const { balance } = context;
  const { bank } = context.layout;
  if (bank?.isPositiveSpent) return !isMinusOut(amounts);
  if (bank) return !balance.isContradicted && !isOfCardAccount(context);
  if (balance.isPaidOff || isCardOrLoan(context)) return false;
  if (balance.isAdded && !balance.isFromZero) return true;
  if (isInLetters(amounts)) return true;
  return isMinusOut(amounts) && !balance.isContradicted;
}

function reasonToAsk(amounts: readonly SignedText[], { balance }: SettleContext): string | undefined {
  if (balance.isContradicted) return 'the balance falls where it is positive';
  if (balance.isPaidOff) return PAID_OFF;
  if (isMinusOut(amounts)) return 'something names a card or a loan, where a minus may be money in';
  return undefined;
}

/** Whether a name, a line above the rows, or a column names a card or a loan, or a row pays a card off with a minus. */
function isCardOrLoan(context: SettleContext): boolean {
  const { table, withMoney, layout, titles, keys } = context;
  const { columns, firstRow, header } = layout;
  const above = table.slice(0, Math.max(0, firstRow - 1)).map(({ cells }) => cells.join(' '));
  const names = header.filter((_, at) => keys[at] !== '');
  const isPaidOff = withMoney.some(
    ({ cells }) => hasMinus(cells[columns.amount ?? -1] ?? '') && cells.some(isCardPayment),
  );
  return isPaidOff || isOfCardAccount(context) || [...titles, ...above, ...names].some(namesCardOrLoan);
}

const isOfCardAccount = ({ withMoney, layout: { header, columns } }: SettleContext): boolean => {
  const isOfAccount = (at: number) => columns.account?.includes(at) || header[at]?.startsWith('Account');
  const isOfCard = (text: string, at: number) =>
    isOfAccount(at) && (namesCardOrLoan(text) || isCardNumber(text));
  return withMoney.some(({ cells }) => cells.some(isOfCard));
};
