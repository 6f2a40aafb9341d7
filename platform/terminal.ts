/** Text of others on a terminal: it neither drives the terminal nor passes for a line of the program. */

/** Control and format characters, lone surrogates, line and paragraph separators: they act, reorder what is around them, or are not seen. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

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
