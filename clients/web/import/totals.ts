/** Sums of the entries that will be pushed, in pence. */
import type { ReadEntry } from '../../typescript/import/index.ts';

export interface MonthTotal {
  /** `YYYY-MM` */
  month: string;
  income: bigint;
  expense: bigint;
}

/** By month, oldest first. Months without entries between two others are there too. */
export function monthTotals(entries: readonly Pick<ReadEntry, 'entry'>[]): MonthTotal[] {
  const totals = new Map<string, MonthTotal>();
  for (const { entry } of entries) {
    const month = entry.date.slice(0, 7);
    const total = totals.get(month) ?? { month, income: 0n, expense: 0n };
    total[entry.type] += BigInt(entry.amountPence);
    totals.set(month, total);
  }
  const months = [...totals.keys()].sort();
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = monthsBetween(first, last);
  // A wrong year in one row must not make thousands of empty months.
  const shown = all.length > 120 ? months : all;
  return shown.map((month) => totals.get(month) ?? { month, income: 0n, expense: 0n });
}

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = first.split('-').map(Number);
  for (let text = first; text <= last && months.length <= 120; ) {
    months.push(text);
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year += 1;
    text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  }
  return months;
}

export function sumOf(months: readonly MonthTotal[], type: 'income' | 'expense'): bigint {
  return months.reduce((sum, each) => sum + each[type], 0n);
}
