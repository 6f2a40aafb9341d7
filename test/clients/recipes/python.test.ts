/** The Python recipe: references that it derives, dates, and its use as a library. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { runLedger } from '../cli/command.ts';
import { requireProgram, runScript, SCRIPTS, writeFile } from './scripts.ts';

setDefaultTimeout(60_000);
beforeAll(() => requireProgram('python3'));

const FILE = join(import.meta.dir, '../../../clients/recipes/python/ledger.py');
const python = SCRIPTS[0] as (typeof SCRIPTS)[number];

test('without references it derives those of the command: both can push a file, and nothing is stored twice', async () => {
  const account = await TestAccount.create();
  const lines = [
    'Date,Amount,Description',
    '2026-04-06,-3.20,Coffee',
    '2026-04-06,-3.20,Coffee',
    '2026-04-06,-3.20,  Coffee\u00a0 ',
    '2026-04-06,-3.20,coffee',
    '2026-04-07,950.00,Caf\u0065\u0301 \u{1f3e0}',
    '2026-04-07,950.00,Caf\u00e9 \u{1f3e0}',
    '2026-04-08,1.00,',
  ];
  const file = writeFile('derived.csv', lines.join('\n'));
  const push = () => runScript(python.push(file, account.sources['uk-property']), { key: account.key });
  expect((await push()).err).toBe('7 created, 0 known, 0 conflict\n');
  expect((await push()).err).toBe('0 created, 7 known, 0 conflict\n');
  const args = ['push', file, '-s', 'uk-property', '--yes', '--json'];
  const { json } = await runLedger(args, { env: { LEDGER_API_KEY: account.key } });
  expect(json()).toMatchObject({ created: 0, deduplicated: 7 });
  expect(await rowsOf(account.accountId)).toHaveLength(7);
});

test('a row that is moved keeps its derived reference', async () => {
  const account = await TestAccount.create();
  const [header, ...rows] = ['date,amount', '2026-04-06,1', '2026-04-06,2', '2026-04-06,1'];
  const push = (lines: (string | undefined)[]) =>
    runScript(python.push(writeFile('moved.csv', lines.join('\n')), account.sources['uk-property']), {
      key: account.key,
    });
  await push([header, ...rows]);
  expect((await push([header, ...rows.reverse()])).err).toBe('0 created, 3 known, 0 conflict\n');
});

test('reads dates in the format that it is told', async () => {
  const account = await TestAccount.create();
  const file = writeFile('dates.csv', 'date,amount\n06/04/2026,1');
  const command = python.push(file, account.sources['uk-property']);
  expect((await runScript(command, { key: account.key })).err).toMatch(/line 2: .*06\/04\/2026/);
  await runScript([...command, '--date-format', '%d/%m/%Y'], { key: account.key });
  expect((await rowsOf(account.accountId)).map(({ date }) => date)).toEqual(['2026-04-06']);
});

test('can be imported by a program', async () => {
  const account = await TestAccount.create();
  const program = `
import sys; sys.path.insert(0, ${JSON.stringify(join(FILE, '..'))})
from ledger import Ledger
ledger = Ledger(${JSON.stringify(system.url)}, ${JSON.stringify(account.key)})
source = ledger.sources()[0]["id"]
entry = {"date": "2026-04-06", "type": "income", "amountPence": 45000, "externalRef": "rent-7"}
print([status for _, status, _, _ in ledger.push(source, [entry])])
print([each["externalRef"] for each in ledger.entries(source, **{"from": "2026-04-06"})])`;
  const { err, out } = await runScript(['python3', '-B', '-c', program], { key: '' });
  expect([err, out]).toEqual(['', "['created']\n['rent-7']\n"]);
});

test('is written in the language of Python 3.9', async () => {
  const check = 'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))';
  expect(await runScript(['python3', '-c', check, FILE], { key: '' })).toEqual({
    exitCode: 0,
    out: '',
    err: '',
  });
});
