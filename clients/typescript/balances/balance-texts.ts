/** Texts for people about the balances of a statement. */
import { pounds } from '../pounds.ts';
import type { BalanceCheck } from './balances.ts';

const BREAKS_SHOWN = 20;

/**
 * Sentences about the balances of a statement: missing rows in it, and between it and the previous one.
 * @param isComplete also report a file that has nothing to check
 */
export function balanceTexts(
  { state, opening, closing, breaks, unchecked, continuity }: BalanceCheck,
  isComplete: boolean,
): string[] {
  const texts = breaks.slice(0, BREAKS_SHOWN).map(({ message }) => message);
  if (breaks.length > BREAKS_SHOWN) texts.push(`… and ${breaks.length - BREAKS_SHOWN} more`);
  if (state === 'holds' && opening && closing) {
    texts.push(`from ${pounds(opening.pence)} to ${pounds(closing.pence)} every row follows`);
  }
  if (isComplete || opening || closing) texts.push(...unchecked);
  const { from } = continuity;
  if (from)
    texts.push(
      `It goes on from ${pounds(from.pence)} of ${from.date}, where the last file of the account ended.`,
    );
  const isReported = continuity.state === 'broken' || (isComplete && opening);
  if (isReported && continuity.message) texts.push(continuity.message);
  return texts;
}
