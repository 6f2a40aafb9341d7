/** Sums of entries by category. */
import { totalsBy } from '../../typescript/books/totals.ts';
import type { Transaction } from '../../typescript/index.ts';

export interface CategoryTotal extends Pick<Transaction, 'type' | 'category'> {
  count: number;
  pence: bigint;
}

/** Income first, each with the largest sum first. */
export function categoryTotals(entries: Iterable<Transaction>): CategoryTotal[] {
  const totals = totalsBy('category');
  for (const entry of entries) totals.add(entry);
  return (['income', 'expense'] as const).flatMap((type) =>
    totals
      .groups()
      .map(([category, ofCategory]) => ({ type, category, ...ofCategory[type] }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => (one.pence > other.pence ? -1 : 1)),
  );
}
