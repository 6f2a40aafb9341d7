/** Whether amounts may be pence: a word for it near the amounts, or amounts that look like it. */

import { headerKey } from '../../files/cells.ts';
import { type Question, UNITS } from '../../questions-and-answers.ts';
import { isBlankAmount } from '../../values/amounts.ts';
import { isInPence } from '../../values/currency.ts';
import { nameForOptions } from '../column-names.ts';
import { moneyColumns } from '../layout.ts';
import type { SettleContext } from './settle-context.ts';

const PENCE = /\bpence\b|\bpennies\b|\d ?p$|^p$|\(p\)/i;
const isPence = (text: string) =>
  /[a-z]/i.test(text) && (PENCE.test(text) || text.split(/[^A-Za-z]+/).some(isInPence));

/** Fewer whole numbers may be whole pounds by chance. */
const WHOLE_MIN = 5;

/** Amounts without a sign or a decimal, none below 100, and most of them neither rounded to 10 nor to 5. Whole pounds seldom are like this. */
export const lookLikePence = (amounts: readonly string[]) =>
  amounts.length >= WHOLE_MIN &&
  amounts.every((text) => /^[-+(]?\d{3,}[-)]?$/.test(text)) &&
  amounts.filter((text) => /[05]\D?$/.test(text)).length * 2 < amounts.length;

/** @param found the text that names pence */
export const questionOfUnit = (name: string, columns: readonly number[], found?: string): Question => ({
  kind: 'unit',
  columns,
  name,
  rows: [],
  message:
    found === undefined
      ? 'All amounts are whole numbers: they may be pence.'
      : `"${found.slice(0, 60).toWellFormed()}" may say that the amounts are pence.`,
  choices: UNITS,
});

/** The question whether the amounts are pence, or none. */
export function unitQuestions(context: SettleContext): Question[] {
  const { table, withMoney, layout, options } = context;
  const { header, firstRow, columns } = layout;
  const [index] = moneyColumns(columns);
  if (options.unit !== undefined || columns.amountPence !== undefined || index === undefined) return [];
  const rows = new Set(withMoney);
  const lines = table.filter((row, at) => at < firstRow - 1 || (at >= firstRow && !rows.has(row)));
  const money = moneyColumns(columns);
  const isOfRow = (text: string, at: number) =>
    (money.includes(at) || /^[A-Za-z]{1,7}$/.test(text)) &&
    !columns.description?.includes(at) &&
    isPence(text);
  const found =
    lines.map((row) => row.cells.join(' ')).find(isPence) ??
    header.find((name) => isPence(name) || headerKey(name).endsWith('pence')) ??
    withMoney.find(({ cells }) => cells.some(isOfRow))?.cells.find(isOfRow);
  const amounts = withMoney
    .flatMap(({ cells }) => money.map((at) => cells[at] ?? ''))
    .filter((text) => !isBlankAmount(text));
  const isLikePence = lookLikePence(amounts) && !context.balance.follows;
  if (found === undefined && !isLikePence) return [];
  return [questionOfUnit(nameForOptions(header, index), money, found)];
}
