/** What the balances of a file say, for people: whether rows are missing from it, or between it and the one before. */
import { pounds } from '../typescript/books/pounds.ts';
import type { BalanceProof } from '../typescript/proof/balances.ts';

const BREAKS_SHOWN = 20;

/** @param isComplete also that there is nothing to check */
export function balanceLines(balances: readonly BalanceProof[], isComplete: boolean): string[] {
  return balances.flatMap(({ account, state, opening, closing, breaks, unchecked, continuity }) => {
    const lines = breaks.slice(0, BREAKS_SHOWN).map(({ message }) => message);
    if (breaks.length > BREAKS_SHOWN) lines.push(`… and ${breaks.length - BREAKS_SHOWN} more`);
    if (state === 'holds' && opening && closing) {
      lines.push(`from ${pounds(opening.pence)} to ${pounds(closing.pence)} every row follows`);
    }
    if (isComplete || opening || closing) lines.push(...unchecked);
    if (continuity.state === 'holds') lines.push('It continues the last file of the account.');
    const isReported = continuity.state === 'broken' || (isComplete && opening);
    if (isReported && continuity.message) lines.push(continuity.message);
    const name = account === '' ? '' : `${account}: `;
    return lines.map((line, index) => `${index === 0 ? 'Balances' : '        '} ${name}${line}`);
  });
}
