/**
 * The sheets of `figures.xlsx`. One has every entry, and the figures are formulas that add up the entries.
 * Linked cells are a digital link: gov.uk/guidance/use-making-tax-digital-for-income-tax/keep-digital-records, “If you use bridging software”.
 * Sums are of whole pence, which a spreadsheet adds exactly up to 2^53: 90 million million pounds.
 */
import { recordedOn } from '../days.ts';
import { withoutFormula } from '../export/export-rows.ts';
import { type Cell, letterOf, type NumberCell } from '../export/workbook.ts';
import { pounds } from '../pounds.ts';
import { businessName } from './business-notes.ts';
import { CONSOLIDATED } from './fields.ts';
import { type CategoryLabels, categoryLabel } from './naming.ts';
import {
  type BusinessFigures,
  businessKeyOf,
  type FiguresLine,
  percentOf,
  type SourceFigures,
} from './period-figures.ts';
import { profitTotal, signIn, TOTALS } from './profit-totals.ts';
import { figurePence, type Snapshot } from './snapshot.ts';
import { updateContent } from './update.ts';
import type { PeriodFigures, YearFigures } from './year.ts';

const FIGURE = [
  ...['period', 'from', 'to', 'property or business', 'type', 'category', 'HMRC field'],
  ...['amount', 'your share', 'business id', 'category key'],
];
const FIGURE_COLUMNS = [
  ...FIGURE,
  ...['refunds set against it', 'pence', 'share %', 'share pence', 'source id', 'stated sum'],
];
const ENTRY_HEADINGS = [
  ...['entry', 'date', 'property or business', 'type', 'category', 'amount', 'description', 'reference'],
  ...['source id', 'figure type', 'figure category', 'pence', 'recorded on'],
];

/** The category of an entry that is in no figure. No key of the API has a space. */
const WITHOUT = 'without a category';

/** Formulas compare keys, which stay: people read labels. @returns rows by the name of the sheet */
export function figuresSheets(
  { periods }: YearFigures,
  { entries }: Snapshot,
  labels: CategoryLabels,
): Record<'Figures' | 'Update' | 'Entries', Cell[][]> {
  const inEntries = rangesOf('Entries', ENTRY_HEADINGS, entries.size);
  const figures = periods.flatMap((period) =>
    period.businesses.flatMap(({ sources }) =>
      sources.flatMap((source) => figuresOfSource(period, source, labels)),
    ),
  );
  const last = periods.at(-1) as PeriodFigures;
  const update = last.businesses.flatMap((business) => figuresOfBusiness(last, business, labels));
  const inFigures = rangesOf('Figures', FIGURE_COLUMNS, figures.length);
  return {
    Figures: [FIGURE_COLUMNS, ...figures.map((figure, index) => sourceRow(figure, index + 2, inEntries))],
    Update: [FIGURE, ...update.map((figure, index) => businessRow(figure, index + 2, inFigures))],
    Entries: [ENTRY_HEADINGS, ...entrySheetRows(entries, labels)],
  };
}

/** A figure, with the values that its formulas will have. */
interface SheetFigure {
  /** The period and its days, the name, type, label of the category, and field. */
  cells: Cell[];
  businessId: string;
  key: string;
  pence: bigint;
  sharePence: bigint | undefined;
  /** Of a total: the figures that it adds up, so many rows above. */
  adds?: { rows: number; sign: 1 | -1 }[];
}

interface SourceFigure extends SheetFigure {
  refundPence: bigint;
  statedPence: bigint;
  percent: number;
  sourceId: string;
}

function figuresOfSource(
  period: PeriodFigures,
  figures: SourceFigures,
  labels: CategoryLabels,
): SourceFigure[] {
  const { source, lines, withoutCategory } = figures;
  const { id, name } = source;
  const own = { businessId: businessKeyOf(source), percent: percentOf(figures), sourceId: id };
  const closed = lines.map(({ type, category, field = '', penceIfWhole, ...amounts }) => ({
    ...own,
    ...amounts,
    sharePence: penceIfWhole,
    key: category,
    cells: [
      ...periodCells(period, name),
      type,
      categoryLabel(labels, source.type, { type, category }),
      field,
    ],
  }));
  const unsorted = (['income', 'expense'] as const).map((type) => ({
    ...own,
    pence: withoutCategory[`${type}Pence`],
    sharePence: undefined,
    ...{ refundPence: 0n, statedPence: 0n, key: WITHOUT },
    cells: [...periodCells(period, name), type, WITHOUT, ''],
  }));
  const totals = totalsBelow(lines, source.type, periodCells(period, name));
  return [
    ...unsorted.filter(({ pence }) => pence > 0n),
    ...closed,
    ...totals.map((total) => ({ ...own, refundPence: 0n, statedPence: 0n, ...total })),
  ];
}

