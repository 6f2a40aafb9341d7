/** Income and expense by month, and by longer periods where months would be too narrow to read. */
import { type SummedEntry, totalsBy } from '../../typescript/export/totals.ts';

/** In pence. Sums are bigint: amounts end at 2^53-1, their sums do not. */
export interface Sums {
  income: bigint;
  expense: bigint;
}

export interface Month extends Sums {
  /** `YYYY-MM` */
  month: string;
}

/** Months in a row, from `first` to `last`. */
export interface ChartPeriod extends Sums {
  first: string;
  last: string;
}

export interface Grouping {
  /** How many months each period has. */
  length: number;
  periods: ChartPeriod[];
}

/** A month, a quarter, a year, and so on to a century. */
const LENGTHS = [1, 3, 12, 60, 120, 1_200];

/** Longer gaps are left out of the table: its rows would be mostly zeros. */
const TABLE_MONTHS_MAX = 600;

/** The months that have entries, oldest first. */
export function monthsOf(entries: Iterable<SummedEntry>): Month[] {
  const totals = totalsBy('month');
  for (const entry of entries) totals.add(entry);
  return totals.groups().map(([month, { income, expense }]) => ({
    month: month ?? '',
    income: income.pence,
    expense: expense.pence,
  }));
}

/** The sum of months or periods. */
export function sumOfPeriods(all: Iterable<Sums>): Sums {
  const total = { income: 0n, expense: 0n };
  for (const { income, expense } of all) {
    total.income += income;
    total.expense += expense;
  }
  return total;
}

/**
 * The shortest periods that are few enough. A period without entries is one with 0.
 * @param months oldest first
 */
export function groupedMonths(months: readonly Month[], periodsMax: number): Grouping {
  const [first, last] = [months.at(0), months.at(-1)];
  if (!first || !last) return { length: 1, periods: [] };
  const countOf = (length: number) =>
    Math.floor(monthsSinceZero(last.month) / length) - Math.floor(monthsSinceZero(first.month) / length) + 1;
  const length = LENGTHS.find((each) => countOf(each) <= periodsMax) ?? LENGTHS.at(-1) ?? 1;
  const start = Math.floor(monthsSinceZero(first.month) / length);
  const periods = Array.from({ length: countOf(length) }, (_, index): ChartPeriod => {
    const from = (start + index) * length;
    return { first: monthOf(from), last: monthOf(from + length - 1), income: 0n, expense: 0n };
  });
  for (const { month, income, expense } of months) {
    const period = periods[Math.floor(monthsSinceZero(month) / length) - start];
    if (!period) continue;
    period.income += income;
    period.expense += expense;
  }
  return { length, periods };
}

/** The rows of the table: every month from the first to the last, or of very long times only those with entries. */
export function tableMonths(months: readonly Month[]): readonly Month[] {
  const { length, periods } = groupedMonths(months, TABLE_MONTHS_MAX);
  return length === 1 ? periods.map(({ first, ...sums }) => ({ month: first, ...sums })) : months;
}

/** Months since January of the year 0. */
export const monthsSinceZero = (month: string): number =>
  Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

function monthOf(number: number): string {
  const year = Math.min(Math.floor(number / 12), 9_999);
  return `${String(year).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
}
