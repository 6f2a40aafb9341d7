/**
 * What must become of a body, whatever its bytes: the rules of TransactionInput once more, written from the
 * specification and not from the gateway, over a reader that keeps what JSON.parse forgets.
 */
import { CATEGORIES, type SourceType } from '../../proto/vocabulary.ts';
import type { Transaction } from '../fixtures/client.ts';
import { type Json, readJson, TooDeep } from './json.ts';
import type { Outcome } from './request.ts';

export type Content = Omit<Transaction, 'id'>;

export interface Judgement {
  /** Any of these. More than one only where a body is nested too deeply for a second opinion. */
  outcomes: Outcome[];
  /** What is to be stored, in the order sent: empty unless the outcome is success. */
  entries: Content[];
}

const BODY_BYTES_MAX = 5 * 1024 * 1024;
const ENTRIES_MAX = 500;
// Each value but the first of an entry follows a comma or an opening bracket.
const VALUE_MARKS = Buffer.from(',[{');
const VALUES_MAX = 64;

/** @param source where the body is sent: its type, and whether it is a source of the account that sends it */
export function judge(body: Buffer, source: { type: SourceType; own: boolean }): Judgement {
  if (body.length > BODY_BYTES_MAX) return refused('payload_too_large');
  const root = read(body);
  if (root === 'too deep') return refused('invalid_json', 'invalid_transaction', 'too_many');
  // What is too large in structure is refused for that before it is known whether it is JSON.
  if (root === 'no JSON') {
    return body.filter((byte) => VALUE_MARKS.includes(byte)).length > VALUES_MAX
      ? refused('invalid_json', 'invalid_transaction', 'too_many')
      : refused('invalid_json');
  }

  const items = root.kind === 'array' ? root.items : [root];
  if (items.length === 0) return refused('empty_body');
  if (items.length > ENTRIES_MAX) return refused('too_many');
  const entries = items.map(entryOf).filter((entry) => entry !== undefined);
  if (entries.length < items.length) return refused('invalid_transaction');
  if (!source.own) return refused('source_not_found');
  if (!entries.every((entry) => categoryFits(entry, source.type))) return refused('invalid_category');
  return { outcomes: ['success'], entries };
}

function refused(...outcomes: Outcome[]): Judgement {
  return { outcomes, entries: [] };
}

function read(body: Buffer): Json | 'too deep' | 'no JSON' {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    return error instanceof TooDeep ? 'too deep' : 'no JSON';
  }
}

/** Undefined unless each of its fields is as the specification wants it. */
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

/** A whole number as it is written: digits and nothing else. */
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