function figuresOfBusiness(
  period: PeriodFigures,
  business: BusinessFigures,
  labels: CategoryLabels,
): SheetFigure[] {
  const businessId = businessKeyOf((business.sources[0] as SourceFigures).source);
  const own = periodCells(period, businessName(business));
  const figures = business.lines.map(({ type, category, field = '', pence, penceIfWhole }) => ({
    ...{ businessId, pence, sharePence: penceIfWhole, key: category },
    cells: [...own, type, categoryLabel(labels, business.type, { type, category }), field],
  }));
  const { allowed } = updateContent(business, period, 'penceIfWhole').consolidated;
  // The total is the one sum that HMRC takes in the place of the expenses above it.
  const totals = totalsBelow(business.lines, business.type, own, allowed === 'no' ? '' : CONSOLIDATED.path);
  return [...figures, ...totals.map((total) => ({ businessId, ...total }))];
}

/** The rows of totals, which follow the rows of the lines. */
function totalsBelow(
  lines: readonly FiguresLine[],
  sourceType: BusinessFigures['type'],
  cells: Cell[],
  fieldOfExpenses = '',
): Omit<SheetFigure, 'businessId'>[] {
  if (lines.length === 0) return [];
  return TOTALS.map((total, index) => ({
    pence: profitTotal(total, sourceType, lines, ({ pence }) => pence),
    sharePence: profitTotal(total, sourceType, lines, ({ penceIfWhole }) => penceIfWhole),
    key: total,
    cells: [...cells, 'total', total, total === 'Total expenses' ? fieldOfExpenses : ''],
    adds: lines.flatMap((line, place) => {
      const sign = signIn(total, sourceType, line);
      return sign === 0 ? [] : [{ rows: lines.length - place + index, sign }];
    }),
  }));
}

/** The formula of a total. @param cellAt of the column, in a row */
const totalFormula = (
  adds: readonly { rows: number; sign: 1 | -1 }[],
  row: number,
  cellAt: (row: number) => string,
) => ['0', ...adds.map(({ rows, sign }) => `${sign < 0 ? '-' : '+'}${cellAt(row - rows)}`)].join('');

const periodCells = ({ name, from, to }: PeriodFigures, business: string): Cell[] => [
  ...[name, dayCell(from), dayCell(to), withoutFormula(business)],
];

/** The figure of one source adds up its entries. */
function sourceRow(figure: SourceFigure, row: number, rangeOf: (column: string) => string): Cell[] {
  const { cells, businessId, key, pence, sharePence, refundPence, statedPence, percent, sourceId, adds } =
    figure;
  const at = addressesOf(FIGURE_COLUMNS, row);
  const total = (column: string) =>
    adds && totalFormula(adds, row, (each) => addressesOf(FIGURE_COLUMNS, each)(column));
  const criteria = [
    ...[rangeOf('source id'), at('source id'), rangeOf('figure type'), at('type')],
    ...[rangeOf('figure category'), at('category key')],
    ...[rangeOf('date'), `">="&${at('from')}`, rangeOf('date'), `"<="&${at('to')}`],
  ].join(',');
  // Of other software, and no entry of the workbook: a value without a formula.
  const stated = statedPence === 0n ? '' : `ROUND(${at('stated sum')}*100,0)`;
  const plus = stated === '' ? '' : `+${stated}`;
  const ofEntries = stated === '' ? at('pence') : `(${at('pence')}-${stated})`;
  return [
    ...[...cells, poundsCell(pence, `${at('pence')}/100`)],
    ...[sharePence === undefined ? '' : poundsCell(sharePence, `${at('share pence')}/100`), businessId, key],
    // A sum of 50,000 entries takes a spreadsheet a moment, so that there is none without refunds.
    refundPence === 0n
      ? ''
      : poundsCell(refundPence, `(0-SUMIFS(${rangeOf('pence')},${criteria},${rangeOf('pence')},"<0"))/100`),
    whole(pence, total('pence') ?? `SUMIFS(${rangeOf('pence')},${criteria})${plus}`),
    adds ? '' : whole(percent),
    sharePence === undefined
      ? ''
      : whole(sharePence, total('share pence') ?? `${shareFormula(ofEntries, at('share %'))}${plus}`),
    sourceId,
    statedPence === 0n ? '' : poundsCell(statedPence),
  ];
}

