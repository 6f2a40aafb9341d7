/** Figures for people: a table for each property business, country and business. */
import { pounds } from '../../typescript/books/pounds.ts';
import { businessName, notesOf, sharesOf } from '../../typescript/figures/business-notes.ts';
import type { BusinessFigures, FiguresLine } from '../../typescript/figures/figures.ts';
import type { PeriodFigures, YearFigures } from '../../typescript/figures/year.ts';
import { counted, type Row, table } from '../output.ts';

export function figuresLines({ taxYear, quarters, periods }: YearFigures): string[] {
  const last = periods.at(-1) as PeriodFigures;
  // All periods have the same businesses in the same order.
  const withEntries = last.businesses
    .map((business, index) => ({
      business,
      ofPeriods: periods.map(({ name, businesses }) => ({ name, lines: businesses[index]?.lines ?? [] })),
    }))
    .filter(({ business }) => business.lines.length > 0);
  return [
    ...openLines(last),
    `Tax year ${taxYear}${quarters === 'calendar' ? ', calendar quarters' : ''}`,
    ...periods.map(({ name, from, to }) => `  ${name}: ${from} to ${to}`),
    ...(withEntries.length === 0 ? ['', 'There are no entries with a category.'] : []),
    ...withEntries.flatMap(({ business, ofPeriods }) => businessLines(business, ofPeriods)),
    '',
    'Nothing is submitted. Quarterly updates are confirmed and sent by you, in the app.',
  ];
}

/** Printed first: entries in the review queue make the figures provisional. */
function openLines({ businesses }: PeriodFigures): string[] {
  const open = businesses.flatMap(({ sources }) =>
    sources.filter(({ withoutCategory }) => withoutCategory.count > 0),
  );
  if (open.length === 0) return [];
  return [
    'These figures are not final: entries without a category are in none of them. Sort them in the app.',
    ...open.map(({ source, withoutCategory: { count, incomePence, expensePence } }) => {
      const entries = counted(count, 'entry', 'entries');
      return `  ${source.name}: ${entries}, income ${pounds(incomePence)}, expense ${pounds(expensePence)}`;
    }),
    '',
  ];
}

function businessLines(
  business: BusinessFigures,
  periods: readonly { name: string; lines: readonly FiguresLine[] }[],
): string[] {
  const amountsOf = (line: FiguresLine, amount: 'pence' | 'sharePence') =>
    Object.fromEntries(
      periods.map(({ name, lines }) => {
        const same = lines.find(({ type, category }) => type === line.type && category === line.category);
        return [amount === 'pence' ? name : `${name}, your share`, pounds(same?.[amount] ?? 0n)];
      }),
    );
  const isShared = sharesOf(business).length > 0;
  const rows = business.lines.map((line): Row => {
    const { type, category, field } = line;
    return {
      ...{ type, category: field === undefined || field === category ? category : `${category} (${field})` },
      ...amountsOf(line, 'pence'),
      ...(isShared && amountsOf(line, 'sharePence')),
    };
  });
  const refunds = business.lines.filter(({ refundPence }) => refundPence > 0n);
  return [
    '',
    businessName(business),
    `  ${business.sources.map(({ source }) => source.name).join(', ')}`,
    ...table(rows),
    ...refunds.map(({ category, refundPence, refundIds }) => {
      const entries = counted(refundIds.length, 'entry', 'entries');
      return `Refunds of ${pounds(refundPence)} (${entries}) are set against ${category} by the rules.`;
    }),
    ...notesOf(business),
  ];
}
