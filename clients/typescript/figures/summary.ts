/** Figures in the shape of HMRC's cumulative period summaries, to lay beside its examples. It submits nothing. */

import { summaryOf } from './fields.ts';
import type { BusinessFigures, FiguresLine } from './figures.ts';
import type { Days } from './periods.ts';

/**
 * The summary of a business. What the books do not know is left out: the id of a foreign property, whether foreign tax credit relief is
 * claimed, and `consolidatedExpenses`, which stands in the place of the itemised expenses.
 * @param amount of each line: the whole, or the account holder's share
 */
export function summaryOfBusiness(
  { type, countryCode, lines }: Pick<BusinessFigures, 'type' | 'countryCode' | 'lines'>,
  { from, to }: Days,
  amount: 'pence' | 'sharePence',
): Record<string, unknown> {
  const sums = (of: FiguresLine['type']) =>
    new Map(lines.filter((line) => line.type === of).map((line) => [line.category, line[amount]]));
  const income = summaryOf(type, 'income', sums('income'));
  const expenses = summaryOf(type, 'expense', sums('expense'));
  switch (type) {
    case 'uk-property':
      return { fromDate: from, toDate: to, ukProperty: { income, expenses } };
    case 'foreign-property':
      return { fromDate: from, toDate: to, foreignProperty: [{ countryCode, income, expenses }] };
    case 'self-employment':
      return {
        periodDates: { periodStartDate: from, periodEndDate: to },
        periodIncome: income,
        periodExpenses: expenses,
      };
  }
}
