/**
 * Income, expenses, and the profit before tax adjustments. Income has no tax that was withheld. The amounts that stay apart from `consolidatedExpenses`, such as
 * residential finance costs, are no expenses here: on the tax return they come below the profit, where the taxable profit is calculated.
 */
import { fieldOf } from './fields.ts';
import type { CategoryOfType } from './period-figures.ts';

export const TOTALS = ['Total income', 'Total expenses', 'Profit before tax adjustments'] as const;
export type TotalLabel = (typeof TOTALS)[number];

/** How a figure counts in a total. */
export function signIn(
  total: TotalLabel,
  sourceType: Parameters<typeof fieldOf>[0],
  { type, category }: CategoryOfType,
): -1 | 0 | 1 {
  const field = fieldOf(sourceType, type, category);
  if (!field) return 0;
  const isIncome = type === 'income' && field.turnover !== undefined;
  const isExpense = type === 'expense' && !field.isApart;
  if (total === 'Total income') return isIncome ? 1 : 0;
  if (total === 'Total expenses') return isExpense ? 1 : 0;
  return isIncome ? 1 : isExpense ? -1 : 0;
}

export const profitTotal = <Line extends CategoryOfType>(
  total: TotalLabel,
  sourceType: Parameters<typeof fieldOf>[0],
  lines: readonly Line[],
  penceOf: (line: Line) => bigint,
): bigint => lines.reduce((sum, line) => sum + BigInt(signIn(total, sourceType, line)) * penceOf(line), 0n);
