/**
 * The choices that this browser keeps for the next import of an account: rules, also about the columns of files, the decisions about rows
 * that the books probably have, by references and hashes, and the closing balance of each bank account. Never a key or a row.
 */

import { type BalanceCheck, type Closings, withClosings } from '../../typescript/balances/balances.ts';
import type { Balance } from '../../typescript/import/options.ts';
import { type Decision, type Decisions, NO_DECISIONS } from '../../typescript/match/decision.ts';
import { isBalance } from '../../typescript/reconciliation/closings.ts';

export interface Preferences {
  rules(): string;
  /** The empty text forgets them. */
  keepRules(rules: string): void;
  decisions(): Decisions;
  /** Of the last imported statement of each bank account. */
  closings(): Closings;
  keepClosings(balances: readonly BalanceCheck[]): void;
  /** Keeps the difference: another tab of the account may have decided about other rows. */
  keepDecisions(decisions: Decisions, before: Decisions): void;
}

export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Some 200 kB. The oldest go first. */
const DECISIONS_MAX = 1_000;

/**
 * @param storage a browser may allow none: then what is kept lasts as long as the page
 * @param account another one does not see it
 */
export function preferencesIn(storage: () => PreferenceStorage, account: string): Preferences {
  const [RULES, DECISIONS] = [`ledger-import-rules ${account}`, `ledger-import-decisions ${account}`];
  const CLOSINGS = `ledger-import-closings ${account}`;
  const read = (name: string): string | null => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
  const write = (name: string, text: string | undefined) => {
    try {
      if (text) storage().setItem(name, text);
      else storage().removeItem(name);
    } catch {
      // Nothing is kept.
    }
  };
  const parsed = (name: string): unknown => {
    try {
      return JSON.parse(read(name) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  };
  // Earlier versions kept the rules of all accounts as one: whose they are is unknown.
  write('ledger-import-rules', undefined);
  const decisions = (): Decisions => {
    const pairs = parsed(DECISIONS);
    return Array.isArray(pairs) ? new Map(pairs.filter(isDecided)) : NO_DECISIONS;
  };
  const closings = (): Closings => {
    const pairs = parsed(CLOSINGS);
    return new Map(Array.isArray(pairs) ? pairs.filter(isClosing) : []);
  };
  return {
    closings,
    keepClosings: (balances) => write(CLOSINGS, JSON.stringify([...withClosings(closings(), balances)])),
    rules: () => read(RULES) ?? '',
    keepRules: (rules) => write(RULES, rules),
    decisions,
    keepDecisions(now, before) {
      const kept = new Map(decisions());
      for (const key of before.keys()) if (!now.has(key)) kept.delete(key);
      for (const [key, decision] of now) if (before.get(key) !== decision) kept.set(key, decision);
      const newest = [...kept].slice(-DECISIONS_MAX);
      write(DECISIONS, newest.length === 0 ? undefined : JSON.stringify(newest));
    },
  };
}

const isClosing = (pair: unknown): pair is [string, Balance] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && isBalance(pair[1]);

const isDecided = (pair: unknown): pair is [string, Decision] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && (pair[1] === 'send' || pair[1] === 'leave');
