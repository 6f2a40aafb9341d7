/** docs/security.md claims nothing that no test holds. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { readConfig as readGatewayConfig } from '../../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../../ledger-worker/config.ts';
import { isThere, read } from '../fixtures/checkout.ts';
import { citedTests, hasTest, hasTestOf } from '../fixtures/cited-tests.ts';

const page = read('docs/security.md');

/** The rows of the table of risks: number, and the tests of the last cell, `file`: `name` each. */
const risks = [...page.matchAll(/^\| API(\d+):2023 .*$/gm)].map(([row, number]) => {
  const tests = citedTests(row.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '');
  return { number: Number(number), tests };
});
const references = risks.flatMap(({ tests }) => tests);

test('the table has each of the ten risks once, in their order, with the tests that hold it', () => {
  expect(risks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const { tests } of risks) expect(tests.length).toBeGreaterThan(2);
});

test.each(references)('there is a test as named: $file: $name', (reference) => {
  expect(hasTestOf(reference)).toBe(true);
});

test('a test that is missing or has another name would be seen', () => {
  expect(hasTest("test('a rule', () => {", 'a rule')).toBe(true);
  expect(hasTest("test.each(X)(\n  'a rule: %s',\n  async", 'a rule: %s')).toBe(true);
  expect(hasTest("test('a rule of another kind', () => {", 'a rule')).toBe(false);
});

test('every file of these tests is on the page', () => {
  const files = readdirSync(import.meta.dir).filter((file) => file.endsWith('.test.ts'));
  expect(files.filter((file) => !page.includes(`test/security/${file}`))).toEqual([]);
});

test('every file that the page names is there', () => {
  const named = [...page.matchAll(/`(?:bun )?((?:test|local|compose|docs)[\w./-]*\.(?:ts|yaml|md))`/g)];
  expect(named.length).toBeGreaterThan(40);
  for (const [, file = ''] of named) expect([file, isThere(file)]).toEqual([file, true]);
});

test('the addresses are those at which the processes listen by default', () => {
  const { HOST, PORT } = readGatewayConfig({});
  const { LISTEN_ADDRESS, ADMIN_ADDRESS } = readWorkerConfig({
    DATABASE_URL: 'postgres://ledger@localhost/ledger',
  });
  expect(page).toContain(`| Gateway | \`${HOST}:${PORT}\` |`);
  expect(page).toContain(`| Ledger, of the worker | \`${LISTEN_ADDRESS}\` |`);
  expect(page).toContain(`| Admin, of the worker | \`${ADMIN_ADDRESS}\` |`);
});
