/**
 * Scans the text of a body before JSON.parse. Finds structures that are too large to parse, and what JSON.parse hides:
 * repeated names, and whole numbers written as floats.
 */
import { LIMITS } from '../../proto/vocabulary.ts';
import { ENTRY_PROPERTIES } from '../api/schemas.ts';

/** The findings. Entries are counted from 0; a single object is entry 0. */
export interface BodyText {
  /** False: quotes or brackets do not match, so the text is not JSON. */
  isBalanced: boolean;
  rootIsArray: boolean;
  /** The number of elements of a root array, if it is not empty; otherwise 1. */
  entryCount: number;
  /** The first entry with more than VALUES_PER_ENTRY_MAX values. After it, entries are only counted. */
  oversizedEntry: number | undefined;
  /** Whether any entry has a name that the API does not know. */
  hasUnknownName: boolean;
  /** By entry, the names given more than once: JSON.parse silently keeps the last value. */
  repeatedNames: Map<number, Set<string>>;
  /** By entry, the start of an amountPence with a fraction or an exponent, even where its value is whole. */
  floatAmounts: Map<number, string>;
  /** Of a root array, the places of some commas between its elements: about STEP_BYTES lie between two of them. */
  cuts: number[];
}

/**
 * An entry has six. JSON.parse takes up to 100 times as long for many small values as for a few long ones, so an entry with
 * more values than this, nested ones included, is not parsed.
 */
export const VALUES_PER_ENTRY_MAX = 64;

const NAMES = ENTRY_PROPERTIES.map((name) => Buffer.from(name));
const AMOUNT = ENTRY_PROPERTIES.indexOf('amountPence');
const NUMBER_SHOWN_MAX = 32;
// A step takes less than a millisecond.
const STEP_BYTES = 128 * 1024;
// Longer texts are searched by a native function, which a short one does not pay for.
const SHORT_TEXT_BYTES = 256;
const ESCAPE_BYTES = '\\u0061'.length;

/**
 * Scans a body once, in time linear in its length and mostly without allocations. Does not check the grammar: JSON.parse does.
 * Yields between steps.
 * @param bytes of valid UTF-8
 */
export function* scanBody(bytes: Uint8Array): Generator<void, BodyText> {
  const repeatedNames = new Map<number, Set<string>>();
  const floatAmounts = new Map<number, string>();
  let oversizedEntry: number | undefined;
  const cuts: number[] = [];
  let rootIsArray = false;
  let memberDepth = 1;
  let scanned = 0;
  let openBrackets = 0;
  let entry = 0;
  let valuesSoFar = 0;
  /** Names of the entry so far, and a bit for each known one. */
  let namesSoFar = 0;
  let knownSoFar = 0;
  let hasUnknownName = false;

  function addRepeated(index: number): void {
    const repeated = repeatedNames.get(entry) ?? new Set();
    repeatedNames.set(entry, repeated.add(ENTRY_PROPERTIES[index] as string));
  }

  function addAmount(start: number): void {
    const float = floatAt(bytes, start);
    if (float !== undefined) floatAmounts.set(entry, float);
  }

  /** Scans at least up to `end`. Local variables make it twice as fast. */
  function scanStep(end: number): void {
    let at = scanned;
    let depth = openBrackets;
    let values = valuesSoFar;
    let names = namesSoFar;
    let known = knownSoFar;
    for (; at < end; at++) {
      switch (bytes[at]) {
        case QUOTE: {
          const open = at;
          at = endOfString(bytes, open);
          if (depth !== memberDepth || oversizedEntry !== undefined) break;
          const colon = skipSpace(bytes, at + 1);
          if (bytes[colon] !== COLON) break;
          // A body with more names than values is not JSON, and one with more entries is refused.
          if (++names > VALUES_PER_ENTRY_MAX || entry >= LIMITS.entriesPerRequest) break;
          const index = knownName(bytes, open, at);
          if (index === -1) {
            hasUnknownName = true;
            break;
          }
          if (known & (1 << index)) addRepeated(index);
          known |= 1 << index;
          if (index === AMOUNT) addAmount(skipSpace(bytes, colon + 1));
          break;
        }
        case OPEN_BRACKET:
        case OPEN_BRACE:
          if (depth++ === 0 && bytes[at] === OPEN_BRACKET) {
            rootIsArray = true;
            memberDepth = 2;
          } else {
            values++;
          }
          break;
        case CLOSE_BRACKET:
        case CLOSE_BRACE:
          depth--;
          break;
        case COMMA:
          if (depth === 1 && rootIsArray) {
            if (at - (cuts.at(-1) ?? 0) >= STEP_BYTES) cuts.push(at);
            entry++;
            values = 0;
            names = 0;
            known = 0;
          } else {
            values++;
          }
          break;
      }
      if (values > VALUES_PER_ENTRY_MAX) oversizedEntry ??= entry;
    }
    scanned = at;
    openBrackets = depth;
    valuesSoFar = values;
    namesSoFar = names;
    knownSoFar = known;
  }

  while (scanned < bytes.length) {
    scanStep(Math.min(scanned + STEP_BYTES, bytes.length));
    yield;
  }
  // An unterminated string ends behind the last byte.
  const isBalanced = openBrackets === 0 && scanned === bytes.length;
  return {
    isBalanced,
    rootIsArray,
    entryCount: entry + 1,
    oversizedEntry,
    hasUnknownName,
    repeatedNames,
    floatAmounts,
    cuts,
  };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E] = [0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65];
