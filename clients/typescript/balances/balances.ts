/** Checks the balances of several files: the chain of each statement, and its continuity with the previous one of the account. */

import type { BalanceState, ChainBreak } from '../import/chain/chain.ts';
import type { Closings } from '../import/chain/closings.ts';
import type { Balance, ImportResult } from '../import/result.ts';
import { type Continuity, continuity, statementsInTurn } from './continuity.ts';

/** The balances of one statement, in pence. */
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

/** Checks the statements of each file. @param closings the last closing balances before the files, by account. @returns for each file one check for each of its statements */
export const balanceChecks = (
  files: readonly { result: Pick<ImportResult, 'statements'> }[],
  closings?: Closings,
): BalanceCheck[][] =>
  statementsInTurn(files, closings).map((statements) =>
    statements.map(({ statement, chain, previous }) => {
      const { account, state, opening = null, closing = null, breaks, unchecked } = chain;
      const withPrevious = continuity(previous?.closing, statement, chain);
      return { account, state, opening, closing, breaks, unchecked, continuity: withPrevious };
    }),
  );

/**
 * Returns the checks of each file whose closing balances the next statements go on from. A file with an invalid row has none: not all
 * payments before its balance are stored.
 * @param balances the checks of each file
 */
export const checksOfWholeFiles = (
  files: readonly { result: Pick<ImportResult, 'invalid'> | undefined }[],
  balances: readonly (readonly BalanceCheck[])[],
): (readonly BalanceCheck[])[] =>
  files.map(({ result }, index) => (result?.invalid.length === 0 ? (balances[index] ?? []) : []));
