/** Tax years and their quarters, for the quarterly updates of Making Tax Digital. */

/** `YYYY-MM-DD`, both inclusive. */
export interface Days {
  from: string;
  to: string;
}

export const QUARTERS = [1, 2, 3, 4] as const;
export type Quarter = (typeof QUARTERS)[number];

/** From the 6th of a month to the 5th, or calendar months, by the taxpayer's choice. */
export type Quarters = 'standard' | 'calendar';

const STARTS = ['04', '07', '10', '01'] as const;
const ENDS = {
  standard: ['07-05', '10-05', '01-05', '04-05'],
  calendar: ['06-30', '09-30', '12-31', '03-31'],
} as const;

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

/** For example `2026-27`. */
export const taxYearName = (start: number) => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

export function quarterDays(start: number, quarter: Quarter, quarters: Quarters): Days {
  const [last, first] = [ENDS[quarters][quarter - 1] as string, STARTS[quarter - 1] as string];
  const isNextYear = last.startsWith('01') || quarter === 4;
  return {
    from: `${quarter === 4 ? start + 1 : start}-${first}-${quarters === 'standard' ? '06' : '01'}`,
    to: `${isNextYear ? start + 1 : start}-${last}`,
  };
}

/** From the beginning of the tax year to the end of the quarter. */
export function cumulativeDays(start: number, quarter: Quarter, quarters: Quarters): Days {
  return { from: quarterDays(start, 1, quarters).from, to: quarterDays(start, quarter, quarters).to };
}
