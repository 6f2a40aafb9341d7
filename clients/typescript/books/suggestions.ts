/** Rules that the books suggest: a payee whose entries have always had one source and category. An offer, never applied by itself. */
import { comparable } from '../import/plan/rules.ts';
import type { StoredEntry } from './stored-books.ts';

export interface Suggestion {
  /** The words that the descriptions begin with. */
  payee: string;
  type: 'income' | 'expense';
  /** The name of the source. */
  source: string;
  /** A key. */
  category: string;
  /** How many entries say so. */
  entries: number;
}

/** Fewer may be chance. */
const ENTRIES_MIN = 2;
const LETTERS_MIN = 3;

/** What a payee is called: the first words, up to one with a digit, which is a date or a number. Undefined if there are none. */
export function payeeOf(description: string): string | undefined {
  const [words = ''] = /^(?:[^\s\d"]+(?:\s+|$))*/.exec(comparable(description)) ?? [];
  const payee = words.trim();
  return payee.replace(/\P{L}/gu, '').length >= LETTERS_MIN ? payee : undefined;
}

/** The suggestions for the descriptions of a file that nothing decides about. None contradicts a stored entry. */
export function suggestionsFor(
  open: Iterable<{ description: string; type: 'income' | 'expense' }>,
  books: Iterable<StoredEntry>,
): Suggestion[] {
  const stored = [...books]
    .map((each) => ({ ...each, text: comparable(each.stored.description ?? '') }))
    .sort((one, two) => (one.text < two.text ? -1 : 1));
  const suggestions = new Map<string, Suggestion | undefined>();
  for (const { description, type } of open) {
    const payee = payeeOf(description);
    const key = `${type} ${payee}`;
    if (payee === undefined || suggestions.has(key)) continue;
    const same = startingWith(stored, payee).filter((each) => each.stored.type === type);
    suggestions.set(key, same.length < ENTRIES_MIN ? undefined : agreed(same, payee, type));
  }
  return [...suggestions.values()].filter((each) => each !== undefined);
}

function agreed(
  entries: readonly StoredEntry[],
  payee: string,
  type: Suggestion['type'],
): Suggestion | undefined {
  const [first] = entries as [StoredEntry];
  const { source, stored } = first;
  const isSame = (each: StoredEntry) =>
    each.source.id === source.id && each.stored.category === stored.category;
  if (stored.category === null || !entries.every(isSame)) return undefined;
  return { payee, type, source: source.name, category: stored.category, entries: entries.length };
}

/** The entries whose text begins with `prefix`. @param sorted by text */
function startingWith<Item extends { text: string }>(sorted: readonly Item[], prefix: string): Item[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Item).text < prefix) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (sorted[end]?.text.startsWith(prefix)) end++;
  return sorted.slice(low, end);
}

/** The suggestion as a line of a rules file. */
export function ruleOf({ payee, type, source, category, entries }: Suggestion): string {
  const name = /[/,#"]/.test(source) ? `"${source.replaceAll('"', '""')}"` : source;
  return `description starts with "${payee}" and type is ${type} -> ${name} / ${category}  # as ${entries} entries`;
}

/** The rules with the suggestions after them, before the one for all other rows: whatever a rule decides stays so. */
export function withSuggestions(rules: string, suggestions: readonly Suggestion[]): string {
  const lines = rules.split(/\r\n?|\n/);
  const otherwise = lines.findIndex((line) => /^\s*otherwise\b/i.test(line));
  const at = otherwise === -1 ? lines.length : otherwise;
  return [...lines.slice(0, at), ...suggestions.map(ruleOf), ...lines.slice(at)].join('\n');
}
