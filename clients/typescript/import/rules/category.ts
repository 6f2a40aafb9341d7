/** Categories by key or label, checked against the categories of the source's type. */
import { distance } from 'fastest-levenshtein';
import type { CategorySet } from '../../resources.ts';
import { ImportError } from '../import-error.ts';
import type { EntryType, ImportOptionName, SourceWithCategories } from '../options.ts';

type CategoryResult = { key: string } | { problem: string };

export interface CategoryReader {
  /** The key of a valid category for the type of entry, or the problem. */
  read(text: string, type: EntryType): CategoryResult;
  /** Whether the category exists for either type, and a suggestion if it does not. */
  check(text: string): string | undefined;
}

/** A refund of an expense is income. */
export const OTHER_TYPE = { income: 'expense', expense: 'income' } as const;

export type CategoryReaders = (source: SourceWithCategories | undefined) => CategoryReader;

/** Returns the reader of the categories of each source. Without sources, a category is an unchecked key. */
export function categoryReaders(): CategoryReaders {
  const readers = new Map<SourceWithCategories | undefined, CategoryReader>();
  return (source) => {
    const reader = readers.get(source) ?? categoryReader(source?.categories);
    readers.set(source, reader);
    return reader;
  };
}

/** @throws ImportError `unknown_category` if an option names a category that none of the sources has for this type of entry */
export function requireCategory(
  text: string,
  type: EntryType,
  readers: readonly CategoryReader[],
  { option, prefix = '' }: { option: ImportOptionName; prefix?: string },
): void {
  const reads = readers.map((reader) => reader.read(text, type));
  const [first] = reads;
  if (first && 'problem' in first && reads.every((read) => 'problem' in read))
    throw new ImportError('unknown_category', `${prefix}${first.problem}`, option);
}

/** Without `categories`, every text is a key. */
export function categoryReader(categories: CategorySet | undefined): CategoryReader {
  if (!categories) return { read: (text) => ({ key: text }), check: () => undefined };
  const byName = { income: index(categories.income), expense: index(categories.expense) };
  const both = new Map([...byName.income, ...byName.expense]);
  const labels = new Map([...categories.income, ...categories.expense].map(({ key, label }) => [key, label]));
  const nameOf = (key: string) => `${labels.get(key)} (${key})`;
  return {
    read(text, type) {
      const name = text.trim().toLowerCase();
      const key = byName[type].get(name);
      if (key !== undefined) return { key };
      if (byName[OTHER_TYPE[type]].has(name))
        return { problem: `"${text}" is a category of ${OTHER_TYPE[type]}, and the entry is ${type}.` };
      return { problem: unknown(text, byName[type], nameOf) };
    },
    check(text) {
      const name = text.trim().toLowerCase();
      if (byName.income.has(name) || byName.expense.has(name)) return undefined;
      return unknown(text, both, nameOf);
    },
  };
}

/** Keys by the lower case of the key and of the label. A key precedes a label of the same text. */
function index(categories: { key: string; label: string }[]): Map<string, string> {
  const names = new Map(categories.map(({ key, label }) => [label.trim().toLowerCase(), key]));
  for (const { key } of categories) names.set(key.toLowerCase(), key);
  return names;
}

function unknown(text: string, keys: Map<string, string>, nameOf: (key: string) => string): string {
  const names = [...keys.keys()];
  const name = text.trim().toLowerCase();
  const awayMax = (candidate: string) => Math.max(2, candidate.length / 3);
  const nearest = names
    // The distance of two texts is at least the difference of their lengths. Computing it takes most of the time of a row.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= awayMax(candidate))
    .map((candidate) => ({ candidate, away: distance(name, candidate) }))
    .filter(({ candidate, away }) => away <= awayMax(candidate))
    .sort((one, two) => one.away - two.away)[0];
  const byWord = names.find(
    (candidate) => name.length > 2 && candidate.includes(name) && candidate.split(/\W+/).includes(name),
  );
  const suggestion = nearest?.candidate ?? byWord;
  const help =
    suggestion === undefined
      ? ` The categories are ${[...new Set(keys.values())].map(nameOf).join(', ')}.`
      : ` Did you mean ${nameOf(keys.get(suggestion) ?? '')}?`;
  return `There is no category "${text.slice(0, 100)}" for this source.${help}`;
}
