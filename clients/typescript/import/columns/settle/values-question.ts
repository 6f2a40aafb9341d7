/** Columns of texts beside money: free text, words that are all understood, or a question. */

import { headerKey, type TableRow } from '../../files/cells.ts';
import { MEANINGS, type Question } from '../../questions-and-answers.ts';
import { hasMinus, isBlankAmount } from '../../values/amounts.ts';
import { isCurrency } from '../../values/currency.ts';
import { directionOf } from '../../values/direction.ts';
import { hasHappened, isKindOfPayment, isStateName, movedNothing } from '../../values/states.ts';
import { isDate, isFreeText } from '../cell-kinds.ts';
import { meaningOf } from '../chosen-columns.ts';
import { type Columns, moneyColumns, type PartialLayout, readColumns } from '../layout.ts';
import { withoutMoney } from '../usual-columns.ts';
import { ACCOUNT_NAME } from './books-question.ts';
import { exampleValues } from './money-question.ts';
import type { Column, SettleContext } from './settle-context.ts';

/** More words than this say no direction, such as the names of shops. */
const WORDS_MAX = 12;

/** Of a single amount. `inAnotherColumn`: a person has said that another column has it, which may be one of categories or texts. */
export type DirectionState = 'settled' | 'open' | 'inAnotherColumn';

export function valuesQuestion(
  column: Column,
  context: SettleContext,
  direction: DirectionState,
): Question | undefined {
  const { index, name, label } = column;
  const open = openValues(column, context, direction);
  if (open.length === 0) return undefined;
  const isChosen = context.layout.values?.has(index) === true;
  const what = isChosen ? 'has values that are new' : 'may say what a row is';
  return {
    kind: 'values',
    columns: [index],
    name,
    rows: [],
    values: open,
    message: `${label} ${what}: ${exampleValues(open)}.`,
    choices: [
      ...MEANINGS,
      'ignore',
      ...(isReadColumn(context.layout, index)
        ? []
        : (['description', 'category', 'source', 'reference'] as const)),
    ],
  };
}

/** The texts that nothing explains. A list of words settles a column only if it has all of them: else each is open. */
function openValues(column: Column, context: SettleContext, direction: DirectionState): string[] {
  const { index } = column;
  const { withMoney, layout } = context;
  const chosen = layout.values?.get(index);
  if (!chosen && isDateOrMoney(index, context)) return [];
  const texts = withMoney.map(({ cells }) => cells[index] ?? '');
  const distinct = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  if (!chosen) {
    const open = openTexts(column, context, distinct, direction);
    return open === 'all' ? distinct : open;
  }
  // A known word for a payment that happened needs no answer beside the others. One for the opposite does.
  const isWord = (text: string) =>
    (index === layout.columns.type && directionOf(text) !== undefined) ||
    (isStateName(column.key) && hasHappened(text, column.key) === true);
  return distinct.filter((text) => meaningOf(chosen, text) === undefined && !isWord(text) && !isDate(text));
}

const isDateOrMoney = (index: number, { layout: { columns }, directions }: SettleContext) =>
  index === columns.date || (moneyColumns(columns).includes(index) && !directions.columns.has(index));

function openTexts(
  { index, key }: Column,
  { withMoney, layout, directions, balance }: SettleContext,
  distinct: readonly string[],
  direction: DirectionState,
): 'all' | string[] {
  const { columns } = layout;
  const filled = distinct.filter((text) => text !== '');
  const isInAnother = direction === 'inAnotherColumn';
  const allUnless = (isSettled: boolean) => (isSettled ? [] : 'all');
  const isEmpty = filled.every(isZero) && !withMoney.some((row) => row.isZero?.(index));
  if (isEmpty) return [];
  const isRead = isReadColumn(layout, index);
  const texts = withMoney.map(({ cells }) => cells[index] ?? '');
  // A balance says that each row happened, and a word may contradict it. Nothing is before the first payment.
  if (balance.follows && (direction === 'settled' || distinct.length === 1)) {
    const first = withMoney.at(balance.firstPayment);
    const isFirstOpen = first && !isNegative(first, columns) && !directionOf(first.cells[index] ?? '');
    const isOfWords = !isRead || index === columns.type;
    if (isOfWords && isFirstOpen && filled.some((text) => directionOf(text))) return 'all';
    return isRead ? [] : filled.filter(surelyNot);
  }
  if (directions.columns.has(index)) return allUnless(distinct.every((text) => directionOf(text)));
  const others = distinct.filter((text) => !isDate(text));
  const isOfDates = filled.every(isDate) || (!isRead && others.length * 2 <= distinct.length);
  if (isOfDates && others.length > 0) return others;
  if (isStateName(key) || index === columns.status)
    return allUnless(distinct.every((text) => hasHappened(text, key) !== undefined));
  // A date of another day than the row's is a question of its own.
  if (filled.every(isCurrency) || distinct.every(isDate)) return [];
  const kind = withoutMoney(key);
  // A second column with such a name may contradict the first.
  if (index === columns.type || (kind === 'direction' && !isRead))
    return allUnless(!isInAnother && filled.every((text) => isKindOfPayment(text) || movedNothing(text)));
  const states = filled.filter(surelyNot);
  const marks = filled.filter(isMark);
  if (marks.length > 0 && index !== columns.description?.[0])
    return marks.length === filled.length ? 'all' : marks;
  if (index === columns.category) return isInAnother ? 'all' : states;
  if (columns.account?.includes(index))
    return allUnless(filled.length < 2 || !filled.some((text) => ACCOUNT_NAME.test(text)));
  const isFew = isInAnother && filled.length <= WORDS_MAX;
  if (isRead || (kind !== undefined && !(kind === 'text' && isFew)))
    return columns.description?.includes(index) ? [] : states;
  if (filled.every((text) => hasHappened(text, 'status') === true && text.length > 3)) return [];
  return isFew || !isFreeText(texts) ? 'all' : states;
}

/** A column of free text may say the direction, also if it is the description. */
const isReadColumn = ({ columns, foundDescriptions = [] }: PartialLayout, index: number) =>
  readColumns(columns).has(index) && !foundDescriptions.includes(index);

const isNegative = ({ cells }: TableRow, columns: Partial<Columns>) =>
  moneyColumns(columns).some((index) => hasMinus(cells[index] ?? ''));

/** Without a letter and a digit, such as "?". A dash is an empty cell. */
const isMark = (text: string) => /^[^\p{L}\p{N}]+$/u.test(text) && !isBlankAmount(text);

/** Without a digit but 0, a column has no content: neither an amount nor a word. */
const isZero = (text: string) => text === '' || /^£?-?0[0.,]*$/.test(text);
const surelyNot = (text: string) => headerKey(text).length > 3 && hasHappened(text, 'status') === false;
