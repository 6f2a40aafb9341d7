/** Whether amounts may be pence: a word for it near the amounts. */
import type { Question } from '../options.ts';
import { moneyColumns, nameForOptions } from './layout.ts';
import type { SettleContext } from './settled-columns.ts';

const PENCE = /\bpence\b|\bpennies\b|\bcents?\b|\bGBX\b/i;
/** Lower case: the unit of prices of shares. */
const GBP_LOWER = /\bGBp\b/;
const isPence = (text: string) => PENCE.test(text) || GBP_LOWER.test(text);

export function unitQuestion({ table, withMoney, layout, options }: SettleContext): Question | undefined {
  const { header, firstRow, columns } = layout;
  const [index] = moneyColumns(columns);
  if (options.unit !== undefined || columns.amountPence !== undefined || index === undefined)
    return undefined;
  const rows = new Set(withMoney);
  const lines = table.filter((row, at) => at < firstRow - 1 || (at >= firstRow && !rows.has(row)));
  const cells = withMoney.flatMap((row) =>
    row.cells.filter((text, at) => /^[A-Za-z]{1,7}$/.test(text) && !columns.description?.includes(at)),
  );
  const found =
    lines.map((row) => row.cells.join(' ')).find(isPence) ?? header.find(isPence) ?? cells.find(isPence);
  if (found === undefined) return undefined;
  const name = nameForOptions(header, index);
  return {
    ...{ kind: 'unit', columns: moneyColumns(columns), name, rows: [] },
    message: `"${found.slice(0, 60).toWellFormed()}" may say that the amounts are pence.`,
    choices: ['pounds', 'pence'],
  };
}
