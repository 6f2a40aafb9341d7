/** A landlord's sources, and what rules make of a statement. */
import type {
  ImportOptions,
  ImportResult,
  SourceWithCategories,
} from '../../../../clients/typescript/import/index.ts';
import { CATEGORIES, type SourceType } from '../../../../proto/domain.ts';
import { readText } from './files.ts';

const sourceOf = (name: string, type: SourceType = 'uk-property'): SourceWithCategories => ({
  id: `id of ${name}`.toLowerCase(),
  name,
  categories: { income: [...CATEGORIES[type].income], expense: [...CATEGORIES[type].expense] },
});

export const SOURCES = [
  sourceOf('12 Acacia Avenue'),
  sourceOf('Flat 3, Mill Lane'),
  sourceOf('27 Station Road'),
  sourceOf('Web design', 'self-employment'),
];

/** @param rows `date,description,amount` and more */
export function plan(
  rules: string | readonly string[],
  rows: readonly string[],
  { header = 'Date,Description,Amount', ...options }: ImportOptions & { header?: string } = {},
): Promise<ImportResult> {
  const text = [header, ...rows].join('\n');
  return readText(text, { sources: SOURCES, rules: [rules].flat().join('\n'), ...options });
}

/** `row[#part] source / category ±pounds`, and `(line) …` for what a rule leaves out. */
export function planned({ entries, leftOut }: Pick<ImportResult, 'entries' | 'leftOut'>): string[] {
  const amount = (type: string, pence: number) =>
    `${type === 'income' ? '+' : '-'}${(pence / 100).toFixed(2)}`;
  const place = (row: number, part: number | undefined) => `${row}${part === undefined ? '' : `#${part}`}`;
  const lines = [
    ...entries.map(({ row, part, source, entry: { type, amountPence, category } }) => ({
      row,
      part,
      text: `${source?.name} / ${category ?? '?'} ${amount(type, amountPence)}`,
    })),
    ...leftOut.map(({ row, part, rule, type, amountPence }) => ({
      row,
      part,
      text: `left out by ${rule} ${amount(type, amountPence)}`,
    })),
  ].sort((one, two) => one.row - two.row || (one.part ?? 0) - (two.part ?? 0));
  return lines.map(({ row, part, text }) => `${place(row, part)} ${text}`);
}

export const problems = ({ invalid }: ImportResult): string[] =>
  invalid.map(({ row, field, message }) => `${row} ${field}: ${message}`);
