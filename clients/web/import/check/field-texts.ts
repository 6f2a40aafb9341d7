/** The texts of a row: in the table, in its editor, and for the search. */

import type { CorrectedField } from '../../../typescript/import/index.ts';
import type { EntryType } from '../../../typescript/import/options.ts';
import type { CategorySet } from '../../../typescript/index.ts';
import { plainPounds } from '../../../typescript/pounds.ts';
import { dateText, poundsText } from '../../page/format.ts';
import { hasWords, plain } from '../../page/text-search.ts';
import type { CheckRow, RowContent } from './rows.ts';

/** Finds the rows with every word of a text in what they show; capitals and accents do not count. */
export function searchIn(
  rows: readonly CheckRow[],
  categories: CategorySet | undefined,
): (text: string) => readonly CheckRow[] {
  let shown: string[] | undefined;
  return (text) => {
    const isFound = hasWords(text);
    if (!isFound) return rows;
    // Formatting takes most of the time: once for all searches.
    shown ??= rows.map((row) => {
      const texts = ROW_FIELDS.map((field) => fieldText(row, field, categories));
      return plain([row.file, ...texts, editText(row, 'date'), editText(row, 'amount')].join('\n'));
    });
    return rows.filter((_, index) => isFound(shown?.[index] ?? ''));
  };
}

/** The fields of a row with their labels, in the order of the table. */
export const FIELD_LABELS: Readonly<Record<CorrectedField, string>> = {
  date: 'Date',
  description: 'Description',
  type: 'Type',
  amount: 'Amount',
  source: 'Property or business',
  category: 'Category',
};

export const ROW_FIELDS = Object.keys(FIELD_LABELS) as readonly CorrectedField[];

/** The first text of an editor of this field. */
export function editText({ entry, source, texts }: RowContent, field: CorrectedField): string {
  if (!entry) return texts[field] ?? '';
  switch (field) {
    case 'amount':
      return plainPounds(entry.amountPence);
    case 'category':
      return entry.category ?? '';
    case 'description':
      return entry.description ?? '';
    case 'source':
      return source?.name ?? '';
    default:
      return entry[field];
  }
}

/** The text of this field in the table; empty if the row has none. */
export function fieldText(
  content: RowContent,
  field: CorrectedField,
  categories: CategorySet | undefined,
): string {
  const { entry } = content;
  const own = content.source?.categories ?? categories;
  const text = editText(content, field);
  switch (field) {
    case 'date':
      return entry ? dateText(entry.date) : text;
    case 'amount':
      return entry ? poundsText(entry.amountPence) : text;
    case 'type':
      return { income: 'Income', expense: 'Expense' }[text] ?? text;
    case 'category':
      if (content.parts.length > 0) return content.parts.map((part) => partText(part, own)).join(', ');
      return labelOfKey(text, rowType(content), own);
    default:
      return text;
  }
}

/** The type of a row, by its entry or by its text. Undefined if neither has one. */
export function rowType({ entry, texts }: RowContent): EntryType | undefined {
  const type = entry?.type ?? texts.type;
  return type === 'income' || type === 'expense' ? type : undefined;
}

function partText(
  { entry, isLeftOut }: RowContent['parts'][number],
  categories: CategorySet | undefined,
): string {
  const { type, amountPence, category = '' } = entry;
  const label = category === '' ? 'to be sorted in the app' : labelOfKey(category, type, categories);
  const sign = type === 'income' ? '' : '-';
  return `${sign}${poundsText(amountPence)} ${isLeftOut ? 'left out' : label}`;
}

function labelOfKey(
  key: string,
  type: ReturnType<typeof rowType>,
  categories: CategorySet | undefined,
): string {
  const all = type ? categories?.[type] : [...(categories?.income ?? []), ...(categories?.expense ?? [])];
  return all?.find((category) => category.key === key)?.label ?? key;
}
