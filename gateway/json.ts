/** What JSON.parse does not tell about a body: names that were given twice, and whole numbers written as floats. */

/** What was written in entry `entry` of the body (0 for a single object). */
export interface Written {
  /** Names given more than once in one entry: JSON.parse keeps the last value in silence. */
  repeated: { entry: number; name: string }[];
  /** By entry, the text of an amountPence with a fraction or an exponent, even where its value is whole. */
  floats: Map<number, string>;
}

const AMOUNT = 'amountPence';
const FLOAT = /-?\d+[.eE][\d.eE+-]*/y;

/**
 * Reads the members of each entry from `text`, which JSON.parse has accepted and whose root is an object or an array.
 * In time linear in its length: strings are skipped by indexOf, what lies between them is read once.
 */
export function readWritten(text: string, root: 'object' | 'array'): Written {
  const written: Written = { repeated: [], floats: new Map() };
  const entryDepth = root === 'array' ? 2 : 1;
  let depth = 0;
  let entry = 0;
  let names = new Set<string>();

  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    if (open === -1) return written;
    for (; at < open; at++) {
      const code = text.charCodeAt(at);
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      else if (code === COMMA && depth === entryDepth - 1) {
        entry++;
        names = new Set();
      }
    }
    const close = endOfString(text, open);
    at = skipSpace(text, close);
    if (depth !== entryDepth || text.charCodeAt(at) !== COLON) continue;

    const name = unquoted(text.slice(open, close));
    if (names.has(name)) written.repeated.push({ entry, name });
    names.add(name);
    if (name === AMOUNT) {
      FLOAT.lastIndex = skipSpace(text, at + 1);
      const float = FLOAT.exec(text);
      if (float) written.floats.set(entry, float[0]);
    }
  }
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = [
  0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

function unquoted(string: string): string {
  return string.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
}

function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let escapes = 0;
    while (text[close - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return close + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}
