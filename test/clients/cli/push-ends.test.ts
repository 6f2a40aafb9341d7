/** The ends of `ledger push` before it has sent anything: the document, the report, and the reads of the books. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy } from '../proxy.ts';
import { directory, newUser, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const HEADER = 'Date,Description,Money in,Balance,Account';
const statement = (name: string, ...rows: string[]) => writeFile(name, [HEADER, ...rows, ''].join('\n'));
const JUNE = ['2026-06-01,RENT A,900.00,900.00,Joint', '2026-06-02,RENT B,800.00,1700.00,Joint'];

test('a push that ends before the comparison leaves the report of an earlier push as it was', async () => {
  const { push } = await newUser();
  const report = join(directory, 'push-ends-report.csv');
  const june = statement('push-ends-june.csv', ...JUNE);
  expect(await push(june, 'uk-property', '--report', report)).toMatchObject({ exitCode: 0, created: 2 });
  const earlier = readFileSync(report, 'utf8');
  expect(earlier).toContain('Joint,2026-06-02,1700.00');
  for (const [file, exitCode] of [
    [statement('push-ends-broken.csv', '2026-07-01,RENT C,1.2.3,1700.00,Joint'), 3],
    [statement('push-ends-empty.csv'), 0],
  ] as const) {
    const ended = await push(file, 'uk-property', '--report', report);
    expect([ended.exitCode, ended.new, readFileSync(report, 'utf8')]).toEqual([exitCode, null, earlier]);
  }
});

test('a push of a file that changes before the first request says what the books have of it', async () => {
  const { account, run, push } = await newUser();
  const june = statement('push-ends-changed.csv', ...JUNE);
  await push(statement('push-ends-first.csv', ...JUNE.slice(0, 1)));
  await using proxy = await startProxy(({ path }) => {
    if (path.includes('/transactions')) writeFileSync(june, `${HEADER}\n`);
    return 'pass';
  });
  const { exitCode, json } = await run(['push', june, '-s', 'uk-property', '--yes', '--json'], {
    env: { LEDGER_URL: proxy.url },
  });
  expect([exitCode, json()]).toMatchObject([2, { new: 1, known: 1, elsewhere: 0, created: 0 }]);
  expect(await account.entries()).toHaveLength(1);
});

test('a push without new entries reads the books once', async () => {
  const { account, run, push } = await newUser();
  const june = statement('push-ends-again.csv', ...JUNE);
  await push(june);
  await using proxy = await startProxy();
  const { exitCode, json } = await run(['push', june, '-s', 'uk-property', '--yes', '--json'], {
    env: { LEDGER_URL: proxy.url },
  });
  expect([exitCode, json()]).toMatchObject([0, { created: 0, deduplicated: 2, remaining: 0 }]);
  const reads = proxy.requests.filter(({ path }) => path.includes('/transactions'));
  expect(reads).toHaveLength(Object.keys(account.sources).length);
});
