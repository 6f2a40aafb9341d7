/** Continuity: the opening balance of a statement is the closing balance of the previous one of the account. */

import { type BalanceState, type Chain, chainOf } from '../import/chain/chain.ts';
import type { AccountStatement, Balance } from '../import/result.ts';
import { pounds } from '../pounds.ts';

export interface Continuity {
  state: BalanceState;
  /** In signed pence: the sum of the missing payments between the two statements. */
  missing?: number;
  /** The last day of the previous statement. */
  since?: string;
  /** Where the previous statement ended, if it holds. */
  from?: Balance;
  /** Why it does not hold. */
  message?: string;
}

export interface CheckedStatement {
  statement: AccountStatement;
  chain: Chain;
  continuity: Continuity;
}

/**
 * The chain of each statement, and its continuity with the previous statement of the account: one of these, else `closings`, the last known
 * closing balance of each account. The statements of an account are sorted by date.
 */
export function checkStatements(
  statements: readonly AccountStatement[],
  closings: ReadonlyMap<string, Balance> = new Map(),
): CheckedStatement[] {
  const last = new Map(closings);
  const chains = statements.map((statement, index) => ({ index, statement, chain: chainOf(statement) }));
  const startOf = ({ chain: { opening, closing } }: (typeof chains)[number]) =>
    opening?.date ?? closing?.date ?? '';
  const inOrder = chains.toSorted((one, two) => startOf(one).localeCompare(startOf(two)));
  const found: Continuity[] = [];
  for (const { index, statement, chain } of inOrder) {
    const before = last.get(chain.account);
    found[index] = continuity(before, statement, chain);
    if (chain.closing && (!before || chain.closing.date >= before.date))
      last.set(chain.account, chain.closing);
  }
  return chains.map(({ index, statement, chain }) => ({
    statement,
    chain,
    continuity: found[index] as Continuity,
  }));
}

/** `last`: the balance after the last day of the previous file. Files may overlap, as docs/rows-and-entries.md advises. */
export function continuity(last: Balance | undefined, { rows }: AccountStatement, chain: Chain): Continuity {
  const { opening, closing } = chain;
  const unchecked = (message: string): Continuity => ({ state: 'unchecked', message });
  if (chain.account === '') return unchecked('The file does not name its account.');
  if (!opening) return unchecked('The file does not say what the account had before its first row.');
  if (!last) return unchecked('No earlier file of this account is known.');
  if (closing && closing.date < last.date) {
    return unchecked(
      `The file ends on ${closing.date}, before ${last.date}, the end of the last known file.`,
    );
  }
  const known = rows.filter(({ date }) => date <= last.date);
  const pence = known.reduce((sum, row) => sum + BigInt(row.pence), BigInt(opening.pence));
  // The previous file may have ended within a day. This file may have all rows of that day, or only the rest.
  const ofLastDay = known.filter(({ date }) => date === last.date);
  const within = ofLastDay.map(({ balance }) => balance);
  if (ofLastDay.length === known.length) within.push(opening.pence);
  if (pence === BigInt(last.pence) || within.includes(last.pence)) return { state: 'holds', from: last };
  const missing = pence - BigInt(last.pence);
  const here =
    known.length > 0
      ? `this one has ${pounds(pence)} after that day`
      : `this one begins with ${pounds(pence)} on ${opening.date}`;
  return {
    state: 'broken',
    missing: Number(missing),
    since: last.date,
    message: `The last file of the account ended with ${pounds(last.pence)} on ${last.date} and ${here}: ${pounds(missing)} is missing.`,
  };
}
