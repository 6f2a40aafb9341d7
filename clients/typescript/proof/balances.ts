/** The balances of several files: whether each statement holds, and continues the one before of its account. */
import type { ReadFile } from '../books/joined-files.ts';
import type { Balance } from '../import/options.ts';
import type { ChainBreak, ProofState } from './chain.ts';
import { type Continuity, proveStatements } from './continuity.ts';

export interface BalanceProof {
  /** Of the bank; empty if neither the file nor an option names it. */
  account: string;
  state: ProofState;
  opening: Balance | null;
  closing: Balance | null;
  breaks: ChainBreak[];
  unchecked: string[];
  continuity: Continuity;
}

/** By file, one for each of its statements. @param closings the balances with which the last known files ended, by account */
export function balanceProofs(
  files: readonly ReadFile[],
  closings?: ReadonlyMap<string, Balance>,
): BalanceProof[][] {
  const all = files.flatMap(({ statement }) => statement.statements);
  const proofs = proveStatements(all, closings).map(({ chain, continuity }): BalanceProof => {
    const { account, state, opening = null, closing = null, breaks, unchecked } = chain;
    return { account, state, opening, closing, breaks, unchecked, continuity };
  });
  let next = 0;
  return files.map(({ statement }) => {
    const start = next;
    next += statement.statements.length;
    return proofs.slice(start, next);
  });
}
