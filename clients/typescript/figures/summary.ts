/** Figures in the shape of HMRC's cumulative period summaries, for comparison with its examples. Submits nothing. */

import { summaryOf } from './fields.ts';
import type { BusinessFigures, FiguresLine } from './figures.ts';
import type { Days } from './periods.ts';

/** From this tax year on, HMRC's summaries of foreign property have an item for each property; before, one for each country. */
const EACH_FOREIGN_PROPERTY_SINCE = '2026-04-01';

/**
 * The summary of a business. It omits facts that the books do not have: HMRC's id of a foreign property, whether foreign tax credit relief
 * is claimed, and `consolidatedExpenses`, which replaces the itemised expenses. Foreign properties are in the order of the sources. A
 * country has the two-letter code of the account; HMRC's codes have three letters.
 * Empty for a source type that was added later.
 * @param amount of each line: the whole, or the account holder's share
 */
export function summaryOfBusiness(
  { type, countryCode, sources, lines }: BusinessFigures,
  { from, to }: Days,
  amount: 'pence' | 'sharePence',
): Record<string, unknown> {
  const summed = (of: FiguresLine['type'], all: readonly FiguresLine[]) => {
    const own = all.filter((line) => line.type === of);
    return summaryOf(type, of, new Map(own.map((line) => [line.category, line[amount]])));
  };
  const both = (all: readonly FiguresLine[]) => ({
    income: summed('income', all),
    expenses: summed('expense', all),
  });
  switch (type) {
    case 'uk-property':
      return { fromDate: from, toDate: to, ukProperty: both(lines) };
    case 'foreign-property': {
      const isOfEach = from >= EACH_FOREIGN_PROPERTY_SINCE;
      const items = isOfEach ? sources.map((each) => both(each.lines)) : [{ countryCode, ...both(lines) }];
      return { fromDate: from, toDate: to, foreignProperty: items };
    }
    case 'self-employment':
      return {
        periodDates: { periodStartDate: from, periodEndDate: to },
        periodIncome: summed('income', lines),
        periodExpenses: summed('expense', lines),
      };
    default:
      return {};
  }
}
