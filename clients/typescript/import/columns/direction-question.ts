/** Whether the direction of a single amount is open. */
import type { Question } from '../options.ts';
import { signQuestion } from '../questions/sign-question.ts';
import { hasMinus, isBlankAmount } from '../values/amounts.ts';
import { isInLetters, isMinusOut, namesCardOrLoan } from '../values/convention.ts';
import { isCardPayment } from '../values/direction.ts';
import { nameForOptions } from './layout.ts';
import type { SettleContext } from './settle-context.ts';

export function directionQuestion(context: SettleContext): Question | undefined {
  const { withMoney, layout, directions, balance } = context;
  const { columns, resolvedColumns, header } = layout;
  const index = columns.amount ?? columns.amountPence;
  if (index === undefined || resolvedColumns.has(index) || directions.isTyped) return undefined;
  const amounts = withMoney.map(({ cells }) => ({
    text: cells[index] ?? '',
    description: columns.description?.map((at) => cells[at] ?? '').join(' ') ?? '',
  }));
  if (amounts.every(({ text }) => isBlankAmount(text))) return undefined;
  const isOfCard = isCardOrLoan(context);
  const isProved =
    balance.isAdded || isInLetters(amounts) || (isMinusOut(amounts) && !balance.isContradicted);
  if (isProved && !isOfCard) return undefined;
  const why = balance.isContradicted
    ? 'the balance falls where it is positive'
    : isOfCard && isProved
      ? 'something names a card or a loan, where a minus may be money in'
      : undefined;
  return signQuestion({ name: nameForOptions(header, index), columns: [index] }, amounts, why);
}

/** Whether a name, a line above the rows, or a column names a card or a loan, or a row pays a card off with a minus. */
function isCardOrLoan({ table, withMoney, layout, titles, keys }: SettleContext): boolean {
  const { columns, firstRow, header } = layout;
  const above = table.slice(0, Math.max(0, firstRow - 1)).map(({ cells }) => cells.join(' '));
  const names = header.filter((_, at) => keys[at] !== '');
  const accounts = withMoney.flatMap(({ cells }) => columns.account?.map((at) => cells[at] ?? '') ?? []);
  const isPaidOff = withMoney.some(
    ({ cells }) => hasMinus(cells[columns.amount ?? -1] ?? '') && cells.some(isCardPayment),
  );
  return isPaidOff || [...titles, ...above, ...names, ...accounts].some(namesCardOrLoan);
}
