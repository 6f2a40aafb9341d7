/** Closing balances in a rules file: read, written, and merged with those of another device. */
import { expect, test } from 'bun:test';
import { withEarlierKept } from '../../../../clients/typescript/import/rules/kept-answers.ts';
import { keptClosings, withKeptClosings } from '../../../../clients/typescript/import/rules/kept-closings.ts';
import { parseRules } from '../../../../clients/typescript/import/rules/rules-text.ts';

const RULES = '"rent" -> rent\nbalance of "My ""joint"" account" on 2026-10-05: -1204.10  # overdrawn\n';
const closing = (date: string, pence: number) => ({ account: 'HSBC', closing: { date, pence } });

test('a balance is read, is no rule, and is written again', () => {
  expect([...keptClosings(RULES)]).toEqual([['My "joint" account', { date: '2026-10-05', pence: -120_410 }]]);
  expect(parseRules(RULES)).toHaveLength(1);
  const written = withKeptClosings(RULES, [closing('2026-11-01', 123_456_7)]);
  expect(written.split('\n').slice(1)).toEqual([
    'balance of "My ""joint"" account" on 2026-10-05: -1204.10',
    'balance of "HSBC" on 2026-11-01: 12345.67',
    '',
  ]);
  expect(withKeptClosings(written, [])).toBe(written);
});

test('of two devices that differ, the later day wins', () => {
  const [early, late] = ['2026-10-05: 1.00', '2026-11-05: 2.00'].map(
    (end) => `balance of "HSBC" on ${end}\n`,
  );
  for (const [own, other] of [
    [early, late],
    [late, early],
  ] as const)
    expect(withEarlierKept(own ?? '', other ?? '')).toBe(late ?? '');
  const columns = (day: string, use: string) =>
    `columns of "HSBC" in csv "Date,Amount" from ${day}: ${use}=Amount\n`;
  const [before, after] = [columns('2026-10-05', 'amount'), columns('2026-11-05', 'spent')];
  expect(withEarlierKept(before, after)).toBe(after);
  expect(withEarlierKept(after, before)).toBe(after);
});

test.each([
  'balance of HSBC on 2026-10-05: 1.00',
  'balance of "HSBC" on 2026-13-05: 1.00',
  'balance of "HSBC": 1.00',
])('%s is refused with its line', (line) => {
  expect(() => keptClosings(`# mine\n${line}`)).toThrow('Line 2 of the rules is no line about a balance');
});
