/**
 * Tax years, their quarters and the deadlines of the quarterly updates, by HMRC's guide for Making Tax Digital for Income Tax:
 * hmrc/income-tax-mtd-end-to-end-service-guide, source/documentation/make-updates-during-tax-year.html.md.erb.
 */
import type { Days } from '../days.ts';

export const QUARTERS = [1, 2, 3, 4] as const;
export type Quarter = (typeof QUARTERS)[number];

/** The kind of quarters, by the taxpayer's choice: from the 6th of a month to the 5th, or calendar months. */
export type Quarters = 'standard' | 'calendar';

const STARTS = ['04', '07', '10', '01'] as const;
const ENDS = {
  standard: ['07-05', '10-05', '01-05', '04-05'],
  calendar: ['06-30', '09-30', '12-31', '03-31'],
} as const;
/** The same for both kinds of quarters. */
const DEADLINES = ['08-07', '11-07', '02-07', '05-07'] as const;

/** The first year of a tax year: 2026 for `2026-27`. Undefined for any other text. */
export function taxYearStart(text: string): number | undefined {
  const [, first = '', second = ''] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  return first !== '' && (Number(first) + 1) % 100 === Number(second) ? Number(first) : undefined;
}

/** The first year of the tax year of a day. @param day `YYYY-MM-DD` */
export function taxYearOf(day: string): number {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= '04-06' ? year : year - 1;
}

/** The name of a tax year, such as `2026-27`. */
export const taxYearName = (start: number) => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

/** The days on which only one kind of quarters has begun the tax year. */
export const changeDays = (start: number): Days => ({ from: `${start}-04-01`, to: `${start}-04-05` });

/** @param lastYear the quarters of the tax year before: the first quarter begins on the day after its end */
export function quarterDays(
  start: number,
  quarter: Quarter,
  quarters: Quarters,
  lastYear: Quarters = quarters,
): Days {
  const [last, first] = [ENDS[quarters][quarter - 1] as string, STARTS[quarter - 1] as string];
  const isNextYear = last.startsWith('01') || quarter === 4;
  const kind = quarter === 1 ? lastYear : quarters;
  return {
    from: `${quarter === 4 ? start + 1 : start}-${first}-${kind === 'standard' ? '06' : '01'}`,
    to: `${isNextYear ? start + 1 : start}-${last}`,
  };
}

/** The days from the beginning of the tax year to the end of the quarter. */
export function cumulativeDays(
  start: number,
  quarter: Quarter,
  quarters: Quarters,
  lastYear: Quarters = quarters,
): Days {
  const { from } = quarterDays(start, 1, quarters, lastYear);
  return { from, to: quarterDays(start, quarter, quarters).to };
}

/** A quarterly update: the days that it covers, and the last day for sending it. */
export interface Update extends Days {
  quarter: Quarter;
  deadline: string;
  /** Today is in its quarter (open), before, after it and at most at the deadline (due), or later. */
  state: 'to come' | 'open' | 'due' | 'past';
}

export const STATE_TEXTS: Record<Update['state'], string> = {
  'to come': 'to come',
  open: 'its quarter is open today',
  due: 'due now',
  past: 'past',
};

/** The updates of a tax year. @param today `YYYY-MM-DD` */
export function updatesOf(start: number, quarters: Quarters, lastYear: Quarters, today: string): Update[] {
  return QUARTERS.map((quarter) => {
    const days = quarterDays(start, quarter, quarters, lastYear);
    const deadline = `${quarter > 2 ? start + 1 : start}-${DEADLINES[quarter - 1]}`;
    const state =
      today < days.from ? 'to come' : today <= days.to ? 'open' : today <= deadline ? 'due' : 'past';
    return { quarter, ...cumulativeDays(start, quarter, quarters, lastYear), deadline, state };
  });
}
