/** Continuity: the opening balance of a statement is the closing balance of the previous one of the account. */

import { type BalanceState, type Chain, chainOf } from '../import/chain/chain.ts';
import type { AccountStatement, Balance } from '../import/result.ts';
import { pounds } from '../pounds.ts';

/** Whether the opening balance of a statement is the closing balance of the previous one. */
export interface Continuity {
  state: BalanceState;
  /** The sum of the missing payments between the two statements, in signed pence. */
  missing?: number;
  /** The last day of the previous statement. */
  since?: string;
  /** Where the previous statement ended, if it holds. */
  from?: Balance;
  /** Why it does not hold. */
  message?: string;
}

/** A statement with the result of both checks. */
export interface CheckedStatement {
  statement: AccountStatement;
  chain: Chain;
  continuity: Continuity;
}

/** The chain of each statement, and its continuity with the previous statement of the account, as `statementsInTurn` finds it. */
export const checkStatements = (
  statements: readonly AccountStatement[],
  closings?: ReadonlyMap<string, Balance>,
): CheckedStatement[] =>
  statementsInTurn([{ result: { statements } }], closings)
    .flat()
    .map(({ previous, ...inTurn }) => ({
      ...inTurn,
      continuity: continuity(previous?.closing, inTurn.statement, inTurn.chain),
    }));

interface StatementInTurn {
  statement: AccountStatement;
  chain: Chain;
  /** The closing balance of the account before the statement, and whether it is of another one of these files. */
  previous: { closing: Balance; isOfFiles: boolean } | undefined;
}

/**
 * The statements of each file. Those of an account follow each other by date, in whatever file they are.
 * @param closings the last closing balance of each account before all of them
 */
export function statementsInTurn(
  files: readonly { result: { statements: readonly AccountStatement[] } }[],
  closings: ReadonlyMap<string, Balance> = new Map(),
): StatementInTurn[][] {
  const ofFiles = files.map(({ result }) =>
    result.statements.map(
      (statement): StatementInTurn => ({ statement, chain: chainOf(statement), previous: undefined }),
    ),
  );
  const startOf = ({ chain: { opening, closing } }: StatementInTurn) => opening?.date ?? closing?.date ?? '';
  const last = new Map([...closings].map(([account, closing]) => [account, { closing, isOfFiles: false }]));
  for (const inTurn of ofFiles.flat().sort((one, other) => startOf(one).localeCompare(startOf(other)))) {
    const { account, closing } = inTurn.chain;
    inTurn.previous = last.get(account);
    if (closing && (!inTurn.previous || closing.date >= inTurn.previous.closing.date))
      last.set(account, { closing, isOfFiles: true });
  }
  return ofFiles;
}

/** @param last the balance after the last day of the previous file. Files may overlap, as docs/rows-and-entries.md advises */
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
