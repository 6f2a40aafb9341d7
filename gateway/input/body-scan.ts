/**
 * Scans the text of a body before JSON.parse. Finds structures that are too large to parse, and what JSON.parse hides:
 * repeated names, and whole numbers written as floats.
 */
import { LIMITS } from '../../proto/domain.ts';
import { ENTRY_PROPERTIES } from '../api/schemas.ts';

/** Entries are counted from 0; a single object is entry 0. */
export interface BodyText {
  /** The reason why the text is not JSON, if the structure shows it. */
  notJson: string | undefined;
  rootIsArray: boolean;
  /** The number of elements of a root array, if it is not empty; otherwise 1. */
  entryCount: number;
  /** The first entry with more than VALUES_PER_ENTRY_MAX values. After it, entries are only counted. */
  oversizedEntry: number | undefined;
  /** The faults of properties as written, by entry and name. */
  faults: Map<number, Map<string, string>>;
}

/**
 * An entry has six. JSON.parse takes up to 100 times as long for many small values as for a few long ones, so an entry with
 * more values than this, nested ones included, is not parsed.
 */
export const VALUES_PER_ENTRY_MAX = 64;

const NUMBER_SHOWN_MAX = 32;
// The longest name of the API, with each letter as an escape.
const NAME_BYTES_MAX = '\\u0061'.length * Math.max(...ENTRY_PROPERTIES.map(({ length }) => length));

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;
const [MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E] = [0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65];

/** Scans a body once, in time linear in its length. Does not check the grammar: JSON.parse does. */
export function scanBody(body: Uint8Array): BodyText {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const faults = new Map<number, Map<string, string>>();
  const structure = new Structure(bytes);
  let entry = 0;
  // The number of names in the entry so far, and a bit for each name of the API.
  let names = 0;
  let known = 0;
  let at = structure.nextQuote(0);
  while (at < bytes.length) {
    const close = endOfString(bytes, at);
    const next = skipSpace(bytes, close + 1);
    if (structure.entry !== entry) {
      entry = structure.entry;
      names = 0;
      known = 0;
    }
    // A body with more names than values is not JSON.
    if (structure.isInEntry() && bytes[next] === COLON && ++names <= VALUES_PER_ENTRY_MAX) {
      const name = nameAt(bytes, at, close);
      const bit = 1 << (ENTRY_PROPERTIES.indexOf(name) + 1);
      const fault = bit > 1 && known & bit ? REPEATED : name === 'amountPence' && floatAt(bytes, next + 1);
      if (fault) faults.set(entry, (faults.get(entry) ?? new Map()).set(name, fault));
      known |= bit;
    }
    at = structure.nextQuote(close + 1);
  }
  const { depth, rootIsArray, oversizedEntry } = structure;
  // An unterminated string ends behind the last byte.
  const isBalanced = depth === 0 && at === bytes.length;
  const notJson = isBalanced ? structure.fault : 'its quotes or its brackets do not match.';
  return { notJson, rootIsArray, entryCount: structure.entry + 1, oversizedEntry, faults };
}

const SEVERAL_TEXTS = 'it has more than one JSON text. Send several transactions as one array: [{…}, {…}].';

// JSON.parse silently keeps the last value.
const REPEATED = 'is given more than once';

/** Skips brackets and commas. A loop of its own, because it runs once per character. */
class Structure {
  depth = 0;
  entry = 0;
  oversizedEntry: number | undefined;
  rootIsArray = false;
  /** The reason why brackets that match are not JSON. */
  fault: string | undefined;
  #values = 0;
  #hasRoot = false;
  /** Whether anything stands before the next comma of a root array. */
  #hasElement = false;

  constructor(readonly bytes: Buffer) {}

  isInEntry(): boolean {
    const isCounted = this.oversizedEntry === undefined && this.entry < LIMITS.entriesPerRequest;
    return isCounted && this.depth === (this.rootIsArray ? 2 : 1);
  }

  /** Continues from `start`, outside of strings. @returns the index of the next quote; the length of the text without one */
  nextQuote(start: number): number {
    const { bytes } = this;
    let at = start;
    // Behind a string.
    if (start > 0) this.#hasElement = true;
    for (; at < bytes.length && bytes[at] !== QUOTE; at++) {
      switch (bytes[at]) {
        case OPEN_BRACKET:
        case OPEN_BRACE:
          this.#hasElement = this.depth > 0;
          if (this.depth === 0 && this.#hasRoot) this.fault ??= SEVERAL_TEXTS;
          this.#hasRoot = true;
          if (this.depth++ > 0) this.#values++;
          else if (bytes[at] === OPEN_BRACKET) this.rootIsArray = true;
          else this.#values++;
          break;
        case CLOSE_BRACKET:
        case CLOSE_BRACE:
          this.depth--;
          break;
        case COMMA:
          if (this.depth === 1 && this.rootIsArray) {
            if (!this.#hasElement) this.fault ??= 'a comma follows no transaction.';
            this.#hasElement = false;
            this.entry++;
            this.#values = 0;
          } else {
            this.#values++;
          }
          break;
        default:
          if ((bytes[at] as number) > SPACE) this.#hasElement = true;
      }
      if (this.#values > VALUES_PER_ENTRY_MAX) this.oversizedEntry ??= this.entry;
    }
    return at;
  }
}

/** @returns the length of the text without a closing quote */
function endOfString(bytes: Buffer, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return bytes.length;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) <= SPACE) at++;
  return at;
}

/** The name between the quotes at `open` and `close`, if it may be a name of the API. Any letter may be an escape. */
function nameAt(bytes: Buffer, open: number, close: number): string {
  if (close - open > NAME_BYTES_MAX + 1) return '';
  const name = bytes.toString('latin1', open + 1, close);
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(`"${name}"`);
  } catch {
    return '';
  }
}

/** The message for an amount at `from` that has a fraction or an exponent, even if its value is whole. */
function floatAt(bytes: Buffer, from: number): string | undefined {
  const start = skipSpace(bytes, from);
  let end = bytes[start] === MINUS ? start + 1 : start;
  while ((bytes[end] as number) >= ZERO && (bytes[end] as number) <= NINE) end++;
  if (bytes[end] !== POINT && bytes[end] !== UPPER_E && bytes[end] !== LOWER_E) return undefined;
  const [number = ''] =
    /^[-+.\deE]*/.exec(bytes.toString('latin1', start, start + NUMBER_SHOWN_MAX + 1)) ?? [];
  const isCut = number.length > NUMBER_SHOWN_MAX;
  const source = isCut ? `${number.slice(0, NUMBER_SHOWN_MAX)}…` : number;
  return `must be written as a whole number of pence, not as ${source}: ${penceOf(source)}`;
}

/** Shows the caller's own amount in pence, if it can only be pounds: `45000.0` may be the float of a number of pence. */
export function penceOf(source: string): string {
  const [, pounds = '', pence = ''] = /^(\d+)\.(\d\d|[1-9])$/.exec(source) ?? [];
  const whole = Number(pounds + pence.padEnd(2, '0'));
  const isAmount = pounds !== '' && whole > 0 && whole <= LIMITS.amountPenceMax;
  return isAmount ? `${source} pounds is ${whole}` : '450.00 pounds is 45000';
}
