/** JSON and NDJSON in the shape of the API: entries as it takes them, or transactions as it returns them. */
import { distance } from 'fastest-levenshtein';
import { firstCodePoints } from './cells.ts';
import { readDate } from './dates.ts';
import type { Draft, Drafts } from './draft.ts';
import { DESCRIPTION_LENGTH_MAX, ImportError, REFERENCE_LENGTH_MAX } from './options.ts';

const PROPERTIES = ['date', 'type', 'amountPence', 'category', 'description', 'externalRef'];
const TEXT_LENGTHS_MAX = {
  description: DESCRIPTION_LENGTH_MAX,
  externalRef: REFERENCE_LENGTH_MAX,
  category: 100,
};

/**
 * An array of entries, a single one, or a page of the API with `transactions`. The row is the index plus one.
 * @throws ImportError `unreadable_file`
 */
export function draftsOfJson(text: string): Drafts {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ImportError(
      'unreadable_file',
      'The file is not JSON; with one entry on each line, --format ndjson reads it.',
      '--format',
    );
  }
  const page = isObject(value) && Array.isArray(value.transactions) ? value.transactions : value;
  const result = empty();
  for (const [index, entry] of (Array.isArray(page) ? page : [page]).entries())
    addEntry(entry, index + 1, result);
  return result;
}

/** One entry on each line. Empty lines are left out; a line that is not JSON is invalid. */
export function draftsOfNdjson(text: string): Drafts {
  const result = empty();
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '') continue;
    try {
      addEntry(JSON.parse(line), index + 1, result);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      result.rows += 1;
      result.invalid.push({
        row: index + 1,
        column: '',
        value: line.slice(0, 100),
        message: 'The line is not JSON.',
      });
    }
  }
  return result;
}

const empty = (): Drafts => ({ rows: 0, drafts: [], skipped: [], invalid: [] });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addEntry(value: unknown, row: number, result: Drafts): void {
  result.rows += 1;
  const problems: { column: string; message: string }[] = [];
  const object = isObject(value) ? value : {};
  if (!isObject(value))
    problems.push({
      column: '',
      message: 'This is not an entry: an object with date, type and amountPence.',
    });
  else problems.push(...problemsOf(object));
  if (problems.length > 0) {
    for (const { column, message } of problems) {
      const shown = column === '' ? value : object[column];
      result.invalid.push({ row, column, value: shown === undefined ? '' : asText(shown), message });
    }
    return;
  }
  const { id, date, type, amountPence, category, description, externalRef } = object as unknown as Entry;
  const draft: Draft = { row, date, type, pence: amountPence, description: description ?? '', account: '' };
  if (typeof id === 'string' && id !== '') draft.id = id;
  if (category) Object.assign(draft, { category, categoryColumn: 'category' });
  if (externalRef) Object.assign(draft, { reference: externalRef, referenceColumn: 'externalRef' });
  result.drafts.push(draft);
}

interface Entry {
  id?: unknown;
  date: string;
  type: 'income' | 'expense';
  amountPence: number;
  category?: string | null;
  description?: string | null;
  externalRef?: string | null;
}

function problemsOf(object: Record<string, unknown>): { column: string; message: string }[] {
  const problems: { column: string; message: string }[] = [];
  const { date, type, amountPence } = object;
  const isDate = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && readDate(date, 'ymd') === date;
  if (!isDate)
    problems.push({ column: 'date', message: 'The date must be a day of the calendar as YYYY-MM-DD.' });
  if (type !== 'income' && type !== 'expense')
    problems.push({ column: 'type', message: 'The type must be income or expense.' });
  if (!Number.isSafeInteger(amountPence) || (amountPence as number) < 1) {
    problems.push({
      column: 'amountPence',
      message: 'The amount must be a whole number of pence, at least 1.',
    });
  }
  for (const [column, most] of Object.entries(TEXT_LENGTHS_MAX)) {
    const problem = textProblem(object[column], most);
    if (problem) problems.push({ column, message: problem });
  }
  for (const name of Object.keys(object)) {
    // The service adds the id to what it returns.
    if (PROPERTIES.includes(name) || name === 'id') continue;
    const near = PROPERTIES.find(
      (property) => distance(property.toLowerCase(), name.toLowerCase().slice(0, 50)) <= 3,
    );
    problems.push({
      column: name,
      message: `An entry has no such property.${near ? ` Did you mean ${near}?` : ''}`,
    });
  }
  return problems;
}

function textProblem(value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return 'This must be a text.';
  if (firstCodePoints(value, most) !== value) return `This has more than ${most} characters.`;
  return value.includes('\0') || !value.isWellFormed()
    ? 'This has a zero character or half of a character.'
    : undefined;
}

function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
}
