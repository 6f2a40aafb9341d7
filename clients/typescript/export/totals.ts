/** Sums of entries by type, month and category. Sums are bigint: amounts end at 2^53-1, their sums do not. */
import type { EntryType } from '../import/options.ts';

/** The fields of an entry that a sum needs, from a file or the books. */
export interface SummedEntry {
  date: string;
  type: EntryType;
  amountPence: number;
  category?: string | null | undefined;
}

/** The number of entries, and their sum in pence. */
export interface Total {
  count: number;
  pence: bigint;
}
export type Totals = Record<SummedEntry['type'], Total>;
/** A month as `2026-04`, or the key of a category; null without a category. */
type Group = string | null;
type GroupBy = 'month' | 'category';

function emptyTotals(): Totals {
  return { income: { count: 0, pence: 0n }, expense: { count: 0, pence: 0n } };
}

function addToTotals(totals: Totals, { type, amountPence }: SummedEntry): void {
  totals[type].count++;
  totals[type].pence += BigInt(amountPence);
}

/** The sums of income and expense. */
export function totalsOf(entries: Iterable<SummedEntry>): Totals {
  const totals = emptyTotals();
  for (const entry of entries) addToTotals(totals, entry);
  return totals;
}

/** `income 20.00, expense 3,213.00`, without a type that has no entry. @param pounds the text of an amount */
export function sumsText(entries: Iterable<SummedEntry>, pounds: (pence: bigint) => string): string {
  const totals = totalsOf(entries);
  return (['income', 'expense'] as const)
    .filter((type) => totals[type].count > 0)
    .map((type) => `${type} ${pounds(totals[type].pence)}`)
    .join(', ');
}

/** Adds entries as they arrive. `groups` are in ascending order, null first. */
export function totalsBy(by: GroupBy) {
  const groups = new Map<Group, Totals>();
  const all = emptyTotals();
  return {
    all,
    add(entry: SummedEntry): void {
      const group = by === 'month' ? entry.date.slice(0, 7) : (entry.category ?? null);
      const totals = groups.get(group) ?? emptyTotals();
      groups.set(group, totals);
      addToTotals(totals, entry);
      addToTotals(all, entry);
    },
    groups(): [Group, Totals][] {
      return [...groups].sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
    },
  };
}

/** The number of all entries. */
export const countOf = ({ income, expense }: Totals) => income.count + expense.count;
/** Income less expense, in pence. */
export const netOf = ({ income, expense }: Totals) => income.pence - expense.pence;
