/** Rules that the books suggest: for a payee whose entries have always had one source and category. Never applied automatically. */
import type { Period } from '../days.ts';
import type { EntryType } from '../import/options.ts';
import type { ImportResult } from '../import/result.ts';
import { quoted } from '../import/rules/action.ts';
import { comparable } from '../import/rules/conditions.ts';
import { isWithoutSource } from '../import/rules/problems.ts';
import { linesOf } from '../import/rules/rules-text.ts';
import { originalOf, withoutConversion } from '../import/values/conversion.ts';
import { isDerivedFrom, isDerivedReference } from '../import/values/derived-reference.ts';
import { isPart, rowOfPart } from '../match/part-reference.ts';
import { daysOfFiles, type FileResult } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';

export interface Suggestion {
  /** The words that the descriptions begin with. */
  payee: string;
  type: EntryType;
  /** The name of the source. */
  source: string;
  /** A key. */
  category: string;
  /** The number of entries that support it. */
  entries: number;
}

/** Fewer entries may be chance. */
const ENTRIES_MIN = 2;
const LETTERS_MIN = 3;

/** The name of a payee: the first words, up to one with a digit, which is a date or a number. Undefined if there are none. */
export function payeeOf(description: string): string | undefined {
  const [words = ''] = /^(?:[^\s\d"]+(?:\s+|$))*/.exec(comparable(description)) ?? [];
  const payee = words.trim();
  return payee.replace(/\P{L}/gu, '').length >= LETTERS_MIN ? payee : undefined;
}

/** A row to suggest a rule for. */
interface UnsortedRow {
  row: number;
  description: string;
  type: EntryType;
}

/** The number of years before the files whose entries suggest rules. */
const YEARS = 1;

/** Rows that no rule and no column sorts: entries for the review queue, and rows without a source. */
export function unsortedRows({ entries, invalid }: Pick<ImportResult, 'entries' | 'invalid'>): UnsortedRow[] {
  const withoutCategory = entries.flatMap(({ row, entry: { category, description = '', type }, rule }) =>
    category === undefined && rule === undefined ? { row, description, type } : [],
  );
  const withoutSource = invalid.filter(isWithoutSource);
  const types = ['income', 'expense'] as const;
  return [
    ...withoutCategory,
    ...withoutSource.flatMap(({ row, value }) => types.map((type) => ({ row, description: value, type }))),
  ];
}

/** The period of the files and the year before. */
export function suggestingPeriod(files: readonly FileResult[]): Period {
  const { from, to } = daysOfFiles(files);
  return from === undefined ? {} : { from: yearsBefore(from), to };
}

function yearsBefore(day: string): string {
  const year = Math.max(Number(day.slice(0, 4)) - YEARS, 1);
  return `${String(year).padStart(4, '0')}-${day.slice(5) === '02-29' ? '02-28' : day.slice(5)}`;
}

/** The files that the suggestions are for. */
interface Files {
  /** Rows that rules leave out. */
  leftOut: readonly { description: string }[];
  /** The names of the bank accounts, which derived references include. */
  accounts: readonly string[];
}
const NO_FILES: Files = { leftOut: [], accounts: [] };

export const filesSuggestedFor = (
  results: readonly Pick<ImportResult, 'leftOut' | 'statements'>[],
): Files => ({
  leftOut: results.flatMap(({ leftOut }) => leftOut),
  accounts: results.flatMap(({ statements }) => statements.map(({ account }) => account)),
});

/** Suggests rules for unsorted rows. No suggestion contradicts a stored entry, or is for a payee with split or left out payments. */
export function suggestionsFor(
  unsorted: Iterable<Omit<UnsortedRow, 'row'>>,
  books: Iterable<StoredEntry>,
  files: Files = NO_FILES,
): Suggestion[] {
  const steps = suggestionSteps(unsorted, books, files);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The number of entries or rows of a step. */
const STEP = 1_000;

/** `suggestionsFor` in steps, between which a page can draw. */
export function* suggestionSteps(
  unsorted: Iterable<Omit<UnsortedRow, 'row'>>,
  books: Iterable<StoredEntry>,
  { leftOut, accounts }: Files = NO_FILES,
): Generator<undefined, Suggestion[]> {
  const stored: (StoredEntry & { text: string })[] = [];
  const splitRows = new Set<string>();
  for (const { stored: entry, source } of books) {
    stored.push({ stored: entry, source, text: comparable(entry.description ?? '') });
    const { externalRef } = entry;
    if (externalRef !== null && isPart(externalRef)) splitRows.add(rowOfPart(externalRef));
    if (stored.length % STEP === 0) yield;
  }
  const outTexts = leftOut.map(({ description }) => comparable(description));
  stored.sort((one, two) => (one.text < two.text ? -1 : 1));
  yield;
  const suggestions = new Map<string, Suggestion | undefined>();
  let rows = 0;
  for (const { description, type } of unsorted) {
    if (++rows % STEP === 0) yield;
    const payee = payeeOf(description);
    const key = `${type} ${payee}`;
    if (payee === undefined || suggestions.has(key)) continue;
    const ofPayee = startingWith(stored, payee);
    const ofType = ofPayee.filter((entry) => entry.stored.type === type);
    // A part has a category of its own.
    const isSplit = ofPayee.some((entry) => splitRows.has(rowOfPart(entry.stored.externalRef ?? '')));
    const isLeftOut = outTexts.some((text) => text.startsWith(payee));
    const isOffered =
      !isSplit && !isLeftOut && ofType.filter((entry) => isWholeRow(entry, accounts)).length >= ENTRIES_MIN;
    suggestions.set(key, isOffered ? agreed(ofType, payee, type) : undefined);
  }
  return [...suggestions.values()].filter((suggestion) => suggestion !== undefined);
}

/** Whether an entry is certainly a whole row. The reference of a first part is derived from the amount of its row, not from its own. */
function isWholeRow({ stored, source }: StoredEntry, accounts: readonly string[]): boolean {
  const { externalRef, date, type, amountPence } = stored;
  const description = stored.description ?? '';
  if (externalRef === null || !isDerivedReference(externalRef)) return true;
  const amount = originalOf(description) ?? { pence: amountPence };
  const content = { date, type, ...amount, description: withoutConversion(description) };
  return accounts.some((account) => isDerivedFrom(externalRef, { ...content, account }, source.id));
}

function agreed(
  entries: readonly StoredEntry[],
  payee: string,
  type: Suggestion['type'],
): Suggestion | undefined {
  const [{ source, stored }] = entries as [StoredEntry];
  const { category } = stored;
  const isSame = (entry: StoredEntry) => entry.source.id === source.id && entry.stored.category === category;
  if (category === null || !entries.every(isSame)) return undefined;
  return { payee, type, source: source.name, category, entries: entries.length };
}

/** The items whose text begins with `prefix`. @param sorted by text */
export function startingWith<Item extends { text: string }>(sorted: readonly Item[], prefix: string): Item[] {
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
export const ruleOf = (suggestion: Suggestion): string =>
  `${decidedBy(suggestion)}  # as ${suggestion.entries} entries`;

const decidedBy = (suggestion: Suggestion): string =>
  `${conditionOf(suggestion)} -> ${sourceText(suggestion.source)} / ${suggestion.category}`;

/** The condition of a rule for the payments of a payee. */
export const conditionOf = ({ payee, type }: Pick<Suggestion, 'payee' | 'type'>): string =>
  `description starts with "${payee}" and type is ${type}`;

/** The name of a source as rules write it. */
export const sourceText = (name: string): string => (/[/,#"]/.test(name) ? quoted(name) : name);

/** Whether the rules contain it, perhaps as a comment, or with another number of entries. */
export const isInRules = (rules: string, suggestion: Suggestion): boolean =>
  rules.includes(decidedBy(suggestion));

/** Appends the suggestions to the rules, as `withRules` does. */
export const withSuggestions = (rules: string, suggestions: readonly Suggestion[]): string =>
  withRules(rules, suggestions.map(ruleOf));

/** Appends lines to the rules, before the rule for all other rows. No decision of another rule changes. */
export function withRules(rules: string, added: readonly string[]): string {
  const lines = linesOf(rules);
  const otherwise = lines.findIndex((line) => /^\s*otherwise\b/i.test(line));
  const at = otherwise === -1 ? lines.findLastIndex((line) => line.trim() !== '') + 1 : otherwise;
  return [...lines.slice(0, at), ...added, ...lines.slice(at)].join('\n');
}
