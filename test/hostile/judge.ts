/**
 * The expected outcome of a body: a second implementation of the rules of TransactionInput, written from the specification
 * and not from the gateway.
 */
import { CATEGORIES, type SourceType } from '../../proto/vocabulary.ts';
import type { Transaction } from '../fixtures/client.ts';
import type { Outcome } from './request.ts';

export type Content = Omit<Transaction, 'id'>;

export interface Judgement {
  /** The allowed outcomes: more than one only for a body that is too large or nested too deeply to decide. */
  outcomes: Outcome[];
  /** The entries to be stored, in the order sent; empty unless the outcome is success. */
  entries: Content[];
}

const BODY_BYTES_MAX = 5 * 1024 * 1024;
const ENTRIES_MAX = 500;
// Each value but the first of an entry follows a comma or an opening bracket.
const VALUE_MARKS = Buffer.from(',[{');
const VALUES_MAX = 64;

/** @param source of the request: its type, and whether it belongs to the requesting account */
export function judge(body: Buffer, source: { type: SourceType; own: boolean }): Judgement {
  if (body.length > BODY_BYTES_MAX) return rejected('payload_too_large');
  const root = read(body);
  if (root === 'too deep') return rejected('invalid_json', 'invalid_transaction', 'too_many');
  // The gateway may reject a body with too many values before it finds that it is not JSON.
  if (root === 'not JSON') {
    return body.filter((byte) => VALUE_MARKS.includes(byte)).length > VALUES_MAX
      ? rejected('invalid_json', 'invalid_transaction', 'too_many')
      : rejected('invalid_json');
  }

  const items = root.kind === 'array' ? root.items : [root];
  if (items.length === 0) return rejected('empty_body');
  if (items.length > ENTRIES_MAX) return rejected('too_many');
  const entries = items.map(entryOf).filter((entry) => entry !== undefined);
  if (entries.length < items.length) return rejected('invalid_transaction');
  if (!source.own) return rejected('source_not_found');
  if (!entries.every((entry) => categoryFits(entry, source.type))) return rejected('invalid_category');
  return { outcomes: ['success'], entries };
}

function rejected(...outcomes: Outcome[]): Judgement {
  return { outcomes, entries: [] };
}

/** JSON with every member of an object, also duplicates, and the text of numbers. */
type Json =
  | { kind: 'object'; members: [name: string, value: Json][] }
  | { kind: 'array'; items: Json[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string }
  | { kind: 'word' };

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
// Nested deeper than any valid body.
const DEPTH_MAX = 100;

function read(body: Buffer): Json | 'too deep' | 'not JSON' {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const tokens = (text.match(TOKENS) ?? []).values();
  let depth = 0;
  const next = () => tokens.next().value ?? '';
  /** The values up to the bracket that closes them, without the commas. */
  function values(close: string): Json[] {
    const found: Json[] = [];
    for (let token = next(); token !== close; token = next()) {
      if (token !== ',' && token !== ':') found.push(value(token));
    }
    depth--;
    return found;
  }
  function value(token: string): Json {
    if ((token === '{' || token === '[') && ++depth > DEPTH_MAX) throw new RangeError('too deep');
    if (token === '[') return { kind: 'array', items: values(']') };
    if (token === '{') return { kind: 'object', members: pairs(values('}')) };
    if (token.startsWith('"')) return { kind: 'string', value: JSON.parse(token) };
    return /\d/.test(token) ? { kind: 'number', text: token } : { kind: 'word' };
  }
  try {
    return value(next());
  } catch {
    return 'too deep';
  }
}

/** Names and values in turns. */
const pairs = (flat: Json[]) =>
  flat.flatMap((name, n): [string, Json][] =>
    n % 2 === 0 ? [[textOf(name) ?? '', flat[n + 1] as Json]] : [],
  );

/** Undefined unless every field is valid. */
function entryOf(json: Json): Content | undefined {
  if (json.kind !== 'object') return undefined;
  const members = new Map(json.members);
  const names = ['date', 'type', 'amountPence', 'category', 'description', 'externalRef'];
  if (members.size < json.members.length || ![...members.keys()].every((name) => names.includes(name))) {
    return undefined;
  }
  const text = (name: string) => textOf(members.get(name));
  const date = text('date');
  const type = text('type');
  const amountPence = penceOf(members.get('amountPence'));
  const optional = [
    ['category', 0, Number.POSITIVE_INFINITY],
    ['description', 0, 500],
    ['externalRef', 1, 180],
  ] as const;
  const texts = optional.map(([name, min, max]) => {
    if (!members.has(name)) return null;
    const value = text(name);
    const length = [...(value ?? '')].length;
    return value !== undefined && isStorable(value) && length >= min && length <= max ? value : undefined;
  });
  if (date === undefined || !isCalendarDate(date) || amountPence === undefined) return undefined;
  if ((type !== 'income' && type !== 'expense') || texts.includes(undefined)) return undefined;
  const [category = null, description = null, externalRef = null] = texts;
  return { date, type, category, amountPence, description, externalRef };
}

function textOf(json: Json | undefined): string | undefined {
  return json?.kind === 'string' ? json.value : undefined;
}

/** A whole number that is written with digits only. */
function penceOf(json: Json | undefined): number | undefined {
  if (json?.kind !== 'number' || !/^[1-9]\d*$/.test(json.text)) return undefined;
  return BigInt(json.text) <= Number.MAX_SAFE_INTEGER ? Number(json.text) : undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isCalendarDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (text.includes('\n') || year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

function categoryFits({ category, type }: Content, sourceType: SourceType): boolean {
  return category === null || CATEGORIES[sourceType][type].some(({ key }) => key === category);
}
