/** Figures in the shape of HMRC's cumulative period summaries, for comparison with its examples. Submits nothing. */

import { CONSOLIDATED, fieldOf, summaryOf } from './fields.ts';
import type { Amount, BusinessFigures, FiguresLine } from './figures.ts';
import type { Days } from './periods.ts';

/** From this tax year on, HMRC's summaries of foreign property have an item for each property; before, one for each country. */
const EACH_FOREIGN_PROPERTY_SINCE = '2026-04-01';

export const isOfEachProperty = ({ type }: Pick<BusinessFigures, 'type'>, { from }: Days) =>
  type === 'foreign-property' && from >= EACH_FOREIGN_PROPERTY_SINCE;

export type Form = 'itemised' | 'consolidated';

/**
 * The summary of a business. It omits facts that the books do not have: HMRC's id of a foreign property, and whether foreign tax credit relief
 * is claimed. Foreign properties are in the order of the sources. A country has the two-letter code of the account; HMRC's codes have three
 * letters. Empty for a source type that was added later.
 * @param form consolidated: one sum, `consolidatedExpenses`, replaces all expenses except the fields that stay apart
 */
export function summaryOfBusiness(
  business: BusinessFigures,
  days: Days,
  amount: Amount,
  form: Form = 'itemised',
): Record<string, unknown> {
  const { type, countryCode, sources, lines } = business;
  const { from, to } = days;
  const summed = (of: FiguresLine['type'], all: readonly FiguresLine[]) => {
    const sums = new Map<string, bigint>();
    for (const line of all) {
      if (line.type !== of) continue;
      const field = fieldIn(form, line, type);
      if (field) sums.set(field.path, (sums.get(field.path) ?? 0n) + line[amount]);
    }
    if (form === 'consolidated' && of === 'expense' && !sums.has(CONSOLIDATED.path))
      sums.set(CONSOLIDATED.path, 0n);
    return summaryOf(type, of, sums);
  };
  const both = (all: readonly FiguresLine[]) => ({
    income: summed('income', all),
    expenses: summed('expense', all),
  });
  switch (type) {
    case 'uk-property':
      return { fromDate: from, toDate: to, ukProperty: both(lines) };
    case 'foreign-property': {
      const isOfEach = isOfEachProperty(business, days);
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

function fieldIn(form: Form, line: FiguresLine, type: BusinessFigures['type']) {
  const field = fieldOf(type, line.type, line.category);
  if (form === 'itemised' || line.type === 'income' || !field || field.isApart) return field;
  return CONSOLIDATED;
}
