/** Makes foreign text safe on a terminal and for an assistant: it can neither control the terminal nor imitate a line of the program. */

/**
 * Control and format characters, lone surrogates, line and paragraph separators, and all others without a picture: they act, reorder their
 * neighbours, or are invisible. The selector that makes a symbol an emoji stays.
 */
const UNPRINTABLE = /(?!(?<=\p{Emoji})\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** The text in one line, with each such character as its escape in JSON: `\u001b`. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

/** JSON of the same value, all of it printable. Only `space` breaks lines. */
export function printableJson(value: unknown, space?: number): string {
  return JSON.stringify(value, null, space).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
