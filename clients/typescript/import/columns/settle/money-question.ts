/** Columns whose values may be an amount or a date of the payment, or are not what the name says. */

import { cleanText, type TableRow } from '../../files/cells.ts';
import { type Question, SINGLE_AMOUNTS } from '../../questions-and-answers.ts';
import { isBlankAmount } from '../../values/amounts.ts';
import {
  isAmountText,
  isCompactDate,
  isOtherDay,
  isRunningNumber,
  isWholeNumber,
  startsWithAmount,
} from '../cell-kinds.ts';
import { moneyColumns } from '../layout.ts';
import { withoutMoney } from '../usual-columns.ts';
import type { Column, SettleContext } from './settle-context.ts';

const VALUES_SHOWN = 3;
const VALUE_LENGTH = 30;

export const exampleValues = (values: readonly string[]): string =>
  values
    .slice(0, VALUES_SHOWN)
    .map((text) => (text === '' ? 'empty' : cleanText(text).slice(0, VALUE_LENGTH).toWellFormed()))
    .join(', ');

export function moneyQuestion(
  { index, key, name, label }: Column,
  context: SettleContext,
): Question | undefined {
  const { data, layout, options } = context;
  const { bank, columns } = layout;
  if (index === columns.date || index === columns.amountPence) return undefined;
  const filled = data.filter(({ cells }) => (cells[index] ?? '') !== '');
  const textsOf = (some: readonly TableRow[]) => some.map(({ cells }) => cells[index] ?? '');
  const values = textsOf(filled);
  const question = (kind: 'amount' | 'date', what: string, shown: readonly string[]): Question => ({
    kind,
    columns: [index],
    name,
    rows: [],
    message: `${label} has ${what} that nothing explains: ${exampleValues(shown)}.`,
    choices:
      kind === 'date'
        ? ['date', 'ignore']
        : [
            'moneyIn',
            'moneyOut',
            'balance',
            'check',
            'ignore',
            ...(moneyColumns(columns).length === 0 ? SINGLE_AMOUNTS : []),
          ],
  });
  if (moneyColumns(columns).includes(index)) {
    const amounts = values.filter((text) => !isBlankAmount(text));
    const isNumbers = isRunningNumber(amounts) || amounts.some(isCompactDate);
    return isNumbers ? question('amount', 'numbers', amounts) : undefined;
  }
  const isDateChosen = bank !== undefined || Boolean(options.map?.date);
  const kind = withoutMoney(key);
  const isOtherDate = ({ cells }: TableRow) =>
    isOtherDay(cells[index] ?? '', cells[columns.date ?? -1] ?? '');
  if (!isDateChosen && (kind === undefined ? filled.some(isOtherDate) : filled.every(isOtherDate))) {
    return filled.length === 0 ? undefined : question('date', 'dates', textsOf(filled.filter(isOtherDate)));
  }
  const isDoubtful = (text: string) =>
    kind === undefined
      ? isAmountText(text) || startsWithAmount(text)
      : isAmountText(text) && !isWholeNumber(text);
  const amounts = kind === 'balance' ? [] : values.filter(isDoubtful);
  if (amounts.length > 0) return question('amount', 'amounts', amounts);
  return (kind === 'text' || kind === 'direction') && values.length > 0 && values.every(isWholeNumber)
    ? question('amount', 'numbers', values)
    : undefined;
}
