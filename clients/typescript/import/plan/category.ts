/** Categories by key or label, checked against the categories of the source's type. */
import { distance } from 'fastest-levenshtein';
import type { Categories } from '../options.ts';

type EntryType = 'income' | 'expense';
export type ReadCategory = { key: string } | { problem: string };

export interface CategoryReader {
  /** The key of a valid category for the type of entry, or the problem. */
  read(text: string, type: EntryType): ReadCategory;
  /** Whether the category exists for either type, and a suggestion if it does not. */
  check(text: string): string | undefined;
}

/** Without `categories`, every text is a key. */
export function categoryReader(categories: Categories | undefined): CategoryReader {
  if (!categories) return { read: (text) => ({ key: text }), check: () => undefined };
  const byName = { income: index(categories.income), expense: index(categories.expense) };
  const both = new Map([...byName.income, ...byName.expense]);
  const labels = new Map([...categories.income, ...categories.expense].map(({ key, label }) => [key, label]));
  const nameOf = (key: string) => `${labels.get(key)} (${key})`;
  const other = { income: 'expense', expense: 'income' } as const;
  return {
    read(text, type) {
      const name = text.trim().toLowerCase();
      const key = byName[type].get(name);
      if (key !== undefined) return { key };
      if (byName[other[type]].has(name))
        return { problem: `"${text}" is a category of ${other[type]}, and the entry is ${type}.` };
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
