/**
 * The expected outcome of a body: a second implementation of the rules of TransactionInput, written from the specification
 * and not from the gateway. It uses a JSON reader that keeps duplicate members and the text of numbers.
 */
import { CATEGORIES, type SourceType } from '../../proto/vocabulary.ts';
import type { Transaction } from '../fixtures/client.ts';
import { type Json, readJson, TooDeep } from './json.ts';
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

function read(body: Buffer): Json | 'too deep' | 'not JSON' {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    return error instanceof TooDeep ? 'too deep' : 'not JSON';
  }
}

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
