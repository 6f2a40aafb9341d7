/** Rules that the books suggest: for a payee whose entries have always had one source and category. Never applied automatically. */
import type { EntryType } from '../import/options.ts';
import type { ImportResult } from '../import/result.ts';
import { comparable } from '../import/rules/conditions.ts';
import { originalOf, withoutConversion } from '../import/values/conversion.ts';
import { isDerivedFrom, isDerivedReference } from '../import/values/derived-reference.ts';
import { isPartReference, rowOfPart } from '../match/part-reference.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import type { UnsortedRow } from './unsorted-rows.ts';

/** A rule that the books suggest. */
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

/** A category that fewer entries have may be chance. */
const ENTRIES_MIN = 2;
const LETTERS_MIN = 3;

/** The name of a payee: the first words, up to one with a digit, which is a date or a number. Undefined if there are none. */
export function payeeOf(description: string): string | undefined {
  const [words = ''] = /^(?:[^\s\d"]+(?:\s+|$))*/.exec(comparable(description)) ?? [];
  const payee = words.trim();
  return payee.replace(/\P{L}/gu, '').length >= LETTERS_MIN ? payee : undefined;
}

/** The files that the suggestions are for. */
interface Files {
  /** Rows that rules leave out. */
  leftOut: readonly { description: string }[];
  /** The names of the bank accounts, which derived references include. */
  accounts: readonly string[];
}
const NO_FILE_FACTS: Files = { leftOut: [], accounts: [] };

/** The facts of files that keep suggestions from contradicting them. */
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
  files: Files = NO_FILE_FACTS,
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
  { leftOut, accounts }: Files = NO_FILE_FACTS,
): Generator<undefined, Suggestion[]> {
  const stored: (StoredEntry & { text: string })[] = [];
  const splitRows = new Set<string>();
  for (const { stored: entry, source } of books) {
    stored.push({ stored: entry, source, text: comparable(entry.description ?? '') });
    const { externalRef } = entry;
    if (externalRef !== null && isPartReference(externalRef)) splitRows.add(rowOfPart(externalRef));
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
