/** Figures in the shape of HMRC's cumulative period summaries, for comparison with its examples. Submits nothing. */

import type { Days } from '../days.ts';
import { groupBy } from '../group-by.ts';
import { countryCodeOf } from './country-codes.ts';
import { CONSOLIDATED, fieldOf, summaryAmounts } from './fields.ts';
import {
  type AmountReading,
  type BusinessFigures,
  type FiguresLine,
  type SourceFigures,
  sumLines,
} from './period-figures.ts';

/** From this tax year on, HMRC's summaries of foreign property have an item for each property; before, one for each country. */
const EACH_FOREIGN_PROPERTY_SINCE = '2026-04-01';

export const isOfEachProperty = ({ from }: Days) => from >= EACH_FOREIGN_PROPERTY_SINCE;

/** Whether the update needs HMRC's id of the property, and nobody has stated it. */
export const lacksId = ({ source, propertyId }: SourceFigures, days: Days) =>
  source.type === 'foreign-property' && isOfEachProperty(days) && propertyId === undefined;

/** The properties of each item of a foreign summary, in the order of the sources. */
export const summaryItems = (sources: readonly SourceFigures[], days: Days): SourceFigures[][] =>
  isOfEachProperty(days)
    ? sources.map((each) => [each])
    : [...groupBy(sources, ({ source }) => source.countryCode).values()];

export type Form = 'itemised' | 'consolidated';

/**
 * The summary of a business. It omits facts that are not known: the id of a foreign property that nobody has stated, a country that HMRC has no code for,
 * and whether foreign tax credit relief is claimed. Empty for a source type that was added later.
 * @param business property abroad of all countries. @param form consolidated: one sum, `consolidatedExpenses`, replaces all expenses except the fields
 * that stay apart
 */
export function summaryOfBusiness(
  business: BusinessFigures,
  days: Days,
  reading: AmountReading,
  form: Form = 'itemised',
): Record<string, unknown> {
  const { type, sources, lines } = business;
  const { from, to } = days;
  const summed = (side: FiguresLine['type'], all: readonly FiguresLine[]) => {
    const sums = new Map<string, bigint>();
    for (const line of all) {
      if (line.type !== side) continue;
      const field = fieldIn(form, line, type);
      if (field) sums.set(field.path, (sums.get(field.path) ?? 0n) + line[reading]);
    }
    if (form === 'consolidated' && side === 'expense' && !sums.has(CONSOLIDATED.path))
      sums.set(CONSOLIDATED.path, 0n);
    return summaryAmounts(type, side, sums);
  };
  const both = (all: readonly FiguresLine[]) => ({
    income: summed('income', all),
    expenses: summed('expense', all),
  });
  switch (type) {
    case 'uk-property':
      return { fromDate: from, toDate: to, ukProperty: both(lines) };
    case 'foreign-property': {
      const items = summaryItems(sources, days).map((ofItem) => ({
        ...itemIdentity(ofItem, days),
        ...both(sumLines(type, ofItem)),
      }));
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

/** The fact by which HMRC knows the properties of an item. */
function itemIdentity([first]: readonly SourceFigures[], days: Days): Record<string, string | undefined> {
  return isOfEachProperty(days)
    ? { propertyId: first?.propertyId }
    : { countryCode: countryCodeOf(first?.source.countryCode ?? '') };
}

function fieldIn(form: Form, line: FiguresLine, type: BusinessFigures['type']) {
  const field = fieldOf(type, line.type, line.category);
  if (form === 'itemised' || line.type === 'income' || !field || field.isApart) return field;
  return CONSOLIDATED;
}
