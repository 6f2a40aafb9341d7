/** Search by words: capitals and accents do not count. */

/** The text without capitals and accents. */
export const plain = (text: string): string =>
  (isPlain(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();

/** Most texts are: to decompose them would take most of the time. */
const isPlain = (text: string) => /^[\n -~£]*$/.test(text);

/** Whether a plain text has every word of `searched`. Undefined if that has no word. */
export function hasWords(searched: string): ((text: string) => boolean) | undefined {
  const words = plain(searched).split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : (text) => words.every((word) => text.includes(word));
}
