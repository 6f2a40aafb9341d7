/** JSON and NDJSON in the shape of the API: entries of requests, or transactions of responses. */

import { distance } from 'fastest-levenshtein';
import { parse } from 'lossless-json';
import { isDay } from '../../days.ts';
import { requireFewBrackets, requireRows } from '../files/bounds.ts';
import { firstCodePoints } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import { DESCRIPTION_LENGTH_MAX, type EntryType, REFERENCE_LENGTH_MAX } from '../options.ts';
import type { ParsedFile, ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import { poundsOfPenceText } from '../values/amounts.ts';

const PROPERTIES = ['date', 'type', 'amountPence', 'category', 'description', 'externalRef'];
const FIELD_OF: Record<string, RowProblem['field']> = {
  date: 'date',
  type: 'type',
  amountPence: 'amount',
  category: 'category',
  description: 'description',
  externalRef: 'reference',
};
const TEXT_LENGTHS_MAX = {
  description: DESCRIPTION_LENGTH_MAX,
  externalRef: REFERENCE_LENGTH_MAX,
  category: 100,
};

/** The most unknown properties listed for an entry. */
const UNKNOWN_MAX = 20;

/**
 * An array of entries, a single one, or a page of the API with `transactions`. The row is the index plus one.
 * @throws ImportError `unreadable_file`
 */
export function rowsOfJson(text: string): ParsedFile {
  requireFewBrackets(text);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const message = `The file is not JSON${duplicateKeyText(error)}.`;
    throw new ImportError('unreadable_file', message, 'format');
  }
  const page = isObject(value) && Array.isArray(value.transactions) ? transactionsOf(value) : value;
  const entries: unknown[] = Array.isArray(page) ? page : [page];
  requireRows(entries.length);
  return {
    parsedRows: entries.map((entry, index) => rowOfEntry(entry, index + 1)),
    columnNames: COLUMN_NAMES,
  };
}

/** One entry on each line. Empty lines are left out; a line that is not JSON is invalid. */
export function rowsOfNdjson(text: string): ParsedFile {
  requireFewBrackets(text);
  const parsedRows: ParsedRow[] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '') continue;
    parsedRows.push(rowOfLine(line, index + 1));
    requireRows(parsedRows.length);
  }
  return { parsedRows, columnNames: COLUMN_NAMES };
}

function rowOfLine(line: string, row: number): ParsedRow {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    // Also a RangeError, for brackets in brackets.
    const message = `The line is not JSON${duplicateKeyText(error)}.`;
    return emptyRow(row, [{ column: '', value: line.slice(0, 100), message }]);
  }
  return rowOfEntry(value, row);
}

/** The text of a number in another notation than a whole number: 450.00, 1e2. The API accepts none. */
class OtherNumberText {
  constructor(readonly text: string) {}
}

/** @throws SyntaxError, also for a repeated member */
function parseJson(text: string): unknown {
  const value = parse(text, undefined, (number) =>
    /^-?\d+$/.test(number) && Number.isSafeInteger(Number(number))
      ? Number(number)
      : new OtherNumberText(number),
  );
  // The parser accepts a repeated member with equal values.
  if (membersIn(text) > membersOf(value)) throw new SyntaxError('Duplicate key');
  return value;
}

/** The number of written members: the colons outside of texts. */
function membersIn(text: string): number {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInText = !isInText;
    else if (isInText && character === '\\') at++;
    else if (!isInText && character === ':') count++;
  }
  return count;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof OtherNumberText) return 0;
  const values = Object.values(value);
  return values.reduce(
    (sum: number, each) => sum + membersOf(each),
    Array.isArray(value) ? 0 : values.length,
  );
}

const duplicateKeyText = (error: unknown) => {
  const [found, name] =
    /Duplicate key(?: '(.{1,100}?)')?/.exec(error instanceof Error ? error.message : '') ?? [];
  if (found === undefined) return '';
  return `: it has ${name === undefined ? 'a member' : `"${name}"`} twice in one object`;
};

/** Members of a page that announce further pages. */
const MORE = /cursor|next|more|continuation/i;

