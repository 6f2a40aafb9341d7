/** The figures of a tax year and a quarter that the visitor chooses. No DOM. */

import type { Days } from '../../../typescript/days.ts';
import {
  businessName,
  isShareOpen,
  notesOf,
  readingsOf,
  refusalsOf,
} from '../../../typescript/figures/business-notes.ts';
import { type CategoryLabels, categoryLabel, labelNaming } from '../../../typescript/figures/naming.ts';
import type {
  AmountReading,
  BusinessFigures,
  FiguresLine,
  SourceFigures,
  StatedFacts,
  WithoutCategory,
} from '../../../typescript/figures/period-figures.ts';
import {
  cumulativeDays,
  QUARTERS,
  type Quarter,
  type Quarters,
  quarterDays,
  taxYearOf,
} from '../../../typescript/figures/periods.ts';
import { profitTotal, TOTALS, type TotalLabel } from '../../../typescript/figures/profit-totals.ts';
import { type Snapshot, snapshotOf } from '../../../typescript/figures/snapshot.ts';
import { statedFacts } from '../../../typescript/figures/stated-facts.ts';
import { lacksId } from '../../../typescript/figures/summary.ts';
import {
  daysToRead,
  lastYearQuestion,
  type PeriodFigures,
  type YearFigures,
  yearFigures,
} from '../../../typescript/figures/year.ts';
import { ImportError } from '../../../typescript/import/import-error.ts';
import type { Source } from '../../../typescript/index.ts';
import { withCategories } from '../../../typescript/source-categories.ts';
import type { BooksState } from '../books-reader.ts';
import type { BooksEntry } from '../labels.ts';

export interface FiguresChoice {
  /** The year in which the tax year begins. */
  start: number;
  quarter: Quarter;
  quarters: Quarters;
  /** Of the tax year before. Undefined: not answered. */
  lastYear?: Quarters | undefined;
}

/** The quarter that a day is in. */
export function choiceOf(day: string): FiguresChoice {
  const start = taxYearOf(day);
  const quarter = QUARTERS.find((each) => day <= quarterDays(start, each, 'standard').to) ?? 4;
  return { start, quarter, quarters: 'standard' };
}

/** The days of a tax year in both kinds of quarters, so that another choice in the year reads nothing. */
export const daysOfYear = (start: number): Days => ({
  from: cumulativeDays(start, 4, 'calendar').from,
  to: daysToRead({ start, quarter: 4, quarters: 'standard' }).to,
});

/** Of one category: what the quarter has, and what the year has so far. */
export interface FiguresRow extends Pick<FiguresLine, 'type' | 'category' | 'field'> {
  /** The name for people. */
  name: string;
  lines: readonly (FiguresLine | undefined)[];
}

/** The figures of a business, or of one of its sources. */
export interface FiguresPart {
  name: string;
  /** One, or two as long as it is open whether entries are the whole or the share. */
  readings: AmountReading[];
  rows: FiguresRow[];
  /** Of the quarter, and of the year so far: by `readings`. */
  totals: { label: TotalLabel; periods: bigint[][] }[];
}

export interface BusinessOfChoice extends FiguresPart {
  type: Source['type'];
  /** Its sources by themselves, if there are several. */
  parts: FiguresPart[];
  sources: string;
  /** The names of sources for which that is open. */
  shareOpen: string[];
  /** The names of properties abroad of which nobody has stated HMRC's id. */
  withoutId: string[];
  refusals: string[];
  notes: string[];
}

export interface Unsorted extends WithoutCategory {
  source: Source;
}

export interface FiguresOfChoice {
  /** All of them: of the quarter, and of the year so far. */
  year: YearFigures;
  /** Their entries: to keep, and to compare with earlier ones. */
  snapshot: Snapshot;
  /** What to answer before there are figures. */
  question: string | undefined;
  /** The entries that are in no figure, by source: the figures are not final. */
  unsorted: Unsorted[];
  /** Those that have figures in the year so far. */
  businesses: BusinessOfChoice[];
}

