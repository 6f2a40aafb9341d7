/** The description of a transaction of OFX: NAME, EXTDNAME and MEMO. */
import { cleanText, joinTexts } from '../files/cells.ts';
import type { BankRow } from './bank-row.ts';

/** The most characters of NAME in OFX. */
const NAME_LENGTH_MAX = 32;
const LETTERS_OR_DIGITS = /[\p{L}\p{N}]+/gu;

/** Joins NAME and MEMO, without a separator where MEMO continues a cut NAME. References are derived with a dash there. */
export function ofxDescription(field: (name: string) => string): Pick<BankRow, 'description' | 'earlier'> {
  const [cut, extended, memo] = [field('NAME') || field('PAYEE'), field('EXTDNAME'), field('MEMO')];
  const texts = [cut, extended, memo].map(cleanText);
  const description = joinTexts(texts);
  const [name = '', , more = ''] = texts;
  if (extended !== '' || [...cut].length !== NAME_LENGTH_MAX || !isContinued(name, more))
    return { description };
  return { description: `${name}${more}`, earlier: { description, keepsReference: true } };
}

/** Whether MEMO continues NAME (`Limit` and `ed`). Some banks repeat NAME in it, or begin another text (`Limited` and `Rent`). */
function isContinued(name: string, memo: string): boolean {
  if (memo === '' || memo.toLowerCase().includes(name.toLowerCase())) return false;
  const words = new Set(name.toLowerCase().match(LETTERS_OR_DIGITS));
  const isRepeated = (memo.toLowerCase().match(LETTERS_OR_DIGITS) ?? []).every((word) => words.has(word));
  return !isRepeated && !(/\p{Ll}$/u.test(name) && /^\p{Lu}/u.test(memo));
}