/** @throws ImportError for a page with other members, or with further pages */
function transactionsOf({ transactions, ...others }: Record<string, unknown>): unknown {
  const isNothing = (value: unknown) => value === null || value === false || value === '';
  const count = (transactions as unknown[]).length;
  const other = Object.keys(others).find((name) => !isNothing(others[name]) && others[name] !== count);
  if (other === undefined) return transactions;
  const name = other.slice(0, 100);
  const message = MORE.test(name)
    ? `The file is a page of several: "${name}" says that there are more. Export all pages, or remove it if you read the others too.`
    : `The file has "${name}" beside "transactions", which is not known; remove it.`;
  throw new ImportError('unreadable_file', message);
}

const COLUMN_NAMES = { amount: 'amountPence' };
const NO_TEXTS = { date: '', amount: '', type: '', description: '', category: '', source: '' };

function emptyRow(row: number, problems: RowProblem[]): ParsedRow {
  return { row, description: '', account: '', problems, texts: () => NO_TEXTS };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rowOfEntry(value: unknown, row: number): ParsedRow {
  if (!isObject(value)) {
    const message = 'This is not an entry: an object with date, type and amountPence.';
    return emptyRow(row, [{ column: '', value: asText(value), message }]);
  }
  const problems = memberProblems(value);
  const bad = new Set(problems.map(({ column }) => column));
  const good = (name: string) => (bad.has(name) ? undefined : value[name]);
  const { id } = value;
  const [category, reference] = [good('category'), good('externalRef')] as (string | null | undefined)[];
  return {
    row,
    date: good('date') as string | undefined,
    type: good('type') as EntryType | undefined,
    pence: good('amountPence') as number | undefined,
    description: (good('description') as string | null | undefined) ?? '',
    account: '',
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(category && { category }),
    ...(reference && { reference, referenceColumn: 'externalRef' }),
    problems,
    texts: () => ({
      date: asText(value.date),
      amount: poundsOfPenceText(asText(value.amountPence)),
      type: asText(value.type),
      description: asText(value.description),
      category: asText(value.category),
      source: '',
    }),
  };
}

function memberProblems(object: Record<string, unknown>): RowProblem[] {
  const found: { column: string; message: string; property?: string | undefined }[] = [];
  const { date, type, amountPence } = object;
  if (!isDay(date))
    found.push({ column: 'date', message: 'The date must be a day of the calendar as YYYY-MM-DD.' });
  if (type !== 'income' && type !== 'expense')
    found.push({ column: 'type', message: 'The type must be income or expense.' });
  if (!Number.isSafeInteger(amountPence) || (amountPence as number) < 1) {
    found.push({
      column: 'amountPence',
      message: 'The amount must be a whole number of pence, at least 1.',
    });
  }
  for (const [column, most] of Object.entries(TEXT_LENGTHS_MAX)) {
    const problem = problemOfText(object[column], most);
    if (problem) found.push({ column, message: problem });
  }
  // The service adds the id to what it returns.
  const unknown = Object.keys(object).filter((name) => !PROPERTIES.includes(name) && name !== 'id');
  for (const name of unknown.slice(0, UNKNOWN_MAX)) {
    const near = PROPERTIES.find(
      (property) => distance(property.toLowerCase(), name.slice(0, 50).toLowerCase()) <= 3,
    );
    found.push({
      column: name,
      message: `An entry has no such property.${near ? ` Did you mean ${near}?` : ''}`,
      property: near,
    });
  }
  return found.map(({ column, message, property = column }) => {
    const field = Object.hasOwn(FIELD_OF, property) ? FIELD_OF[property] : undefined;
    return { ...(field && { field }), column: column.slice(0, 100), value: asText(object[column]), message };
  });
}

function problemOfText(value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return 'This must be a text.';
  if (firstCodePoints(value, most) !== value) return `This has more than ${most} characters.`;
  return value.includes('\0') || !value.isWellFormed()
    ? 'This has a zero character or half of a character.'
    : undefined;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof OtherNumberText) return value.text.slice(0, 200);
  // No member of an entry is an object or array, and its content may have any size and depth.
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  return String(value).slice(0, 200);
}
