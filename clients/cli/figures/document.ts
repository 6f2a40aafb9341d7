/** Figures for programs and spreadsheets, each with the ids of its entries. */
import { withoutFormula } from '../../typescript/books/export-rows.ts';
import { pounds } from '../../typescript/books/pounds.ts';
import type { Books } from '../../typescript/books/stored-books.ts';
import { amountsOf, isFinal } from '../../typescript/figures/business-notes.ts';
import type {
  Amount,
  BusinessFigures,
  FiguresLine,
  SourceFigures,
  WithoutCategory,
} from '../../typescript/figures/figures.ts';
import { updateContent } from '../../typescript/figures/update.ts';
import type { PeriodFigures, YearFigures } from '../../typescript/figures/year.ts';

export function documentOfFigures(year: YearFigures) {
  const { taxYear, quarters, lastYear, quarter, updates, periods, notes } = year;
  return {
    ...{ taxYear, quarters, lastYear, quarter: quarter ?? null, submitted: false, updates, notes },
    periods: periods.map((period) => ({
      ...{ name: period.name, from: period.from, to: period.to, cumulative: period.isCumulative },
      isFinal: isFinal(period),
      businesses: period.businesses.map((business) => documentOfBusiness(business, period)),
    })),
  };
}

function documentOfBusiness(business: BusinessFigures, period: PeriodFigures) {
  const { type, countryCode, name, sources } = business;
  return {
    ...{ type, countryCode, name, ...sums(business) },
    sources: sources.map((each) => {
      const { id, name, sharePercent } = each.source;
      return { id, name, sharePercent, entriesAre: each.entriesAre ?? null, ...sums(each) };
    }),
    ...(period.isCumulative && {
      ...documentOfUpdate(business, period, 'asSharePence'),
      ...(amountsOf(sources).length > 1 && { ofShare: documentOfUpdate(business, period, 'sharePence') }),
    }),
  };
}

function documentOfUpdate(business: BusinessFigures, period: PeriodFigures, amount: Amount) {
  const { consolidated, jointlyLet, ...content } = updateContent(business, period, amount);
  return {
    ...content,
    consolidated: { ...consolidated, pence: Number(consolidated.pence) },
    jointlyLet: jointlyLet && {
      ...jointlyLet,
      leftOut: jointlyLet.leftOut.map((each) => ({ ...each, pence: Number(each.pence) })),
    },
  };
}

const sums = ({ withoutCategory, lines }: Pick<SourceFigures, 'withoutCategory' | 'lines'>) => ({
  withoutCategory: documentOfOpen(withoutCategory),
  lines: lines.map(documentOfLine),
});

const documentOfOpen = ({ count, incomePence, expensePence, ids }: WithoutCategory) => ({
  ...{ count, incomePence: Number(incomePence), expensePence: Number(expensePence), ids },
});

function documentOfLine({
  type,
  category,
  field,
  pence,
  sharePence,
  refundPence,
  ids,
  refundIds,
}: FiguresLine) {
  return {
    ...{ type, category, field: field ?? null },
    ...{ pence: Number(pence), sharePence: Number(sharePence), refundPence: Number(refundPence) },
    ...{ ids, refundIds },
  };
}

const COLUMNS = [
  ...['period', 'from', 'to', 'property or business', 'type', 'category', 'HMRC field'],
  ...['amount', 'your share', 'refunds set against it', 'entries'],
];
const ENTRY_COLUMNS = [
  ...['entry', 'date', 'property or business', 'type', 'category', 'amount', 'description', 'reference'],
];

/** The figures of each source, then the entries of the year. */
export function figuresRows({ periods }: YearFigures, { byId }: Books): string[][] {
  const figures = periods.flatMap(({ name, from, to, businesses }) =>
    businesses.flatMap(({ sources }) =>
      sources.flatMap(({ source, lines, withoutCategory }) => [
        ...lines.map(({ type, category, field = '', ...line }) => [
          ...[name, from, to, source.name, type, category, field],
          ...[line.pence, line.sharePence, line.refundPence].map(plainPounds),
          String(line.ids.length + line.refundIds.length),
        ]),
        ...(['income', 'expense'] as const).flatMap((type) => {
          const count = withoutCategory.ids.filter((id) => byId.get(id)?.stored.type === type).length;
          if (count === 0) return [];
          const cells = [name, from, to, source.name, type, 'without a category', ''];
          return [[...cells, plainPounds(withoutCategory[`${type}Pence`]), '', '', String(count)]];
        }),
      ]),
    ),
  );
  const entries = [...byId.values()].map(({ stored, source }) => [
    ...[stored.id, stored.date, source.name, stored.type, stored.category ?? ''],
    ...[plainPounds(BigInt(stored.amountPence)), stored.description ?? '', stored.externalRef ?? ''],
  ]);
  return [COLUMNS, ...figures, [], ENTRY_COLUMNS, ...entries].map((cells) => cells.map(safely));
}

/** Amounts are not clipped: a refund may exceed the expenses of its category. */
const safely = (text: string) => (/^-\d+\.\d\d$/.test(text) ? text : withoutFormula(text));

const plainPounds = (pence: bigint) => pounds(pence).replaceAll(',', '');