/** The figure of a business adds up the figures of its sources. */
function businessRow(
  { cells, businessId, key, pence, sharePence = 0n, adds }: SheetFigure,
  row: number,
  rangeOf: (column: string) => string,
): Cell[] {
  const at = addressesOf(FIGURE, row);
  // Amounts are whole pence, divided: their sum is rounded to the penny.
  const total = (column: string) =>
    adds && `ROUND(${totalFormula(adds, row, (each) => addressesOf(FIGURE, each)(column))},2)`;
  const criteria = ['period', 'business id', 'type', 'category key']
    .flatMap((name) => [rangeOf(name), at(name)])
    .join(',');
  return [
    ...[...cells, poundsCell(pence, total('amount') ?? `SUMIFS(${rangeOf('pence')},${criteria})/100`)],
    poundsCell(sharePence, total('your share') ?? `SUMIFS(${rangeOf('share pence')},${criteria})/100`),
    ...[businessId, key],
  ];
}

/**
 * Half a penny away from zero, as `shareOf`. The percentage is a whole number of ten-thousandths. The millions of the pence are
 * multiplied by themselves: the rest has no more than the 15 digits that a spreadsheet rounds reliably.
 */
function shareFormula(pence: string, percent: string): string {
  const [millions, share] = [`TRUNC(${pence}/1000000)`, `ROUND(${percent}*10000,0)`];
  return `${millions}*${share}+ROUND((${pence}-${millions}*1000000)*${share}/1000000,0)`;
}

function entrySheetRows(entries: Snapshot['entries'], labels: CategoryLabels): Cell[][] {
  return [...entries.values()].map((entry, index) => {
    const { id, date, type, category, amountPence, description, externalRef, source, figure } = entry;
    const pence = addressesOf(ENTRY_HEADINGS, index + 2)('pence');
    const recorded = recordedOn(id);
    const label = category === null ? '' : categoryLabel(labels, source.type, { type, category });
    return [
      ...[id, dayCell(date), withoutFormula(source.name), type, label],
      poundsCell(BigInt(amountPence), `ABS(${pence})/100`),
      ...[withoutFormula(description ?? ''), withoutFormula(externalRef ?? ''), source.id],
      ...[figure?.type ?? type, figure?.category ?? WITHOUT, whole(figurePence(entry))],
      recorded === null ? '' : dayCell(recorded),
    ];
  });
}

/** The cells of a column below its header, for formulas of other sheets. */
const rangesOf = (sheet: string, columns: readonly string[], rows: number) => (name: string) => {
  const letter = letterOf(columns.indexOf(name));
  return `${sheet}!$${letter}$2:$${letter}$${Math.max(rows, 1) + 1}`;
};

const addressesOf = (columns: readonly string[], row: number) => (name: string) =>
  `${letterOf(columns.indexOf(name))}${row}`;

const numberCell = (value: string, format: NumberCell['format'], formula?: string): NumberCell => ({
  value,
  format,
  ...(formula !== undefined && { formula }),
});

const whole = (value: number | bigint, formula?: string) => numberCell(String(value), 'whole', formula);

const poundsCell = (pence: bigint, formula?: string) =>
  numberCell(pounds(pence).replaceAll(',', ''), 'pounds', formula);

/** Spreadsheets count days from this one. */
const FIRST_DAY = Date.UTC(1899, 11, 30);

const dayCell = (day: string) => numberCell(String((Date.parse(day) - FIRST_DAY) / 86_400_000), 'day');
