/** Figures of a tax year: of its quarters, and of the year to the end of the last quarter. */
import type { Books } from '../books/stored-books.ts';
import { type BusinessFigures, figuresOf, type RefundOf } from './figures.ts';
import {
  cumulativeDays,
  type Days,
  QUARTERS,
  type Quarter,
  type Quarters,
  quarterDays,
  taxYearName,
} from './periods.ts';

/** Figures of one period. */
export interface PeriodFigures extends Days {
  name: string;
  /** Whether it begins with the tax year, like HMRC's summaries. */
  isCumulative: boolean;
  businesses: BusinessFigures[];
}

export interface YearFigures {
  taxYear: string;
  quarters: Quarters;
  /** Undefined: all four. */
  quarter: Quarter | undefined;
  /** The quarters, then the year so far. */
  periods: PeriodFigures[];
}

/** @param books of the year. @param quarter undefined: all four */
export function yearFigures(
  { sources, byId }: Pick<Books, 'sources' | 'byId'>,
  { start, quarter, quarters }: { start: number; quarter: Quarter | undefined; quarters: Quarters },
  refundOf: RefundOf | undefined,
): YearFigures {
  const entries = [...byId.values()];
  const periodOf = (name: string, days: Days, isCumulative: boolean): PeriodFigures => ({
    ...{ name, ...days, isCumulative },
    businesses: figuresOf(sources, entries, days, refundOf),
  });
  const chosen = quarter === undefined ? QUARTERS : [quarter];
  const soFar = cumulativeDays(start, quarter ?? 4, quarters);
  return {
    taxYear: taxYearName(start),
    quarters,
    quarter,
    periods: [
      ...chosen.map((each) => periodOf(`quarter ${each}`, quarterDays(start, each, quarters), false)),
      periodOf(quarter === undefined ? 'the year' : `since ${soFar.from}`, soFar, true),
    ],
  };
}
