/** Periods and amounts of the chart as texts in the visitor's English. */
import { DAY, LOCALE, MONTH, monthText, poundsText } from '../page/format.ts';
import { type ChartPeriod, type Grouping, monthsSinceZero, sumOfPeriods } from './months.ts';

const YEARS_FORMAT = new Intl.DateTimeFormat(LOCALE, { ...DAY, year: 'numeric' });
const MONTH_ALONE = new Intl.DateTimeFormat(LOCALE, { ...DAY, month: 'short' });

const POUND_FORMAT = { style: 'currency', currency: 'GBP' } as const;
const TICK = new Intl.NumberFormat(LOCALE, { ...POUND_FORMAT, minimumFractionDigits: 0 });
const TICK_WITH_PENCE = new Intl.NumberFormat(LOCALE, POUND_FORMAT);
const TICK_SHORT = new Intl.NumberFormat(LOCALE, { ...POUND_FORMAT, notation: 'compact' });
/** From this many pounds on, a tick is shown as thousands or millions. */
const SHORT_FROM = 10_000;

const PERIOD_NAMES: Record<number, string> = {
  1: 'month',
  3: 'quarter',
  12: 'year',
  120: 'decade',
  1200: 'century',
};

/** `month`, `quarter`, `5-year period` */
export const periodName = (length: number): string => PERIOD_NAMES[length] ?? `${length / 12}-year period`;

const firstDayOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** `May 2025`, `Apr – Jun 2025`, `2025`, `2020 – 2029` */
export function barName({ first, last }: ChartPeriod, length: number): string {
  if (length === 1) return monthText(first);
  const format = length < 12 ? MONTH : YEARS_FORMAT;
  return length === 12
    ? format.format(firstDayOf(first))
    : format.formatRange(firstDayOf(first), firstDayOf(last));
}

/** The text under a bar: the month, with its year when it is January or the first one; or the year. */
export function tickText({ first }: ChartPeriod, length: number, isFirst: boolean): string {
  if (length >= 12) return YEARS_FORMAT.format(firstDayOf(first));
  const month = MONTH_ALONE.format(firstDayOf(first));
  return isFirst || monthsSinceZero(first) % 12 === 0
    ? `${month}\n${YEARS_FORMAT.format(firstDayOf(first))}`
    : month;
}

/** The amounts beside the chart, all in one form. Those below zero are expenses, and shown as the amounts that they are. */
export function amountTicks(amounts: readonly number[]): string[] {
  const most = Math.max(...amounts.map(Math.abs));
  const hasPence = amounts.some((amount) => !Number.isInteger(amount));
  const format = most >= SHORT_FROM ? TICK_SHORT : hasPence ? TICK_WITH_PENCE : TICK;
  return amounts.map((amount) => format.format(Math.abs(amount)));
}

/** The chart in words, for people who do not see it. */
export function chartInWords({ length, periods }: Grouping): string {
  const [first, last] = [periods.at(0), periods.at(-1)];
  if (!first || !last) return 'Bar chart without entries.';
  const { income, expense } = sumOfPeriods(periods);
  const text = [`Bar chart of income and expense by ${periodName(length)}, ${barName(first, length)}`];
  if (first !== last) text.push(` to ${barName(last, length)}`);
  text.push(`. Income ${poundsText(income)}, expense ${poundsText(expense)}.`);
  if (periods.length > 1) text.push(highest(periods, length, 'income'), highest(periods, length, 'expense'));
  return text.join('');
}

function highest(periods: readonly ChartPeriod[], length: number, type: 'income' | 'expense'): string {
  const most = periods.reduce((best, period) => (period[type] > best[type] ? period : best));
  return most[type] > 0n ? ` Most ${type}: ${poundsText(most[type])} in ${barName(most, length)}.` : '';
}
