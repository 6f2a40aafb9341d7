/** The figures of a tax year and a quarter that the visitor chooses. No DOM. */

import { businessName, notesOf, sharesOf } from '../../../typescript/figures/business-notes.ts';
import type {
  BusinessFigures,
  FiguresLine,
  RefundOf,
  SourceFigures,
  WithoutCategory,
} from '../../../typescript/figures/figures.ts';
import {
  cumulativeDays,
  type Days,
  QUARTERS,
  type Quarter,
  type Quarters,
  quarterDays,
  taxYearOf,
} from '../../../typescript/figures/periods.ts';
import { yearFigures } from '../../../typescript/figures/year.ts';
import { ImportError } from '../../../typescript/import/index.ts';
import { refundRules } from '../../../typescript/import/plan/compiled-rules.ts';
import type { Source } from '../../../typescript/index.ts';
import type { BooksState } from '../books-reader.ts';
import { type BooksEntry, type CategoryLabels, categoryText } from '../labels.ts';

export interface Choice {
  /** The year in which the tax year begins. */
  start: number;
  quarter: Quarter;
  quarters: Quarters;
}

/** The quarter that a day is in. */
export function choiceOf(day: string): Choice {
  const start = taxYearOf(day);
  const quarter = QUARTERS.find((each) => day <= quarterDays(start, each, 'standard').to) ?? 4;
  return { start, quarter, quarters: 'standard' };
}

/** The days of a tax year in both kinds of quarters, so that another choice in the year reads nothing. */
export const daysOfYear = (start: number): Days => ({
  from: cumulativeDays(start, 4, 'calendar').from,
  to: cumulativeDays(start, 4, 'standard').to,
});

/** Of one category: what the quarter has, and what the year has so far. */
export interface FiguresRow extends Pick<FiguresLine, 'type' | 'category' | 'field'> {
  /** For people. */
  name: string;
  lines: readonly (FiguresLine | undefined)[];
}

/** The figures of a business, or of one of its sources. */
export interface FiguresPart {
  name: string;
  isShared: boolean;
  rows: FiguresRow[];
}

export interface BusinessOfChoice extends FiguresPart {
  /** Its sources by themselves, if there are several. */
  parts: FiguresPart[];
  sources: string;
  notes: string[];
}

export interface Unsorted extends WithoutCategory {
  source: Source;
}

export interface FiguresOfChoice {
  /** The quarter, and the year so far. */
  periods: readonly Days[];
  /** The entries that are in no figure, by source: the figures are not final. */
  unsorted: Unsorted[];
  /** Those that have figures in the year so far. */
  businesses: BusinessOfChoice[];
}

export function figuresOfChoice(
  { entries, labels }: Pick<BooksState, 'entries' | 'labels'>,
  sources: readonly Source[],
  { start, quarter, quarters }: Choice,
  refundOf?: RefundOf,
): FiguresOfChoice {
  const byId = new Map(entries.map((stored) => [stored.id, { stored, source: stored.source }]));
  const { periods } = yearFigures({ sources, byId }, { start, quarter, quarters }, refundOf);
  const [ofQuarter, soFar] = periods.map(({ businesses }) => businesses) as [
    BusinessFigures[],
    BusinessFigures[],
  ];
  return {
    periods,
    unsorted: soFar
      .flatMap((business) => business.sources)
      .filter(({ withoutCategory }) => withoutCategory.count > 0)
      .map(({ source, withoutCategory }) => ({ source, ...withoutCategory })),
    businesses: soFar
      .map((business, index) => businessOf(business, ofQuarter[index], labels))
      .filter(({ rows }) => rows.length > 0),
  };
}

function businessOf(
  business: BusinessFigures,
  ofQuarter: BusinessFigures | undefined,
  labels: CategoryLabels,
): BusinessOfChoice {
  const { type, sources, lines } = business;
  const rowsOf = (of: readonly FiguresLine[], inQuarter: readonly FiguresLine[] = []) =>
    of.map((line): FiguresRow => {
      const { category, field } = line;
      const same = inQuarter.find((each) => each.type === line.type && each.category === category);
      const name = categoryText({ type: line.type, category, source: { type } }, labels);
      return { type: line.type, category, field, name, lines: [same, line] };
    });
  const partOf = ({ source, lines }: SourceFigures, index: number): FiguresPart => ({
    name: source.name,
    isShared: source.sharePercent !== 100,
    rows: rowsOf(lines, ofQuarter?.sources[index]?.lines),
  });
  return {
    name: businessName(business),
    sources: sources.map(({ source }) => source.name).join(', '),
    isShared: sharesOf(business).length > 0,
    rows: rowsOf(lines, ofQuarter?.lines),
    parts: sources.length > 1 ? sources.map(partOf).filter(({ rows }) => rows.length > 0) : [],
    notes: notesOf(business),
  };
}

/** The refunds of the rules by category, or why they cannot be read. */
export function refundsOf(
  rules: string,
  sources: readonly Source[],
  categories: BooksState['categories'],
): { refundOf?: RefundOf; problem?: string } {
  if (rules.trim() === '') return {};
  try {
    const find = refundRules(
      rules,
      sources.map(({ id, name, type }) => ({ id, name, type, categories: categories[type] })),
    );
    return { refundOf: ({ stored, source }) => find(stored, source.id) };
  } catch (error) {
    if (error instanceof ImportError) return { problem: error.message };
    throw error;
  }
}

/** The entries behind a figure, newest first. */
export function entriesOf(entries: readonly BooksEntry[], ids: readonly string[]): BooksEntry[] {
  const wanted = new Set(ids);
  return entries.filter(({ id }) => wanted.has(id));
}
