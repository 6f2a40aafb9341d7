/** Sums of entries by category. */
import { totalsBy } from '../../typescript/export/totals.ts';
import type { CategoryLabels } from '../../typescript/figures/naming.ts';
import { type BooksEntry, categoryText } from './labels.ts';

/** Income first, each with the largest sum first. Categories of one name are one, whatever the type of their source. */
export function categoryTotals(entries: Iterable<BooksEntry>, labels: CategoryLabels) {
  const totals = totalsBy('category');
  for (const entry of entries) totals.add({ ...entry, category: categoryText(entry, labels) });
  return (['income', 'expense'] as const).flatMap((type) =>
    totals
      .groups()
      .map(([name, ofCategory]) => ({ type, name: name ?? '', ...ofCategory[type] }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => (one.pence > other.pence ? -1 : 1)),
  );
}
