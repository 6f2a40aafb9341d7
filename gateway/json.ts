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
 * What `text` says that its parsed `entries` do not. JSON.parse has accepted it; its root is an object or an array of
 * entries.
 */
export function readWritten(text: string, root: 'object' | 'array', entries: readonly unknown[]): Written {
  if (isPlain(text, entries)) return PLAIN;
  return readMembers(text, root);
}

const PLAIN: Written = { repeated: [], floats: new Map() };

/**
 * Whether it is certain at a glance that there is nothing to tell. Each name that was given has its colon: where there are
 * no more colons than the names and texts that were kept account for, no name was given twice. Four times as fast as
 * reading member by member, and most bodies need no more.
 */
function isPlain(text: string, entries: readonly unknown[]): boolean {
  // Escapes can hide a colon, and the name of the amount.
  if (text.includes('\\')) return false;
  let colons = 0;
  for (const entry of entries) {
    if (typeof entry !== 'object' || entry === null) return false;
    for (const name in entry) {
      const value: unknown = (entry as Record<string, unknown>)[name];
      // What holds further members is no entry.
      if (typeof value === 'object') return false;
      colons += 1 + count(name, ':');
      if (typeof value === 'string') colons += count(value, ':');
    }
  }
  return colons === count(text, ':') && !hasFloatAmount(text);
}

function hasFloatAmount(text: string): boolean {
  const name = `"${AMOUNT}"`;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at)) {
    at = skipSpace(text, at + name.length);
    if (text.charCodeAt(at) !== COLON) continue;
    FLOAT.lastIndex = skipSpace(text, at + 1);
    if (FLOAT.test(text)) return true;
  }
  return false;
}

function count(text: string, sought: string): number {
  let found = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) found++;
  return found;
}

/**
 * Reads the members of each entry, in time linear in the length of the text: strings are skipped by indexOf, what lies
 * between them is read once.
 */
function readMembers(text: string, root: 'object' | 'array'): Written {
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
