/** Figures of a tax year: of its quarters, and of the year to the end of the last quarter. */
import { type Days, dayAfter } from '../days.ts';
import type { Books } from '../match/stored-books.ts';
import { type Check, checksOf, replacedIn } from './checks.ts';
import {
  type BusinessFigures,
  type FactsOfYear,
  figuresOf,
  isBeyond,
  isReplaced,
  isWithin,
  type StatedFacts,
} from './period-figures.ts';
import {
  changeDays,
  cumulativeDays,
  QUARTERS,
  type Quarter,
  type Quarters,
  quarterDays,
  taxYearName,
  type Update,
  updatesOf,
} from './periods.ts';
import { closedAround } from './working-days.ts';

/** The figures of one quarter, or of the year so far. */
export interface PeriodFigures extends Days {
  name: string;
  /** Whether it begins with the tax year, like HMRC's summaries. */
  isCumulative: boolean;
  businesses: BusinessFigures[];
  /** Whether the figures are of one source instead of all. */
  isOfOneSource: boolean;
}

export interface YearFigures {
  taxYear: string;
  quarters: Quarters;
  lastYear: Quarters;
  /** The chosen quarter; undefined for all four. */
  quarter: Quarter | undefined;
  updates: Update[];
  /** The quarters, then the year so far. */
  periods: PeriodFigures[];
  /** About the first days of the tax year. */
  notes: string[];
  /** The names of properties and businesses whose stated sums go beyond the figures: these are not final. */
  beyond: string[];
  /** The entries to look at before the figures are used. */
  checks: Check[];
}

/** The year, and the figures of it that a person chose. */
export interface YearChoice {
  /** The first year of the tax year. */
  start: number;
  /** The chosen quarter; undefined for all four. */
  quarter: Quarter | undefined;
  quarters: Quarters;
  /** The quarters of the tax year before. Undefined: nobody has said so. */
  lastYear: Quarters | undefined;
  /** `YYYY-MM-DD` */
  today: string;
  /** The books are of one source instead of all. */
  isOfOneSource?: boolean;
}

/** Undefined: the same as this year's. */
const lastYearOf = ({ quarters, lastYear = quarters }: Pick<YearChoice, 'quarters' | 'lastYear'>) => lastYear;

/** The days to read: the figures, the days that a change of the quarters moves, and those to which a bank moves the last payments of the year. */
export function daysToRead({
  start,
  quarter = 4,
  quarters,
}: Pick<YearChoice, 'start' | 'quarter' | 'quarters'>): Days {
  const { from } = changeDays(start);
  const { to } = cumulativeDays(start, quarter, quarters);
  return { from, to: (quarter === 4 ? closedAround(dayAfter(to, 1))?.to : undefined) ?? to };
}

/** The entries of 1 to 5 April, which are in the year or not by last year's quarters. */
const countOfChange = ({ byId }: Pick<Books, 'byId'>, start: number) => {
  const { from, to } = changeDays(start);
  return [...byId.values()].filter(({ stored: { date } }) => date >= from && date <= to).length;
};

/** What to ask before there are figures: without the answer, entries would be in the wrong year. Undefined: nothing. */
export function lastYearQuestion(
  books: Pick<Books, 'byId'>,
  { start, quarters, lastYear }: Pick<YearChoice, 'start' | 'quarters' | 'lastYear'>,
): string | undefined {
  if (quarters === 'standard' || lastYear !== undefined) return undefined;
  const count = countOfChange(books, start);
  if (count === 0) return undefined;
  const entries = count === 1 ? 'one entry is' : `${count} entries are`;
  return `Were the quarters of ${taxYearName(start - 1)} calendar quarters too? Then ${taxYearName(start)} begins on 1 April. In the first year of calendar quarters it begins on 6 April, and ${entries} of 1 to 5 April.`;
}

/** @param books of the year. */
export function yearFigures(
  { sources, byId }: Pick<Books, 'sources' | 'byId'>,
  choice: YearChoice,
  stated: StatedFacts = {},
): YearFigures {
  const { start, quarter, quarters, today, isOfOneSource = false } = choice;
  const lastYear = lastYearOf(choice);
  const entries = [...byId.values()];
  const facts = factsOfYear(stated, cumulativeDays(start, 4, quarters, lastYear));
  const periodOf = (name: string, days: Days, isCumulative: boolean): PeriodFigures => ({
    name,
    ...days,
    isCumulative,
    isOfOneSource,
    businesses: figuresOf(sources, entries, days, facts),
  });
  const chosen = quarter === undefined ? QUARTERS : [quarter];
  const soFar = cumulativeDays(start, quarter ?? 4, quarters, lastYear);
  const updates = updatesOf(start, quarters, lastYear, today);
  const untilNow = periodOf(quarter === undefined ? 'the year' : `since ${soFar.from}`, soFar, true);
  return {
    taxYear: taxYearName(start),
    quarters,
    lastYear,
    quarter,
    updates,
    periods: [
      ...chosen.map((each) =>
        periodOf(`quarter ${each}`, quarterDays(start, each, quarters, lastYear), false),
      ),
      untilNow,
    ],
    notes: notesOnChange({ byId }, choice),
    beyond: beyondIn(untilNow),
    checks: [
      ...checksOf(
        entries.filter((each) => !isReplaced(each, facts)),
        updates,
        soFar.to,
      ),
      ...replacedIn(
        entries.filter((each) => isReplaced(each, facts) && isWithin(each, soFar)),
        ({ source }) => facts.sumsOf?.(source)?.to ?? '',
      ),
    ],
  };
}

/** Sums of another tax year state nothing about this one. @param year its days */
const factsOfYear = ({ sumsOf, ...facts }: StatedFacts, { from, to }: Days): FactsOfYear => ({
  ...facts,
  sumsOf: (source) => {
    const stated = sumsOf?.(source);
    return stated && stated.to >= from && stated.to <= to ? { ...stated, from } : undefined;
  },
});

const beyondIn = (period: PeriodFigures): string[] =>
  period.businesses.flatMap(({ sources }) =>
    sources.flatMap((each) =>
      isBeyond(each)
        ? `The figures of ${each.source.name} are not final: neither the sums up to ${each.stated?.to} that your rules state, nor the entries of these days are in them.`
        : [],
    ),
  );

/** The effect of last year's quarters, where it has one. */
function notesOnChange(books: Pick<Books, 'byId'>, choice: YearChoice): string[] {
  const { start, quarters, lastYear } = choice;
  const count = countOfChange(books, start);
  const ofDays = count === 1 ? '1 entry of 1 to 5 April is' : `${count} entries of 1 to 5 April are`;
  if (lastYear !== undefined && lastYear !== quarters)
    return lastYear === 'standard'
      ? [
          `In the first year of calendar quarters, the first period begins on 6 April.${count > 0 ? ` ${ofDays} not in it.` : ''} This year's updates end on 31 March: account for the days to 5 April at the end of the tax year.`,
        ]
      : [
          `After calendar quarters, the first standard period begins on 1 April.${count > 0 ? ` ${ofDays} in it.` : ''}`,
        ];
  if (lastYear === undefined && quarters === 'calendar')
    return [
      'The year begins on 1 April, as after a year of calendar quarters. The first one begins on 6 April.',
    ];
  if (lastYear === undefined && count > 0)
    return [
      `${ofDays} not in these figures, because last year's quarters are taken as standard, HMRC's default. If they were calendar quarters, the first period begins on 1 April.`,
    ];
  return [];
}
