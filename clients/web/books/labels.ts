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

/** Names that are no categories. */
const NAMES: Record<string, string> = {
  consolidatedExpenses: 'The sum of all expenses',
  propertyId: "HMRC's id of the property",
  countryCode: "HMRC's code of the country",
};
const PATH = String.raw`(?:(?:ukProperty|foreignProperty\.(\d+))\.)?(?:(?:income|expenses|periodIncome|periodExpenses)\.)?`;
const KEY = new RegExp(String.raw`(?<![\w."])${PATH}([a-z]+(?:[A-Z][a-z]*)+)(?:\.(\w)(\w+))?(?![\w"])`, 'g');

/** The text with labels in place of keys and of HMRC's fields, such as `foreignProperty.0.propertyId`. @param names of the properties */
export const withLabels = (
  text: string,
  { income, expense }: LabelsOfType,
  names: readonly string[],
): string =>
  text.replace(KEY, (found, index: string | undefined, key: string, initial = '', rest = '') => {
    const keys = [`${key}${initial.toUpperCase()}${rest}`, key];
    const [label] = keys.flatMap((each) => expense.get(each) ?? income.get(each) ?? NAMES[each] ?? []);
    const name = names[Number(index)];
    return label === undefined ? found : `${name === undefined ? '' : `${name}, `}${label}`;
  });

/** A key that the service no longer lists is shown as it is. */
export function categoryText(
  { type, category, source }: Pick<BooksEntry, 'type' | 'category'> & { source: Pick<Source, 'type'> },
  labels: CategoryLabels,
): string {
  if (category === null) return 'To be sorted in the app';
  return labels[source.type]?.[type].get(category) ?? category;
}
