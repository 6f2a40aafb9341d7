/** The names of categories for people. */

import type { CategorySet, Transaction } from '../../typescript/index.ts';
import { capitalised } from '../format.ts';

/** By type and key: the same key can be in both. */
export type CategoryLabels = Record<Transaction['type'], ReadonlyMap<string, string>>;

export const NO_LABELS: CategoryLabels = { income: new Map(), expense: new Map() };

export function labelsOf({ income, expense }: CategorySet): CategoryLabels {
  const byKey = (set: CategorySet['income']) =>
    new Map(set.map(({ key, label }) => [key, capitalised(label)]));
  return { income: byKey(income), expense: byKey(expense) };
}

/** A key that the service no longer lists is shown as it is. */
export function categoryText(
  { type, category }: Pick<Transaction, 'type' | 'category'>,
  labels: CategoryLabels,
): string {
  return category === null ? 'In the review queue' : (labels[type].get(category) ?? category);
}