/** The figures of the chosen year and quarter, of the entries that were read. */
export function figuresOfChoice(
  { entries, labels }: Pick<BooksState, 'entries' | 'labels'>,
  sources: readonly Source[],
  choice: FiguresChoice,
  today: string,
  facts?: StatedFacts,
): FiguresOfChoice {
  const byId = new Map(entries.map((stored) => [stored.id, { stored, source: stored.source }]));
  const chosen = { ...choice, lastYear: choice.lastYear, today };
  const year = yearFigures({ sources, byId }, chosen, facts);
  const [ofQuarter, soFar] = year.periods as [PeriodFigures, PeriodFigures];
  return {
    year,
    snapshot: snapshotOf(year, byId),
    question: lastYearQuestion({ byId }, chosen),
    unsorted: soFar.businesses
      .flatMap((business) => business.sources)
      .filter(({ withoutCategory }) => withoutCategory.count > 0)
      .map(({ source, withoutCategory }) => ({ source, ...withoutCategory })),
    businesses: soFar.businesses
      .map((business, index) => shownBusiness(business, ofQuarter.businesses[index], soFar, labels))
      .filter(({ rows }) => rows.length > 0),
  };
}

function shownBusiness(
  business: BusinessFigures,
  ofQuarter: BusinessFigures | undefined,
  year: PeriodFigures,
  labels: CategoryLabels,
): BusinessOfChoice {
  const { type, sources, lines } = business;
  const rowsOf = (of: readonly FiguresLine[], inQuarter: readonly FiguresLine[] = []) =>
    of.map((line): FiguresRow => {
      const { category, field } = line;
      const same = inQuarter.find((each) => each.type === line.type && each.category === category);
      const name = categoryLabel(labels, type, line);
      return { type: line.type, category, field, name, lines: [same, line] };
    });
  const shown = (all: readonly SourceFigures[]) => readingsOf(all).map(({ reading }) => reading);
  const totalsOf = (periods: readonly FiguresLine[][], readings: readonly AmountReading[]) =>
    TOTALS.map((label) => ({
      label,
      periods: periods.map((period) =>
        readings.map((reading) => profitTotal(label, type, period, (line) => line[reading])),
      ),
    }));
  const partOf = (part: SourceFigures, index: number): FiguresPart => {
    const [inQuarter = [], readings] = [ofQuarter?.sources[index]?.lines, shown([part])];
    return {
      name: part.source.name,
      readings,
      rows: rowsOf(part.lines, inQuarter),
      totals: totalsOf([inQuarter, part.lines], readings),
    };
  };
  const namesOf = (of: readonly SourceFigures[]) => of.map(({ source }) => source.name).join(', ');
  const naming = labelNaming(labels, business, year);
  return {
    type,
    name: businessName(business),
    sources: namesOf(sources),
    readings: shown(sources),
    shareOpen: sources.filter(isShareOpen).map(({ source }) => source.name),
    withoutId: sources.filter((each) => lacksId(each, year)).map(({ source }) => source.name),
    rows: rowsOf(lines, ofQuarter?.lines),
    totals: totalsOf([ofQuarter?.lines ?? [], lines], shown(sources)),
    parts: sources.length > 1 ? sources.map(partOf).filter(({ rows }) => rows.length > 0) : [],
    refusals: refusalsOf(business, year, naming),
    notes: notesOf(business, year, naming),
  };
}

/** The statements of the rules, or the reason that they cannot be read. */
export function statedFactsIn(
  rules: string,
  sources: readonly Source[],
  categories: BooksState['categories'],
): { facts?: StatedFacts; problem?: string } {
  if (rules.trim() === '') return {};
  try {
    const named = withCategories(sources, categories);
    return { facts: statedFacts(rules, named) };
  } catch (error) {
    if (error instanceof ImportError) return { problem: error.message };
    throw error;
  }
}

/** The entries behind a figure, newest first. */
export function entriesWithIds(entries: readonly BooksEntry[], ids: readonly string[]): BooksEntry[] {
  const wanted = new Set(ids);
  return entries.filter(({ id }) => wanted.has(id));
}
