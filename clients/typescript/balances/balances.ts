/** Checks the balances of several files: the chain of each statement, and its continuity with the previous one of the account. */

import type { BalanceState, ChainBreak } from '../import/chain/chain.ts';
import type { Closings } from '../import/chain/closings.ts';
import type { Balance, ImportResult } from '../import/result.ts';
import { type Continuity, checkStatements } from './continuity.ts';

export interface BalanceCheck {
  /** The bank account; empty if neither the file nor an option names it. */
  account: string;
  state: BalanceState;
  opening: Balance | null;
  closing: Balance | null;
  breaks: ChainBreak[];
  unchecked: string[];
  continuity: Continuity;
}

/** By file, one for each of its statements. */
export function balanceChecks(
  files: readonly { result: Pick<ImportResult, 'statements'> }[],
  closings?: Closings,
): BalanceCheck[][] {
  const all = files.flatMap(({ result }) => result.statements);
  const checks = checkStatements(all, closings).map(({ chain, continuity }): BalanceCheck => {
    const { account, state, opening = null, closing = null, breaks, unchecked } = chain;
    return { account, state, opening, closing, breaks, unchecked, continuity };
  });
  let next = 0;
  return files.map(({ result }) => {
    const start = next;
    next += result.statements.length;
    return checks.slice(start, next);
  });
}
