/** Continuity: a statement begins with the balance with which the one before of its account ended. */

import { pounds } from '../books/pounds.ts';
import type { AccountStatement, Balance } from '../import/options.ts';
import { type Chain, chainOf, type ProofState } from './chain.ts';

export interface Continuity {
  state: ProofState;
  /** In signed pence: what payments between the two statements would come to. */
  missing?: number;
  /** Why it does not hold. */
  message?: string;
}

export interface StatementProof {
  statement: AccountStatement;
  chain: Chain;
  continuity: Continuity;
}

/**
 * The chain of each statement, and its continuity with the one before it of its account: among these, or else `closings`, the balance
 * with which the last known file of each account ended. Statements of one account are taken by their dates.
 */
export function proveStatements(
  statements: readonly AccountStatement[],
  closings: ReadonlyMap<string, Balance> = new Map(),
): StatementProof[] {
  const last = new Map(closings);
  const proofs = statements.map((statement, index) => ({ index, statement, chain: chainOf(statement) }));
  const startOf = ({ chain: { opening, closing } }: (typeof proofs)[number]) =>
    opening?.date ?? closing?.date ?? '';
  const inOrder = proofs.toSorted((one, two) => startOf(one).localeCompare(startOf(two)));
  const found: Continuity[] = [];
  for (const { index, statement, chain } of inOrder) {
    const before = last.get(chain.account);
    found[index] = continuity(before, statement, chain);
    if (chain.closing && (!before || chain.closing.date >= before.date))
      last.set(chain.account, chain.closing);
  }
  return proofs.map(({ index, statement, chain }) => ({
    ...{ statement, chain },
    continuity: found[index] as Continuity,
  }));
}

/** `last`: the balance after the last day of the file before. Files may overlap, as docs/importing.md advises. */
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
  // The last file may have ended within a day, of which this one has all rows or only the others.
  const ofLastDay = known.filter(({ date }) => date === last.date);
  const within = ofLastDay.map(({ balance }) => balance);
  if (ofLastDay.length === known.length) within.push(opening.pence);
  if (pence === BigInt(last.pence) || within.includes(last.pence)) return { state: 'holds' };
  const missing = pence - BigInt(last.pence);
  const here =
    known.length > 0
      ? `this one has ${pounds(pence)} after that day`
      : `this one begins with ${pounds(pence)} on ${opening.date}`;
  return {
    state: 'broken',
    missing: Number(missing),
    message: `The last file of the account ended with ${pounds(last.pence)} on ${last.date} and ${here}: ${pounds(missing)} is missing.`,
  };
}
