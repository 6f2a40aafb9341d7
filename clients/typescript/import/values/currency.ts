/** Whether an amount is in pounds: the one reader of this fact, for all formats. */
import { quoted, type Statement } from './statement.ts';

const POUNDS = [
  'GBP',
  '£',
  'STG',
  'STERLING',
  'POUND',
  'POUNDS',
  'POUND STERLING',
  'POUNDS STERLING',
  'BRITISH POUND',
];

const isPounds = (text: string) => POUNDS.includes(text.trim().toUpperCase());

/** The statement that an amount is not in pounds, if there is one, and what is wrong. Without a statement it is in pounds. */
export function foreignCurrency(
  statements: readonly Statement<string>[],
): { statement: Statement<string>; message: string } | undefined {
  const said = statements.filter(({ says }) => says.trim() !== '');
  const foreign = said.find(({ says }) => !isPounds(says));
  if (!foreign) return undefined;
  const pounds = said.find(({ says }) => isPounds(says));
  const message = pounds
    ? `The file contradicts itself: ${quoted(foreign)} is the currency, and ${quoted(pounds)} is.`
    : 'The amount is not in pounds, which is all that the ledger records.';
  return { statement: foreign, message };
}
