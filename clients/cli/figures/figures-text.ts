/** Figures for people: a table for each property business, country and business. */

import { counted } from '../../typescript/counted.ts';
import {
  businessName,
  isRefused,
  isShareOpen,
  notesOf,
  readingsOf,
  refusalsOf,
} from '../../typescript/figures/business-notes.ts';
import type { Check } from '../../typescript/figures/checks.ts';
import { type CategoryLabels, labelNaming, type Naming } from '../../typescript/figures/naming.ts';
import type { AmountReading, BusinessFigures, FiguresLine } from '../../typescript/figures/period-figures.ts';
import { STATE_TEXTS } from '../../typescript/figures/periods.ts';
import { profitTotal, TOTALS } from '../../typescript/figures/profit-totals.ts';
import type { PeriodFigures, YearFigures } from '../../typescript/figures/year.ts';
import { pounds } from '../../typescript/pounds.ts';
import { excerpt, type PrintedRow, table } from '../output.ts';

/** The figures of a year as lines: first why they are not final, then a table for each business. */
export function figuresLines(year: YearFigures, labels: CategoryLabels): string[] {
  const { taxYear, quarters, periods, updates, notes, beyond, checks } = year;
  const last = periods.at(-1) as PeriodFigures;
  // All periods have the same businesses in the same order.
  const withEntries = last.businesses
    .map((business, index) => ({
      business,
      ofPeriods: periods.map(({ name, businesses }) => ({ name, lines: businesses[index]?.lines ?? [] })),
    }))
    .filter(({ business }) => business.lines.length > 0);
  return [
    ...notFinalLines(last, beyond),
    ...checks.flatMap(checkLines),
    `Tax year ${taxYear}${quarters === 'calendar' ? ', calendar quarters' : ''}`,
    ...periods.map(({ name, from, to }) => `  ${name}: ${from} to ${to}`),
    ...notes,
    'Quarterly updates, from the beginning of the tax year:',
    ...updates.map(
      ({ quarter, from, to, deadline, state }) =>
        `  update ${quarter} covers ${from} to ${to}, deadline ${deadline}: ${STATE_TEXTS[state]}`,
    ),
    ...(withEntries.length === 0 ? ['', 'There are no entries with a category.'] : []),
    ...withEntries.flatMap(({ business, ofPeriods }) =>
      businessLines(business, last, ofPeriods, labelNaming(labels, business, last)),
    ),
    '',
    'Nothing is submitted. Quarterly updates are confirmed and sent by you, in the app.',
  ];
}

/** Printed first: the reasons for which the figures are no update yet. */
function notFinalLines(last: PeriodFigures, beyond: readonly string[]): string[] {
  const refused = last.businesses
    .filter((each) => each.lines.length > 0 && isRefused(each, last))
    .map(businessName);
  const sources = last.businesses.flatMap((business) => business.sources);
  const shared = sources.filter(isShareOpen).map(({ source }) => source.name);
  const problems = [
    ...beyond,
    ...(shared.length > 0
      ? [
          `These figures are not final: whether entries are of the whole or your share is open for ${shared.join(', ')}. See below.`,
        ]
      : []),
    ...(refused.length > 0 ? [`HMRC would refuse figures of ${refused.join(', ')}. See below.`] : []),
  ];
  const lines = problems.length > 0 ? [...problems, ''] : [];
  const unsorted = sources.filter(({ withoutCategory }) => withoutCategory.count > 0);
  if (unsorted.length === 0) return lines;
  return [
    'These figures are not final: entries without a category are in none of them. Sort them in the app.',
    ...unsorted.map(({ source, withoutCategory: { count, incomePence, expensePence } }) => {
      const entries = counted(count, 'entry', 'entries');
      return `  ${source.name}: ${entries}, income ${pounds(incomePence)}, expense ${pounds(expensePence)}`;
    }),
    '',
    ...lines,
  ];
}

const CHECK_ENTRIES_MAX = 5;

/** The entries of a check, the first ones by themselves. */
function checkLines({ message, entries }: Check): string[] {
  const more = entries.length - CHECK_ENTRIES_MAX;
  return [
    message,
    ...entries.slice(0, CHECK_ENTRIES_MAX).map(({ stored, source }) => {
      const { date, type, amountPence, description } = stored;
      return `  ${date} ${source.name}, ${type} ${pounds(amountPence)} ${excerpt(description ?? '')}`.trimEnd();
    }),
    ...(more > 0 ? [`  and ${more} more: --json has the ids of all`] : []),
    '',
  ];
}

function businessLines(
  business: BusinessFigures,
  last: PeriodFigures,
  periods: readonly { name: string; lines: readonly FiguresLine[] }[],
  naming: Naming,
): string[] {
  const alternatives = readingsOf(business.sources);
  const isShared = alternatives.length > 1;
  /** A column for each period, by the reading of its lines. */
  const columnsBy = (penceOf: (lines: readonly FiguresLine[], reading: AmountReading) => bigint) =>
    Object.fromEntries(
      alternatives.flatMap(({ reading }) =>
        periods.map(({ name, lines }) => [
          isShared && reading === 'penceIfWhole' ? `${name}, your share` : name,
          pounds(penceOf(lines, reading)),
        ]),
      ),
    );
  const rows = business.lines.map((line): PrintedRow => {
    const { type, field = '' } = line;
    const isSame = (each: FiguresLine) => each.type === type && each.category === line.category;
    const columns = columnsBy((lines, reading) => lines.find(isSame)?.[reading] ?? 0n);
    return { type, category: naming.category(line), 'HMRC field': field, ...columns };
  });
  const totals = TOTALS.map((total): PrintedRow => {
    const columns = columnsBy((lines, reading) =>
      profitTotal(total, business.type, lines, (line) => line[reading]),
    );
    return { type: 'total', category: total, 'HMRC field': '', ...columns };
  });
  const refunds = business.lines.filter(({ refundPence }) => refundPence > 0n);
  return [
    '',
    businessName(business),
    `  ${business.sources.map(({ source }) => source.name).join(', ')}`,
    ...table([...rows, ...totals]),
    ...(business.sources.length > 1 ? eachLines(business, last.name) : []),
    ...refunds.map((line) => {
      const { refundPence, refundPenceIfWhole, refundIds } = line;
      const entries = counted(refundIds.length, 'entry', 'entries');
      const refunded = pounds(isShared ? refundPence : refundPenceIfWhole);
      return `Refunds of ${refunded} (${entries}) are set against ${naming.category(line)} by the rules.`;
    }),
    ...refusalsOf(business, last, naming),
    ...notesOf(business, last, naming),
  ];
}

/** The totals of each property. */
function eachLines({ type, sources }: BusinessFigures, period: string): string[] {
  const alternatives = readingsOf(sources);
  const rows = sources
    .filter(({ lines }) => lines.length > 0)
    .map(({ source, lines }): PrintedRow => {
      const columns = alternatives.flatMap(({ reading }) =>
        TOTALS.map((total) => [
          alternatives.length > 1 && reading === 'penceIfWhole' ? `${total}, your share` : total,
          pounds(profitTotal(total, type, lines, (line) => line[reading])),
        ]),
      );
      return { [`each by itself, ${period}`]: source.name, ...Object.fromEntries(columns) };
    });
  return ['', ...table(rows)];
}
