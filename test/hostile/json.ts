/**
 * A strict JSON reader (RFC 8259) that keeps every member of an object and the text of numbers. It checks the gateway's
 * reader and shares no code or technique with it.
 */

export type Json =
  | { kind: 'object'; members: [name: string, value: Json][] }
  | { kind: 'array'; items: Json[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string }
  | { kind: 'word' };

/** Nested deeper than any valid body. */
export class TooDeep extends Error {}

const DEPTH_MAX = 100;
const SPACE = /[ \t\n\r]*/y;
const WORD = /true|false|null/y;
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;

/** @throws SyntaxError when the text is not JSON, or TooDeep */
export function readJson(text: string): Json {
  let at = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const space = () => take(SPACE);
  const next = (character: string): boolean => {
    space();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const expect = (character: string) => {
    if (!next(character)) throw new SyntaxError(`no ${character} at ${at}`);
  };

  /** The items between brackets, separated by commas. */
  function list<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    if (next(close)) return items;
    do items.push(item());
    while (next(','));
    expect(close);
    return items;
  }

  function string(): string {
    space();
    const found = take(STRING);
    if (found === undefined) throw new SyntaxError(`no string at ${at}`);
    return unescaped(found.slice(1, -1));
  }

  function value(depth: number): Json {
    if (depth > DEPTH_MAX) throw new TooDeep();
    if (next('{')) return { kind: 'object', members: list('}', () => member(depth + 1)) };
    if (next('[')) return { kind: 'array', items: list(']', () => value(depth + 1)) };
    if (text[at] === '"') return { kind: 'string', value: string() };
    const number = take(NUMBER);
    if (number !== undefined) return { kind: 'number', text: number };
    if (take(WORD) !== undefined) return { kind: 'word' };
    throw new SyntaxError(`no value at ${at}`);
  }

  function member(depth: number): [string, Json] {
    const name = string();
    expect(':');
    return [name, value(depth)];
  }

  const root = value(0);
  space();
  if (at < text.length) throw new SyntaxError(`more at ${at}`);
  return root;
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.replace(/\\(u([0-9a-fA-F]{4})|.)/g, (_, letter: string, hex: string | undefined) =>
    hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
