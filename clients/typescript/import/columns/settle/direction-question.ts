/** Whether the direction of a single amount is open. */
import type { Question } from '../../choices.ts';
import { signQuestion } from '../../questions/sign-question.ts';
import { hasMinus, isBlankAmount } from '../../values/amounts.ts';
import { isCardNumber, isInLetters, isMinusOut, namesCardOrLoan } from '../../values/convention.ts';
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
  if (
    index === undefined ||
    (bank ? (amount ?? spent) : resolvedColumns.has(index)) ||
    directions.isTyped ||
    isOfWords
  )
    return undefined;
  const amounts = withMoney.map(({ cells }) => ({
    text: cells[index] ?? '',
    description: columns.description?.map((at) => cells[at] ?? '').join(' ') ?? '',
  }));
  if (amounts.every(({ text }) => isBlankAmount(text))) return undefined;
  const isOfCard = balance.isPaidOff || isCardOrLoan(context);
  const isMinus = isMinusOut(amounts);
  const isOfBalance = !balance.isFromZero && balance.isAdded;
  const isProved = bank
    ? // The layout of a card does not fit an account, and no card fits the layout of an account.
      !(bank.isPositiveSpent ? isMinus : balance.isContradicted || isOfCardAccount(context))
    : !isOfCard && (isOfBalance || isInLetters(amounts) || (isMinus && !balance.isContradicted));
  if (isProved) return undefined;
  const why = balance.isContradicted
    ? 'the balance falls where it is positive'
    : balance.isPaidOff
      ? PAID_OFF
      : isMinus
        ? 'something names a card or a loan, where a minus may be money in'
        : undefined;
  return signQuestion(
    { name: nameForOptions(header, index), label: labelOf(header, index), columns: [index] },
    amounts,
    why,
  );
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
