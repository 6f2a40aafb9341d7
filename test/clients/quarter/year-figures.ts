/** The figures of the made-up year, added up from its payments. */
import { SOURCES } from './landlord.ts';
import { type Payment, percentOf } from './year-model.ts';

export const QUARTERS = {
  standard: [
    ['2026-04-06', '2026-07-05'],
    ['2026-07-06', '2026-10-05'],
    ['2026-10-06', '2027-01-05'],
    ['2027-01-06', '2027-04-05'],
  ],
  calendar: [
    ['2026-04-01', '2026-06-30'],
    ['2026-07-01', '2026-09-30'],
    ['2026-10-01', '2026-12-31'],
    ['2027-01-01', '2027-03-31'],
  ],
} as const;

export interface Figures {
  /** By `type category`. */
  lines: Map<string, { pence: number; sharePence: number }>;
  /** What has no category and is no refund of the rules. */
  without: { count: number; incomePence: number; expensePence: number };
}

/** Of the days `from` to `to`, both included. Without rules no refund is set against a category. */
export interface Selection {
  from: string;
  to: string;
  hasRules: boolean;
}

/** Of one source. */
export function figuresOfSource(payments: readonly Payment[], name: string, selection: Selection): Figures {
  const { from, to, hasRules } = selection;
  const sharePercent = SOURCES.find((source) => source.name === name)?.sharePercent ?? Number.NaN;
  const without = { count: 0, incomePence: 0, expensePence: 0 };
  const sums = new Map<string, number>();
  const add = (line: string, pence: number) => sums.set(line, (sums.get(line) ?? 0) + pence);
  const within = payments.filter(({ date }) => date >= from && date <= to);
  for (const { source, type, category, pence, refundOf } of within.flatMap(({ entries }) => entries)) {
    if (source !== name) continue;
    if (category !== null) add(`${type} ${category}`, pence);
    else if (hasRules && refundOf) add(`${type === 'income' ? 'expense' : 'income'} ${refundOf}`, -pence);
    else {
      without.count++;
      without[`${type}Pence`] += pence;
    }
  }
  const shareOf = (pence: number) => Math.sign(pence) * percentOf(Math.abs(pence), sharePercent, 100);
  const lines = [...sums].map(([line, pence]) => [line, { pence, sharePence: shareOf(pence) }] as const);
  return { lines: new Map(lines), without };
}
