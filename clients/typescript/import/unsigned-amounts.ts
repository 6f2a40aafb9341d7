/** Amounts without a sign are income, unless the table itself speaks of expenses. */
import { isBlankAmount } from './amounts.ts';
import { cleanText, headerKey, type TableRow } from './cells.ts';
import { isDirectionColumn } from './direction.ts';
import type { PartialLayout } from './layout.ts';

const EXPENSE_NAMES = [
  'supplier',
  'contractor',
  'expense',
  'expenses',
  'expenditure',
  'expensetype',
  'expensecategory',
];
const EXPENSE_HEADING = /^(?:expenses?|expenditure|outgoings?|money out|costs)\b(?!.*\bincome\b)/i;

/** The name or the heading that speaks of expenses, if no amount has a sign and no column says which rows are expenses. */
export function expensesWithoutSign(rows: readonly TableRow[], layout: PartialLayout): string | undefined {
  const { bank, header, columns, firstRow } = layout;
  const data = rows.slice(firstRow);
  const { amount } = columns;
  if (bank || amount === undefined || isDirectionColumn(data, columns)) return undefined;
  const isSigned = ({ cells }: TableRow) => {
    const text = cells[amount] ?? '';
    return !isBlankAmount(text) && /[-+(\u2212\u2013]|[CD]R$/i.test(text);
  };
  if (data.some(isSigned)) return undefined;
  const name = header.find((text) => EXPENSE_NAMES.includes(headerKey(text)));
  if (name !== undefined) return cleanText(name);
  const headings = rows.map(({ cells }) => cells.filter((text) => text !== ''));
  return headings.find(([text = '', ...others]) => others.length === 0 && EXPENSE_HEADING.test(text))?.[0];
}
