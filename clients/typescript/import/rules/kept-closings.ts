/**
 * The lines of a rules file with the closing balance of the last imported file of a bank account:
 * `balance of "HSBC" on 2026-10-05: 1204.10`
 */

import { plainPounds } from '../../pounds.ts';
import { type Closing, type Closings, withClosings } from '../chain/closings.ts';
import { readDate } from '../values/dates.ts';
import { quoted, unquoted } from './action.ts';
import { BALANCE_OF, invalidLine, lineEndOf, linesOf, linesWith, restOf } from './rules-text.ts';

const CLOSING_LINE = /^("(?:[^"]|"")+")\s+on\s+(\d{4}-\d\d-\d\d)\s*:\s*(-?)£?(\d{1,13})\.(\d\d)$/i;
const CLOSING_EXAMPLE = 'balance of "HSBC" on 2026-10-05: 1204.10';

/** The balances of a rules text, the last of each account. @throws ImportError `invalid_rules` that names the line */
export function keptClosings(text: string): Closings {
  return withClosings(
    new Map(),
    linesWith(text, BALANCE_OF).map(({ line, content }) => {
      const closing = closingOfLine(restOf(content, BALANCE_OF));
      if (!closing)
        throw invalidLine(line, `is no line about a balance; write for example ${CLOSING_EXAMPLE}`);
      return closing;
    }),
  );
}

/** The rules with these balances: one line for each account, with the later day. @throws ImportError `invalid_rules` */
export function withKeptClosings(rules: string, found: readonly Closing[]): string {
  const before = keptClosings(rules);
  const all = withClosings(before, found);
  const isSame = [...all].every(([account, closing]) => before.get(account) === closing);
  if (isSame) return rules;
  const others = linesOf(rules).filter((line) => !BALANCE_OF.test(line));
  if (others.at(-1)?.trim() === '') others.pop();
  const lines = [...all].map(
    ([account, { date, pence }]) => `balance of ${quoted(account)} on ${date}: ${plainPounds(pence)}`,
  );
  return [...others, ...lines, ''].join(lineEndOf(rules));
}

/** The rules with the balances of an earlier text. Of two of an account, the later day wins. */
export const withEarlierClosings = (rules: string, earlier: string): string =>
  withKeptClosings(
    rules,
    [...keptClosings(earlier)].map(([account, closing]) => ({ account, closing })),
  );

function closingOfLine(text: string): Closing | undefined {
  const [, name, date = '', sign = '', whole = '', decimals = ''] = CLOSING_LINE.exec(text) ?? [];
  const pence = Number(`${sign}${whole}${decimals}`);
  if (name === undefined || readDate(date, 'ymd') !== date || !Number.isSafeInteger(pence)) return undefined;
  return { account: unquoted(name), closing: { date, pence } };
}
