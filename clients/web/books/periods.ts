/** The periods to choose from: tax years of the United Kingdom and their quarters. */

import type { Period } from '../../typescript/days.ts';
import { cumulativeDays, QUARTERS, quarterDays } from '../../typescript/figures/periods.ts';

export const ALL_DATES: Period = { from: undefined, to: undefined };

/** `2026–27` */
export const taxYearName = (year: number): string => `${year}–${String(year + 1).slice(-2)}`;

export const taxYear = (year: number): Period => cumulativeDays(year, 4, 'standard');

/** Those of Making Tax Digital. */
export const quartersOf = (year: number): Period[] =>
  QUARTERS.map((quarter) => quarterDays(year, quarter, 'standard'));

/** The day in the United Kingdom, `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}
