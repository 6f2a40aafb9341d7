/** Amounts without a sign are income, unless the table itself mentions expenses or several types. */

import { cleanText, headerKey, type TableRow } from '../files/cells.ts';
import { hasMinus, hasPlus, isBlankAmount, readMoney } from '../values/amounts.ts';
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
/** Headings that name only a purpose of payments, perhaps with a time. */
const PAID_FOR =
  /^(?:payments|repairs?(?: (?:and|&) maintenance)?|maintenance|suppliers?|contractors?|utilities|fees)$/i;
const AROUND_HEADING =
  /(?<!\p{L})(?:csv|tsv|txt|xlsx|to|from|my|our|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)(?!\p{L})|[^\p{L}& ]+/giu;

/** Whether a heading or the name of a file or an account mentions expenses. */
export function isOfExpenses(title: string): boolean {
  const words = title.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return EXPENSES.test(words) || PAID_FOR.test(words.replace(AROUND_HEADING, ' ').trim().replace(/ +/g, ' '));
}
const MARKS = ['.', ','] as const;
/** An amount with two signs counts as unsigned. */
const isNegative = (text: string) => hasMinus(text) && MARKS.some((mark) => 'pence' in readMoney(text, mark));

/** A heading within the table has few words, and a note has many. */
const HEADING_WORDS_MAX = 5;

/**
 * If no amount has a sign: the name or the heading that mentions expenses, or the column of several types without a direction.
 * @param titles of the table: the names of the file and of the sheet
 */
export function expensesWithoutSign(
  rows: readonly TableRow[],
  layout: PartialLayout,
  titles: readonly string[],
): string | undefined {
  const { bank, header, columns, firstRow, isTypeMapped } = layout;
  const data = rows.slice(firstRow).filter(({ problem }) => problem === undefined);
  const { amount, type } = columns;
  if (bank || amount === undefined || isTypeMapped || isDirectionColumn(data, columns)) return undefined;
  const amounts = data.map(({ cells }) => cells[amount] ?? '').filter((text) => !isBlankAmount(text));
  if (amounts.some(isNegative)) return undefined;
  // If money in is marked, such as CR on the statement of a card, an unmarked amount may be money out.
  const marked = amounts.find(hasPlus);
  const isBare = (text: string) => !hasPlus(text) && /[1-9]/.test(text);
  if (marked !== undefined) return amounts.some(isBare) ? marked : undefined;
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
