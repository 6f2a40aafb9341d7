/** Terminal lines about the balances of a file. */

import { balanceTexts } from '../typescript/balances/balance-texts.ts';
import type { BalanceCheck } from '../typescript/balances/balances.ts';

/** @param isComplete also report a file that has nothing to check */
export function balanceLines(balances: readonly BalanceCheck[], isComplete: boolean): string[] {
  return balances.flatMap((each) => {
    const name = each.account === '' ? '' : `${each.account}: `;
    return balanceTexts(each, isComplete).map(
      (text, index) => `${index === 0 ? 'Balances' : '        '} ${name}${text}`,
    );
  });
}
