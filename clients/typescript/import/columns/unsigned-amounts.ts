/** Amounts without a sign are income, unless the table itself speaks of expenses or of several types. */

import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { isBlankAmount } from '../values/amounts.ts';
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

/**
 * The name or the heading that speaks of expenses, or the column of several types, none of which says income or expense: if no amount
 * has a sign.
 */
export function expensesWithoutSign(rows: readonly TableRow[], layout: PartialLayout): string | undefined {
  const { bank, header, columns, firstRow, isTypeMapped } = layout;
  const data = rows.slice(firstRow);
  const { amount, type } = columns;
  if (bank || amount === undefined || isTypeMapped || isDirectionColumn(data, columns)) return undefined;
  const isSigned = ({ cells }: TableRow) => {
    const text = cells[amount] ?? '';
    return !isBlankAmount(text) && /[-+(\u2212\u2013]|[CD]R$/i.test(text);
  };
  if (data.some(isSigned)) return undefined;
  // Rent and Repairs, Invoice and Credit note: all of one type may be rents.
  const types = new Set(
    data.map(({ cells }) => headerKey(cells[type ?? -1] ?? '')).filter((key) => key !== ''),
  );
  if (types.size > 1) return cleanText(header[type ?? -1] ?? '');
  const name = header.find((text) => EXPENSE_NAMES.includes(headerKey(text)));
  if (name !== undefined) return cleanText(name);
  const headings = rows.map(({ cells }) => cells.filter((text) => text !== ''));
  return headings.find(([text = '', ...others]) => others.length === 0 && EXPENSE_HEADING.test(text))?.[0];
}
