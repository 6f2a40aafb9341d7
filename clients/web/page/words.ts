/** A landlord's words for terms of the reader and the API. */

const WORDS: Record<string, string> = {
  source: 'property or business',
  sources: 'properties and businesses',
  CURDEF: 'the currency of the file,',
  CURSYM: 'the currency of the row,',
};

/** Texts in quotes are of a file or of a person, and stay. */
export const inWords = (text: string): string =>
  text.replace(/"[^"]*"|“[^”]*”|\b(?:sources?|CURDEF|CURSYM)\b/g, (found) => WORDS[found] ?? found);
