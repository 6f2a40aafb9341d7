/** The categories of the account, with the labels that the page shows. */

import type { EntryType } from '../../typescript/import/options.ts';
import type { CategorySet, SourceType } from '../../typescript/index.ts';
import { NO_CATEGORY } from '../books/labels.ts';
import { capitalised } from '../page/format.ts';
import type { ImportState } from './state.ts';

/** The categories as the page shows them. */
export function withCapitals(sets: Record<SourceType, CategorySet>): Record<SourceType, CategorySet> {
  const named = (categories: CategorySet['income']) =>
    categories.map(({ key, label }) => ({ key, label: capitalised(label) }));
  const entries = Object.entries(sets).map(([type, { income, expense }]) => [
    type,
    { income: named(income), expense: named(expense) },
  ]);
  return Object.fromEntries(entries);
}

/** The categories of the chosen source. */
export const chosenCategories = ({ source, allCategories }: ImportState): CategorySet | undefined =>
  source && allCategories?.[source.type];

/** The categories of an amount. If each row has its own property, it may be one of any type. @param sourceId its property or business, if it is known */
export function categoriesOfAmount(
  { sources, source, allCategories }: Pick<ImportState, 'sources' | 'source' | 'allCategories'>,
  direction: keyof CategorySet,
  sourceId?: string,
): CategorySet[typeof direction] {
  const property = sources.find(({ id }) => id === sourceId) ?? source;
  return (property ? [property] : sources).flatMap(({ type }) => allCategories?.[type]?.[direction] ?? []);
}

/** @param property the id or the name of the property or business */
export function shownCategory(
  { sources, allCategories }: Pick<ImportState, 'sources' | 'allCategories'>,
  property: string | undefined,
  type: EntryType,
  key: string | null | undefined,
): string {
  if (!key) return NO_CATEGORY;
  const source = sources.find(({ id, name }) => id === property || name === property);
  const labels = source && allCategories?.[source.type]?.[type];
  return labels?.find((category) => category.key === key)?.label ?? key;
}