const [LOWER_A, LOWER_F, LOWER_U] = [0x61, 0x66, 0x75];

/** The index of the closing quote of the string that opens at `open`; the length of the text without one. */
function endOfString(bytes: Uint8Array, open: number): number {
  let at = open + 1;
  for (;;) {
    const stop = Math.min(at + SHORT_TEXT_BYTES, bytes.length);
    for (; at < stop; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    if (at >= bytes.length) return bytes.length;
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) <= 0x20) at++;
  return at;
}

/** The index in ENTRY_PROPERTIES of the name between the quotes at `open` and `close`; -1 for any other name. */
function knownName(bytes: Uint8Array, open: number, close: number): number {
  let index = NAMES.length - 1;
  while (index >= 0 && !isAt(bytes, open + 1, close, NAMES[index] as Uint8Array)) index--;
  return index;
}

/** Whether the text from `start` to `end` is `name`. Any letter may be an escape. */
function isAt(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  let at = start;
  for (let index = 0; index < name.length; index++) {
    const isEscape = bytes[at] === BACKSLASH;
    if ((isEscape ? escapedCode(bytes, at) : bytes[at]) !== name[index]) return false;
    at += isEscape ? ESCAPE_BYTES : 1;
  }
  return at === end;
}

/** The code of the escape at `start`; NaN for any but the four-digit ones, since others do not produce letters. */
function escapedCode(bytes: Uint8Array, start: number): number {
  if (bytes[start + 1] !== LOWER_U) return Number.NaN;
  let code = 0;
  for (let at = start + 2; at < start + ESCAPE_BYTES; at++) code = code * 16 + hexDigit(bytes[at] as number);
  return code;
}

function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= LOWER_A && letter <= LOWER_F ? letter - LOWER_A + 10 : Number.NaN;
}

/** The number at `start`, cut to NUMBER_SHOWN_MAX, if it has a fraction or an exponent. */
function floatAt(bytes: Uint8Array, start: number): string | undefined {
  let at = bytes[start] === MINUS ? start + 1 : start;
  while (isDigit(bytes[at])) at++;
  if (bytes[at] !== POINT && bytes[at] !== UPPER_E && bytes[at] !== LOWER_E) return undefined;
  const [number = ''] = /^[-+.\deE]*/.exec(textOf(bytes, start, start + NUMBER_SHOWN_MAX + 1)) ?? [];
  return number.length > NUMBER_SHOWN_MAX ? `${number.slice(0, NUMBER_SHOWN_MAX)}…` : number;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
