/** Money: every recipe makes exact pence of pounds, whatever a float would make of them, and refuses what has no exact pence. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { writeFile } from '../cli/command.ts';
import { requireProgram } from '../programs.ts';
import { runScript, SCRIPTS } from './scripts.ts';
import { CODE } from './sheets.ts';

setDefaultTimeout(60_000);

const CELLS = Object.entries(CODE).map(
  ([name, code]) =>
    [name, runInContext(`${code}; penceOf`, createContext({})) as (cell: number | string) => number] as const,
);

const TEXTS: [string, number][] = [
  ['£1,234.56', 123_456],
  ['1234567.8', 123_456_780],
  ['0.01', 1],
  ['1.10', 110],
  ['9999999999999.99', 999_999_999_999_999],
];
const NO_AMOUNTS = [
  '',
  '1 234',
  '-4.35',
  '(12.50)',
  ...'0 0.00 1.005 12.500 1,23 1,2345.00 12. 1e3 --1 (1 1) $5 ten ٣'.split(' '),
];

describe.each(CELLS)('%s', (_, pence) => {
  test('reads any whole number of pence from the float that the sheet has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (wanted) => {
        expect(pence(wanted / 100)).toBe(wanted);
        expect(() => pence(-wanted / 100)).toThrow('without a sign');
      }),
      { numRuns: 5_000 },
    );
  });

  test('reads the sum of two amounts, whatever its last bits are', () => {
    const amount = fc.integer({ min: 1, max: 10_000_000_000 });
    fc.assert(
      fc.property(amount, amount, (a, b) => expect(pence(a / 100 + b / 100)).toBe(a + b)),
      { numRuns: 5_000 },
    );
    expect(pence(0.1 + 0.2)).toBe(30);
    expect(pence(1.1 * 3)).toBe(330);
  });

  test('refuses fractions of a penny, and numbers without exact pence', () => {
    const fraction = fc.integer({ min: 1, max: 1_000_000_000 }).filter((n) => n % 10 !== 0);
    fc.assert(fc.property(fraction, (n) => expect(() => pence(n / 1_000)).toThrow('decimals')));
    for (const number of [1.005, 100 / 3, 1e15 + 0.01, 1e13, 1e300, 1e-7, 0, -0, Number.NaN, 1 / 0]) {
      expect(() => pence(number)).toThrow();
    }
  });

  test('reads texts', () => {
    for (const [text, wanted] of TEXTS) expect([text, pence(text)]).toEqual([text, wanted]);
    expect(pence('90071992547409.91')).toBe(Number.MAX_SAFE_INTEGER);
    for (const text of [...NO_AMOUNTS, '90071992547409.92', '99999999999999999999'])
      expect(() => pence(text)).toThrow();
  });
});

describe.each(SCRIPTS)('$name', (script) => {
  beforeAll(async () => {
    for (const program of ['python3', 'curl', 'jq']) await requireProgram(program);
  });

  test('stores the pence of the text', async () => {
    const account = await TestAccount.create();
    const amounts = fc
      .sample(fc.integer({ min: 1, max: 999_999_999_999_999 }), 400)
      .map((pence): [string, number] => {
        const digits = String(pence).padStart(3, '0');
        return [`${digits.slice(0, -2)}.${digits.slice(-2)}`, pence];
      });
    const all = [...TEXTS, ...amounts];
    const lines = all.map(([text], index) => `2026-04-06,"${text}",${index},income`);
    const file = writeFile('amounts.csv', ['date,amount,reference,type', ...lines].join('\n'));
    const { exitCode } = await runScript(script.push(file, account.sources['uk-property']), {
      key: account.key,
    });
    expect(exitCode).toBe(0);
    const stored = new Map((await rowsOf(account.accountId)).map((row) => [row.externalRef, row]));
    for (const [index, [text, pence]] of all.entries()) {
      const { amountPence } = stored.get(String(index)) ?? {};
      expect([text, amountPence]).toEqual([text, pence]);
    }
  });

  test('refuses what is no amount', async () => {
    const lines = [...NO_AMOUNTS, '99999999999999999999'].map(
      (text, index) => `2026-04-06,"${text}",r${index},income`,
    );
    const file = writeFile('no-amounts.csv', ['date,amount,reference,type', ...lines].join('\n'));
    const { err } = await runScript(script.push(file, 'a'), { key: 'k' });
    for (const [index, line] of lines.entries())
      expect([line, err.includes(`line ${index + 2}: `)]).toEqual([line, true]);
  });
});
