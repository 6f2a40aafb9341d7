/** Columns of texts beside money: free text, words that are all understood, or a question. */
import { headerKey } from '../files/cells.ts';
import type { Question } from '../options.ts';
import { isCurrency } from '../values/currency.ts';
import { directionOf } from '../values/direction.ts';
import { isKindOfPayment } from '../values/kinds.ts';
import { hasHappened, isStateName, movedNothing } from '../values/states.ts';
import { ACCOUNT_NAME } from './books-columns.ts';
import { isDate } from './cell-kinds.ts';
import { meaningOf } from './chosen-values.ts';
import { moneyColumns, readColumns } from './layout.ts';
import { examples } from './money-question.ts';
import type { Column, SettleContext } from './settle-context.ts';
import { withoutMoney } from './usual-columns.ts';

/** Fewer texts than this may be words with a meaning. */
const FREE_TEXTS_MIN = 5;
/** More words than this say no direction, such as the names of shops. */
const WORDS_MAX = 12;

/** @param isDirectionOpen whether a column of categories or types may be needed for it */
export function valuesQuestion(
  column: Column,
  context: SettleContext,
  isDirectionOpen: boolean,
): Question | undefined {
  const { index, name } = column;
  const open = openValues(column, context, isDirectionOpen);
  if (open.length === 0) return undefined;
  const isChosen = context.layout.values?.has(index) === true;
  const what = isChosen ? 'has values that are new' : 'may say what a row is';
  return {
    ...{ kind: 'values', columns: [index], name, rows: [], values: open },
    message: `"${name}" ${what}: ${examples(open)}.`,
    choices: [
      ...(['in', 'out', 'skip', 'keep', 'ignore'] as const),
      ...(readColumns(context.layout.columns).has(index)
        ? []
        : (['description', 'category', 'source', 'reference'] as const)),
    ],
  };
}

/** The texts that nothing explains; the empty one is among them if others of the column have a meaning. */
function openValues(
  { index, key }: Column,
  { withMoney, layout, directions, balance }: SettleContext,
  isDirectionOpen: boolean,
): string[] {
  const { columns, values } = layout;
  const texts = withMoney.map(({ cells }) => cells[index] ?? '');
  const distinct = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  const filled = distinct.filter((text) => text !== '');
  const chosen = values?.get(index);
  const isWord = (text: string) => index === columns.type && directionOf(text) !== undefined;
  if (chosen) {
    return distinct.filter((text) => meaningOf(chosen, text) === undefined && !isWord(text) && !isDate(text));
  }
  if (filled.length === 0 || index === columns.date) return [];
  // A balance says that each row happened, and a word may contradict it.
  if (balance.isWhole) return readColumns(columns).has(index) ? [] : filled.filter(surelyNot);
  if (directions.columns.has(index)) return distinct.filter((text) => directionOf(text) === undefined);
  if (filled.every(isDate) && distinct.includes('')) return [''];
  if (moneyColumns(columns).includes(index)) return [];
  if (isStateName(key) || index === columns.status) {
    return distinct.filter((text) => hasHappened(text, key) === undefined);
  }
  if (filled.every(isCurrency)) return [];
  // A date of another day than the row's is a question of its own.
  if (distinct.every(isDate)) return [];
  if (index === columns.type) {
    const isKind = (text: string) => isKindOfPayment(text) || movedNothing(text);
    return filled.every(isKind) && !isDirectionOpen ? [] : distinct;
  }
  if (index === columns.category) return isDirectionOpen && filled.length > 1 ? distinct : [];
  if (columns.account?.includes(index)) {
    return filled.length > 1 && filled.some((text) => ACCOUNT_NAME.test(text)) ? distinct : [];
  }
  const states = filled.filter((text) => surelyNot(text));
  if (readColumns(columns).has(index) || withoutMoney(key) !== undefined) {
    return columns.description?.includes(index) ? [] : states;
  }
  if (filled.every((text) => hasHappened(text, 'status') === true && text.length > 3)) return [];
  const isFew = isDirectionOpen && filled.length <= WORDS_MAX;
  const isFree =
    !isFew &&
    filled.length >= FREE_TEXTS_MIN &&
    filled.length * 2 > texts.filter((text) => text !== '').length;
  return isFree ? states : distinct;
}

const surelyNot = (text: string) => headerKey(text).length > 3 && hasHappened(text, 'status') === false;
