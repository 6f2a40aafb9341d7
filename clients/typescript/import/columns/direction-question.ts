/** Whether the direction of a single amount is open. */
import type { Question } from '../options.ts';
import { signQuestion } from '../questions/sign-question.ts';
import { hasMinus, isBlankAmount } from '../values/amounts.ts';
import { isInLetters, isMinusOut, namesCardOrLoan } from '../values/convention.ts';
import { isCardPayment } from '../values/direction.ts';
import { isFreeText } from './free-text.ts';
import { labelOf, nameForOptions, readColumns } from './layout.ts';
import type { SettleContext } from './settle-context.ts';

export function directionQuestion(context: SettleContext): Question | undefined {
  const { withMoney, layout, directions, balance } = context;
  const { columns, resolvedColumns, header } = layout;
  const index = columns.amount ?? columns.amountPence;
  // The words of a column that is called Direction are asked about, unless a balance proves the rows.
  const isOfWords = layout.isTypeMapped === true && columns.type !== undefined && !balance.isWhole;
  if (index === undefined || resolvedColumns.has(index) || directions.isTyped || isOfWords) return undefined;
  const amounts = withMoney.map(({ cells }) => ({
    text: cells[index] ?? '',
    description: columns.description?.map((at) => cells[at] ?? '').join(' ') ?? '',
  }));
  if (amounts.every(({ text }) => isBlankAmount(text))) return undefined;
  const isOfCard = isCardOrLoan(context);
  const isProved =
    balance.isAdded ||
    (balance.isAddedUnsigned && !isEndApart(context)) ||
    isInLetters(amounts) ||
    (isMinusOut(amounts) && !balance.isContradicted);
  if (isProved && !isOfCard) return undefined;
  const why = balance.isContradicted
    ? 'the balance falls where it is positive'
    : isOfCard && isProved
      ? 'something names a card or a loan, where a minus may be money in'
      : undefined;
  return signQuestion(
    { name: nameForOptions(header, index), label: labelOf(header, index), columns: [index] },
    amounts,
    why,
  );
}

/** Whether a column of words has another word in the first or the last row than in all others: no balance is before the first payment. */
function isEndApart({ withMoney, layout: { columns, header } }: SettleContext): boolean {
  const { description = [], type, category, ...others } = columns;
  const read = readColumns({ ...others, description });
  return header.some((_, index) => {
    if (read.has(index)) return false;
    const texts = withMoney.map(({ cells }) => cells[index] ?? '');
    const isApart = (at: number) => !texts.some((text, other) => other !== at && text === texts[at]);
    return !isFreeText(texts) && (isApart(0) || isApart(texts.length - 1));
  });
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
