/** The description of a transaction of OFX: NAME, EXTDNAME and MEMO. */
import { cleanText, joinTexts } from '../files/cells.ts';
import type { BankRow } from './bank-row.ts';

/** The most characters of NAME in OFX. */
const NAME_LENGTH_MAX = 32;
const LETTERS_OR_DIGITS = /[\p{L}\p{N}]+/gu;

/** NAME and MEMO. Where NAME is cut and MEMO goes on with it, nothing is between them. References are derived with a dash there. */
export function ofxDescription(field: (name: string) => string): Pick<BankRow, 'description' | 'earlier'> {
  const [cut, extended, memo] = [field('NAME') || field('PAYEE'), field('EXTDNAME'), field('MEMO')];
  const texts = [cut, extended, memo].map(cleanText);
  const description = joinTexts(texts);
  const [name = '', , more = ''] = texts;
  if (extended !== '' || [...cut].length !== NAME_LENGTH_MAX || !isContinued(name, more))
    return { description };
  return { description: `${name}${more}`, earlier: { description, keepsReference: true } };
}

/** Some banks repeat NAME in MEMO, or have another text there, which begins with a word: `Limited` and `Rent`, but not `Limit` and `ed`. */
function isContinued(name: string, memo: string): boolean {
  if (memo === '' || memo.toLowerCase().includes(name.toLowerCase())) return false;
  const words = new Set(name.toLowerCase().match(LETTERS_OR_DIGITS));
  const isRepeated = (memo.toLowerCase().match(LETTERS_OR_DIGITS) ?? []).every((word) => words.has(word));
  return !isRepeated && !(/\p{Ll}$/u.test(name) && /^\p{Lu}/u.test(memo));
}
