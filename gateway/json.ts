/** JSON as it was written: numbers that were not written as integers are kept apart. */

/** A number written with a fraction or an exponent, even where its value is whole. */
export class WrittenFloat {
  constructor(readonly source: string) {}
}

/**
 * Parses strict JSON.
 * @throws SyntaxError, or RangeError when it is nested too deeply
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, keepWrittenFloats);
}

function keepWrittenFloats(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return /[.eE]/.test(source) ? new WrittenFloat(source) : value;
}

/** A member of an object as it was written: the how-manieth object of the text, and the name, still escaped. */
export interface WrittenMember {
  object: number;
  quotedName: string;
}

/**
 * Every member of every object in `text`, which has parsed and has no objects within objects. JSON.parse keeps the last
 * of two members with one name and does not tell.
 */
export function* writtenMembers(text: string): Generator<WrittenMember> {
  let object = -1;
  let brace = text.indexOf('{');
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    if (open === -1) return;
    for (; brace !== -1 && brace < open; brace = text.indexOf('{', brace + 1)) object++;
    const after = endOfString(text, open);
    // A brace within the string opens nothing. Looked for only then: otherwise the time would be quadratic.
    if (brace !== -1 && brace < after) brace = text.indexOf('{', after);
    at = skipSpace(text, after);
    if (text[at] === ':') yield { object, quotedName: text.slice(open, after) };
  }
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
