/** Whether amounts may be pence: a word for it near the amounts. */

import type { Question } from '../choices.ts';
import { headerKey } from '../files/cells.ts';
import { isInPence } from '../values/currency.ts';
import { moneyColumns, nameForOptions } from './layout.ts';
import type { SettleContext } from './settle-context.ts';

const PENCE = /\bpence\b|\bpennies\b|\d ?p$|^p$|\(p\)/i;
const isPence = (text: string) =>
  /[a-z]/i.test(text) && (PENCE.test(text) || text.split(/[^A-Za-z]+/).some(isInPence));

export function unitQuestion({ table, withMoney, layout, options }: SettleContext): Question | undefined {
  const { header, firstRow, columns } = layout;
  const [index] = moneyColumns(columns);
  if (options.unit !== undefined || columns.amountPence !== undefined || index === undefined)
    return undefined;
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
  if (found === undefined) return undefined;
  const name = nameForOptions(header, index);
  return {
    kind: 'unit',
    columns: money,
    name,
    rows: [],
    message: `"${found.slice(0, 60).toWellFormed()}" may say that the amounts are pence.`,
    choices: ['pounds', 'pence'],
  };
}
