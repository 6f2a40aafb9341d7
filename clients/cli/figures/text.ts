/** Figures for people: a table for each property business, country and business. */
import { pounds } from '../../typescript/books/pounds.ts';
import type { BusinessFigures, FiguresLine } from '../../typescript/figures/figures.ts';
import type { PeriodFigures, YearFigures } from '../../typescript/figures/year.ts';
import { counted, type Row, table } from '../output.ts';
import { isShared } from './document.ts';

export function figuresLines({ taxYear, quarters, periods }: YearFigures): string[] {
  const last = periods.at(-1) as PeriodFigures;
  const withEntries = last.businesses.filter(({ lines }) => lines.length > 0);
  return [
    ...openLines(last),
    `Tax year ${taxYear}${quarters === 'calendar' ? ', calendar quarters' : ''}`,
    ...periods.map(({ name, from, to }) => `  ${name}: ${from} to ${to}`),
    ...(withEntries.length === 0 ? ['', 'There are no entries with a category.'] : []),
    ...withEntries.flatMap((business) => businessLines(business, periods)),
    '',
    'Nothing is submitted. Quarterly updates are confirmed and sent by you, in the app.',
  ];
}

/** First of all: with entries that wait in the review queue, figures are not final. */
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

function businessLines(business: BusinessFigures, periods: readonly PeriodFigures[]): string[] {
  const sameIn = ({ businesses }: PeriodFigures) =>
    businesses.find((each) => nameOf(each) === nameOf(business));
  const columns = periods.map((period) => ({ name: period.name, lines: sameIn(period)?.lines ?? [] }));
  const amountsOf = (line: FiguresLine, amount: 'pence' | 'sharePence') =>
    Object.fromEntries(
      columns.map(({ name, lines }) => {
        const same = lines.find(({ type, category }) => type === line.type && category === line.category);
        return [amount === 'pence' ? name : `${name}, your share`, pounds(same?.[amount] ?? 0n)];
      }),
    );
  const rows = business.lines.map((line): Row => {
    const { type, category, field } = line;
    return {
      ...{ type, category: field === undefined || field === category ? category : `${category} (${field})` },
      ...amountsOf(line, 'pence'),
      ...(isShared(business) && amountsOf(line, 'sharePence')),
    };
  });
  const shares = business.sources.flatMap(({ source: { name, sharePercent } }) =>
    sharePercent === 100 ? [] : [`${name} ${sharePercent} %`],
  );
  const refunds = business.lines.filter(({ refundPence }) => refundPence > 0n);
  const without = business.lines.filter(({ field }) => field === undefined);
  return [
    '',
    nameOf(business),
    `  ${business.sources.map(({ source }) => source.name).join(', ')}`,
    ...table(rows),
    ...refunds.map(({ category, refundPence, refundIds }) => {
      const entries = counted(refundIds.length, 'entry', 'entries');
      return `Refunds of ${pounds(refundPence)} (${entries}) are set against ${category} by the rules.`;
    }),
    ...(shares.length > 0
      ? [
          `Your share of: ${shares.join(', ')}. Whether entries are the whole or your share is for you to know.`,
        ]
      : []),
    ...without.map(
      ({ category }) =>
        `${category} has no field in the summary: CIS deductions are reported by contractors.`,
    ),
    ...(business.type === 'foreign-property'
      ? []
      : [
          'If the turnover of the year is below the VAT registration threshold, HMRC takes consolidatedExpenses in place of the expenses.',
        ]),
  ];
}

function nameOf({ type, countryCode, name }: BusinessFigures): string {
  if (type === 'uk-property') return 'UK property';
  return type === 'foreign-property' ? `Property in ${countryCode}` : `Self-employment: ${name}`;
}
