/** Sums by month of the entries that will be pushed, in pence. */
import { totalsBy } from '../../typescript/books/totals.ts';
import type { ReadEntry } from '../../typescript/import/index.ts';

export interface MonthTotal {
  /** `YYYY-MM` */
  month: string;
  income: bigint;
  expense: bigint;
}

/** More are shown without the empty ones: a wrong year in one row must not make thousands of them. */
const MONTHS_MAX = 120;

/** By month, oldest first, with the empty months between them. */
export function monthTotals(entries: readonly Pick<ReadEntry, 'entry'>[]): MonthTotal[] {
  const totals = totalsBy('month');
  for (const { entry } of entries) totals.add(entry);
  const found = new Map<string, MonthTotal>();
  for (const [month, { income, expense }] of totals.groups()) {
    if (month !== null) found.set(month, { month, income: income.pence, expense: expense.pence });
  }
  const months = [...found.keys()];
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = monthsBetween(first, last);
  const shown = all.length > MONTHS_MAX ? months : all;
  return shown.map((month) => found.get(month) ?? { month, income: 0n, expense: 0n });
}

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = first.split('-').map(Number);
  for (let text = first; text <= last && months.length <= MONTHS_MAX; ) {
    months.push(text);
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year += 1;
    text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  }
  return months;
}
