/** The periods to choose from: tax years of the United Kingdom, from 6 April to 5 April, and their quarters. */

import type { Period } from '../../typescript/books/stored-books.ts';

export const ALL_DATES: Period = { from: undefined, to: undefined };

/** The year in which the tax year of this day begins. */
export function taxYearOf(day: string): number {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= '04-06' ? year : year - 1;
}

/** `2026–27` */
export const taxYearName = (year: number): string => `${year}–${String(year + 1).slice(-2)}`;

export const taxYear = (year: number): Period => ({ from: `${year}-04-06`, to: `${year + 1}-04-05` });

/** Those of Making Tax Digital. */
export const quartersOf = (year: number): Period[] => [
  { from: `${year}-04-06`, to: `${year}-07-05` },
  { from: `${year}-07-06`, to: `${year}-10-05` },
  { from: `${year}-10-06`, to: `${year + 1}-01-05` },
  { from: `${year + 1}-01-06`, to: `${year + 1}-04-05` },
];

/** The day in the United Kingdom, `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/London', calendar: 'gregory' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}
