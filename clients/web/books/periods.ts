/** The periods to choose from: tax years of the United Kingdom and their quarters. */
import type { Period } from '../../typescript/days.ts';
import { cumulativeDays, QUARTERS, quarterDays } from '../../typescript/figures/periods.ts';

export const ALL_DATES: Period = { from: undefined, to: undefined };

/** `2026–27` */
export const taxYearLabel = (year: number): string => `${year}–${String(year + 1).slice(-2)}`;

/** The days of a tax year, by the year in which it begins. */
export const taxYear = (year: number): Period => cumulativeDays(year, 4, 'standard');

/** The four quarters of a tax year, as Making Tax Digital has them. */
export const quartersOf = (year: number): Period[] =>
  QUARTERS.map((quarter) => quarterDays(year, quarter, 'standard'));
