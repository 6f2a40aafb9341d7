/** Amounts without a sign are income, unless the table itself speaks of expenses or of several types. */

import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { isBlankAmount } from '../values/amounts.ts';
import { isDirectionColumn } from './direction.ts';
import type { PartialLayout } from './layout.ts';

const EXPENSE_NAMES = [
  ...[
    'supplier',
    'vendor',
    'contractor',
    'tradesman',
    'shop',
    'store',
    'paidto',
    'boughtfrom',
    'purchase',
    'purchases',
  ],
  ...[
    'expense',
    'expenses',
    'expenditure',
    'expensetype',
    'expensecategory',
    'expensedescription',
    'costtype',
  ],
];
const EXPENSES =
  /(?<!\p{L})(?:expenses?|expenditures?|outgoings?|costs?|spend(?:ing)?|spent|purchases?|bills?|outlays?|disbursements?|money out|paid out|payments (?:made|out))(?!\p{L})/iu;
export const isOfExpenses = (title: string) => EXPENSES.test(title);
/** A heading within the table has few words, and a note has many. */
const HEADING_WORDS_MAX = 5;

/**
 * The name or the heading that speaks of expenses, or the column of several types, none of which says income or expense: if no amount
 * has a sign. @param titles of the table: the names of the file and of the sheet
 */
export function expensesWithoutSign(
  rows: readonly TableRow[],
  layout: PartialLayout,
  titles: readonly string[],
): string | undefined {
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
  const lines = rows.map(({ cells }, index) => {
    const texts = cells.filter((text) => text !== '');
    const isTitle = index < firstRow - 1;
    return isTitle || (texts.length === 1 && `${texts[0]}`.split(/\s+/).length <= HEADING_WORDS_MAX)
      ? texts.join(' ')
      : '';
  });
  return [...titles, ...lines].find(isOfExpenses);
}
