/** Texts that say nothing about a row but what it is for. */

/** Fewer texts than this may be words with a meaning. */
const TEXTS_MIN = 5;

/** At least five texts, most of which differ. Case does not count, and neither do empty cells. */
export function isFreeText(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '').map((text) => text.toLowerCase());
  const distinct = new Set(filled).size;
  return distinct >= TEXTS_MIN && distinct * 2 > filled.length;
}
