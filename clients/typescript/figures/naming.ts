/** The names in texts about figures: labels of the service for people, its keys and HMRC's fields for programs. */
import type { EntryType } from '../import/options.ts';
import type { SourceType } from '../resources.ts';
import { CONSOLIDATED, SUMMARY_RULES } from './fields.ts';
import type { BusinessFigures, CategoryOfType } from './period-figures.ts';
import { wholeOf } from './update.ts';
import type { Violation } from './violations.ts';
import type { PeriodFigures } from './year.ts';

/** The labels by type and key. The same key can be in both types. */
type LabelsOfType = Record<EntryType, ReadonlyMap<string, string>>;
/** The same key can be in several source types, with another label in each. */
export type CategoryLabels = Partial<Record<SourceType, LabelsOfType>>;

export interface Naming {
  category: (category: CategoryOfType) => string;
  consolidated: string;
  /** The place of a violation; empty for the whole summary. */
  field: (violation: Violation) => string;
}

export const KEY_NAMING: Naming = {
  category: ({ category }) => category,
  consolidated: CONSOLIDATED.path,
  field: ({ field }) => field,
};

/** Writes labels of the service with a capital, where they stand alone. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Labelled = Record<EntryType, readonly { key: string; label: string }[]>;

/** The labels of the categories, by the types of sources. @param sets as the service lists them */
export function categoryLabels(sets: Readonly<Record<string, Labelled>>): CategoryLabels {
  const byKey = (set: Labelled[EntryType]) => new Map(set.map(({ key, label }) => [key, capitalised(label)]));
  return Object.fromEntries(
    Object.entries(sets).map(([type, { income, expense }]) => [
      type,
      { income: byKey(income), expense: byKey(expense) },
    ]),
  );
}

/** A key that the service no longer lists is shown as it is. */
export const categoryLabel = (
  labels: CategoryLabels,
  sourceType: SourceType,
  { type, category }: CategoryOfType,
): string => labels[sourceType]?.[type].get(category) ?? category;

const CONSOLIDATED_LABEL = 'The sum of all expenses';
/** Names of fields that are no categories. */
const OTHER_FIELD_LABELS: Record<string, string> = {
  [CONSOLIDATED.path]: CONSOLIDATED_LABEL,
  propertyId: "HMRC's id of the property",
  countryCode: "HMRC's code of the country",
};

/** Labels for the texts about a business. Of property abroad, they name the properties too. */
export function labelNaming(
  labels: CategoryLabels,
  business: BusinessFigures,
  period: PeriodFigures,
): Naming {
  const { type } = business;
  const category = (each: CategoryOfType) => categoryLabel(labels, type, each);
  const labelAt = (field: string) => {
    const [, side, path] = /(income|expenses)\.(.+)$/i.exec(field) ?? [];
    const entryType = side?.toLowerCase() === 'income' ? 'income' : 'expense';
    const fields = Object.entries(SUMMARY_RULES[type]?.[entryType] ?? {});
    const [key] = fields.find(([, rule]) => rule?.path === path) ?? [];
    if (key !== undefined) return category({ type: entryType, category: key });
    return OTHER_FIELD_LABELS[path ?? field.split('.').at(-1) ?? ''] ?? field;
  };
  const { sources } = wholeOf(business, period);
  return {
    category,
    consolidated: CONSOLIDATED_LABEL,
    field: ({ field, sourceIds }) => {
      const properties = sources.flatMap(({ source: { id, name } }) => (sourceIds.includes(id) ? name : []));
      return [...(type === 'foreign-property' && field !== '' ? properties : []), labelAt(field)].join(', ');
    },
  };
}
