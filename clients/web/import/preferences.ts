/**
 * The choices that this browser keeps for the next import of an account: rules, with the lines about columns and closing balances, and the
 * decisions about rows that the books probably have, and entries that a file lacks, by references and hashes. Never a key or a row.
 */

import {
  type Decisions,
  type DecisionWord,
  decisionOf,
  NO_DECISIONS,
  wordOf,
} from '../../typescript/match/decision.ts';

export type Preferences = ReturnType<typeof preferencesIn>;

export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** They take some 200 kB. The oldest go first. */
const DECISIONS_MAX = 1_000;

/**
 * @param storage a browser may allow none: then what is kept lasts as long as the page
 * @param account another one does not see it
 */
export function preferencesIn(storage: () => PreferenceStorage, account: string) {
  const [RULES, DECISIONS] = [`ledger-import-rules ${account}`, `ledger-import-decisions ${account}`];
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
  const decisions = (): Decisions => {
    const pairs = parsed(DECISIONS);
    if (!Array.isArray(pairs)) return NO_DECISIONS;
    return new Map(pairs.filter(isDecided).map(([key, word]) => [key, decisionOf(key, word)]));
  };
  return {
    rules: () => read(RULES) ?? '',
    /** Keeps the rules; an empty text forgets them. */
    keepRules: (rules: string) => write(RULES, rules),
    decisions,
    /** Keeps the difference: another tab of the account may have decided about other rows. */
    keepDecisions(now: Decisions, before: Decisions): void {
      const kept = new Map(decisions());
      for (const key of before.keys()) if (!now.has(key)) kept.delete(key);
      for (const [key, decision] of now) if (before.get(key) !== decision) kept.set(key, decision);
      const newest = [...kept].slice(-DECISIONS_MAX).map(([key, decision]) => [key, wordOf(decision)]);
      write(DECISIONS, newest.length === 0 ? undefined : JSON.stringify(newest));
    },
  };
}

const isDecided = (pair: unknown): pair is [string, DecisionWord] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && (pair[1] === 'send' || pair[1] === 'leave');
