/** The names of categories for people. */

import type { CategorySet, Source, SourceType, Transaction } from '../../typescript/index.ts';
import { capitalised } from '../page/format.ts';

/** An entry, with the property or business that it is of. */
export interface BooksEntry extends Transaction {
  source: Source;
}

/** By type and key: the same key can be in both. */
type LabelsOfType = Record<Transaction['type'], ReadonlyMap<string, string>>;
/** The same key can be in several source types, with another label in each. */
export type CategoryLabels = Partial<Record<SourceType, LabelsOfType>>;

export function labelsOf({ income, expense }: CategorySet): LabelsOfType {
  const byKey = (set: CategorySet['income']) =>
    new Map(set.map(({ key, label }) => [key, capitalised(label)]));
  return { income: byKey(income), expense: byKey(expense) };
}

/** A key that the service no longer lists is shown as it is. */
export function categoryText(
  { type, category, source }: Pick<BooksEntry, 'type' | 'category'> & { source: Pick<Source, 'type'> },
  labels: CategoryLabels,
): string {
  if (category === null) return 'To be sorted in the app';
  return labels[source.type]?.[type].get(category) ?? category;
}
