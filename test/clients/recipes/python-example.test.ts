/** The example in Python: references that it derives, and dates. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { directory, runLedger, writeFile } from '../cli/command.ts';
import { requireProgram } from '../programs.ts';
import { runScript, SCRIPTS } from './scripts.ts';

setDefaultTimeout(60_000);
beforeAll(() => requireProgram('python3'));

const python = SCRIPTS[0] as (typeof SCRIPTS)[number];

test('without references it derives those of the command: both can push a file, and nothing is stored twice', async () => {
  const account = await TestAccount.create();
  const lines = [
    'Date,Amount,Type,Description',
    '2026-04-06,3.20,expense,Coffee',
    '2026-04-06,3.20,expense,Coffee',
    '2026-04-06,3.20,expense,  Coffee\u00a0 ',
    '2026-04-06,3.20,expense,coffee',
    '2026-04-07,950.00,income,Caf\u0065\u0301 \u{1f3e0}',
    '2026-04-07,950.00,income,Caf\u00e9 \u{1f3e0}',
    '2026-04-08,1.00,income,',
  ];
  const push = (header = '', ...rows: string[]) => {
    const file = writeFile('derived.csv', [header, ...rows].join('\n'));
    return runScript(python.push(file, account.sources['uk-property']), { key: account.key });
  };
  const [header, ...rows] = lines;
  // A row that is moved keeps its reference.
  const moved = [...rows.slice(-1), ...rows.slice(0, -1)];
  expect((await push(header, ...moved)).err).toBe('7 created, 0 known, 0 conflict\n');
  expect((await push(...lines)).err).toBe('0 created, 7 known, 0 conflict\n');
  const file = join(directory, 'derived.csv');
  const args = ['push', file, '-s', 'uk-property', '--yes', '--json'];
  const { json } = await runLedger(args, { env: { LEDGER_API_KEY: account.key } });
  expect(json()).toMatchObject({ created: 0, deduplicated: 7 });
  expect(await rowsOf(account.accountId)).toHaveLength(7);
});

test('reads dates in the format of --date-format', async () => {
  const account = await TestAccount.create();
  const file = writeFile('dates.csv', 'date,amount,type\n06/04/2026,1,income');
  const command = python.push(file, account.sources['uk-property']);
  expect((await runScript(command, { key: account.key })).err).toMatch(/line 2: .*06\/04\/2026/);
  await runScript([...command, '--date-format', '%d/%m/%Y'], { key: account.key });
  expect((await rowsOf(account.accountId)).map(({ date }) => date)).toEqual(['2026-04-06']);
});

test('a list ends quietly when its reader has enough', async () => {
  const account = await TestAccount.create();
  await account.post(
    Array.from({ length: 500 }, (_, n) => entry({ description: 'x'.repeat(400), externalRef: `${n}` })),
  );
  const [program = '', file = ''] = python.push('', '');
  const list = `${program} ${file} list --source ${account.sources['uk-property']} | head -n 1`;
  const { out, err } = await runScript(['bash', '-o', 'pipefail', '-c', list], { key: account.key });
  expect([out, err]).toEqual(['date,type,category,amount,description,externalRef,id\r\n', '']);
});
