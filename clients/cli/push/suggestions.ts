/** What `push` offers for rows that nothing decides about: rules that the books suggest. */
import { type Books, daysOf, readBooks } from '../../typescript/books/stored-books.ts';
import { ruleOf, type Suggestion, suggestionsFor } from '../../typescript/books/suggestions.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { Ledger } from '../../typescript/index.ts';
import { counted } from '../output.ts';
import type { Statements } from '../statements.ts';

/** The entries of how many years before the files are looked at. */
const YEARS = 1;

/** Reads the books of the year before the files, if nothing decides about some of their rows. */
export async function suggestionsOf(
  { files, entries, sources }: Statements,
  ledger: Ledger,
): Promise<Suggestion[]> {
  const open = files.flatMap(({ statement }) => openRows(statement));
  const { from, to } = daysOf(entries);
  if (open.length === 0 || !sources) return [];
  const period = from === undefined ? {} : { from: yearsBefore(from), to };
  const books: Books = await readBooks(ledger, sources, period);
  return suggestionsFor(open, books.byId.values());
}

/** Entries for the review queue, and rows without a source. */
function openRows({ entries, invalid }: ImportResult): { description: string; type: 'income' | 'expense' }[] {
  const unsorted = entries.flatMap(({ entry: { category, description = '', type }, rule }) =>
    category === undefined && rule === undefined ? { description, type } : [],
  );
  const undecided = invalid.filter(({ field, option }) => field === 'source' && option === 'rules');
  const types = ['income', 'expense'] as const;
  return [
    ...unsorted,
    ...undecided.flatMap(({ value }) => types.map((type) => ({ description: value, type }))),
  ];
}

function yearsBefore(day: string): string {
  const year = Math.max(Number(day.slice(0, 4)) - YEARS, 1);
  return `${String(year).padStart(4, '0')}-${day.slice(5) === '02-29' ? '02-28' : day.slice(5)}`;
}

/** @param isApplied by `--suggest` */
export function suggestionLines(suggestions: readonly Suggestion[], isApplied: boolean): string[] {
  if (suggestions.length === 0) return [];
  const rules = counted(suggestions.length, 'rule', 'rules');
  return [
    isApplied
      ? `By --suggest, ${rules} from the books decided too:`
      : `The books suggest ${rules} for rows that nothing decides about. --suggest applies them, or put them into your rules:`,
    ...suggestions.map((each) => `  ${ruleOf(each)}`),
    '',
  ];
}
