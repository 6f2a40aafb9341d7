/**
 * Which bodies are valid: a second implementation of the rules of TransactionInput, written from the specification and not from
 * the gateway.
 */
import { CATEGORIES, type SourceType } from '../../proto/domain.ts';
import type { Transaction } from '../fixtures/client.ts';

export type Content = Omit<Transaction, 'id'>;

/** The entries to be stored, in the order sent; undefined: the body must be refused. */
export function judge(body: Buffer, type: SourceType): Content[] | undefined {
  if (body.length > 5 * 1024 * 1024) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    JSON.parse(text);
    const root = read((text.match(TOKENS) ?? []).values());
    const entries = (Array.isArray(root) ? root : [root]).map((item) => entryOf(item, type));
    const isValid = entries.length > 0 && entries.length <= 500 && !entries.includes(undefined);
    return isValid ? (entries as Content[]) : undefined;
  } catch {
    return undefined;
  }
}

/** JSON with every member of an object, also duplicates, and with numbers and words as they are written. */
type Json = Json[] | { members: [name: string, value: Json][] } | { text: string } | { source: string };

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @throws RangeError if it is nested too deeply */
function read(tokens: Iterator<string>): Json {
  const next = () => tokens.next().value ?? '';
  /** The values up to the bracket that closes them, without commas and colons. */
  function values(close: string): Json[] {
    const found: Json[] = [];
    for (let token = next(); token !== close; token = next()) {
      if (token !== ',' && token !== ':') found.push(value(token));
    }
    return found;
  }
  function value(token: string): Json {
    if (token === '[') return values(']');
    if (token === '{') return { members: pairs(values('}')) };
    return token.startsWith('"') ? { text: JSON.parse(token) } : { source: token };
  }
  return value(next());
}

/** Names and values in turns. */
const pairs = (flat: Json[]) =>
  flat.flatMap((name, n): [string, Json][] =>
    n % 2 === 0 ? [[textOf(name) ?? '', flat[n + 1] as Json]] : [],
  );

const textOf = (json: Json | undefined) => (json && 'text' in json ? json.text : undefined);

/** The longest text of each field that need not be there. */
const OPTIONAL = { category: Number.POSITIVE_INFINITY, description: 500, externalRef: 180 };
const NAMES = ['date', 'type', 'amountPence', ...Object.keys(OPTIONAL)];

/** Undefined unless every field is valid. */
function entryOf(json: Json, sourceType: SourceType): Content | undefined {
  if (!('members' in json)) return undefined;
  const members = new Map(json.members);
  if (members.size < json.members.length || ![...members.keys()].every((name) => NAMES.includes(name))) {
    return undefined;
  }
  const date = textOf(members.get('date'));
  const type = textOf(members.get('type'));
  const amountPence = penceOf(members.get('amountPence'));
  if (date === undefined || !isCalendarDate(date) || amountPence === undefined) return undefined;
  if (type !== 'income' && type !== 'expense') return undefined;
  const texts = Object.entries(OPTIONAL).map(([name, max]) => {
    if (!members.has(name)) return null;
    const value = textOf(members.get(name));
    const isStorable = value?.isWellFormed() && !value.includes('\0') && [...value].length <= max;
    return isStorable ? value : undefined;
  });
  const [category = null, description = null, externalRef = null] = texts;
  const fits = category === null || CATEGORIES[sourceType][type].some(({ key }) => key === category);
  if (texts.includes(undefined) || externalRef === '' || !fits) return undefined;
  return { date, type, category, amountPence, description, externalRef };
}

/** A whole number that is written with digits only. */
function penceOf(json: Json | undefined): number | undefined {
  const source = json && 'source' in json ? json.source : '';
  if (!/^[1-9]\d*$/.test(source) || BigInt(source) > Number.MAX_SAFE_INTEGER) return undefined;
  return Number(source);
}

function isCalendarDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (text.includes('\n') || year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}
