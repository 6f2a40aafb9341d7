/** The bash recipe: NDJSON as it is written, and a key that no other process sees. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { writeFile } from '../cli/command.ts';
import { requireProgram } from '../programs.ts';
import { startProxy } from '../proxy.ts';
import { runScript, SCRIPTS, spawnScript } from './scripts.ts';

setDefaultTimeout(60_000);
beforeAll(async () => {
  for (const program of ['curl', 'jq']) await requireProgram(program);
});

const bash = SCRIPTS[1] as (typeof SCRIPTS)[number];

async function push(account: TestAccount, lines: string[]) {
  const file = writeFile('entries.ndjson', lines.join('\n'));
  return runScript(bash.push(file, account.sources['uk-property']), { key: account.key });
}

test('pushes NDJSON, and skips empty lines', async () => {
  const account = await TestAccount.create();
  const description = '=HYPERLINK("x")\u2028\\ é';
  const lines = [entry({ externalRef: 'a', description }), entry({ externalRef: 'b' })].map((each) =>
    JSON.stringify(each),
  );
  const { exitCode, out } = await push(account, [lines[0] ?? '', '', `  ${lines[1]}\r`]);
  expect([exitCode, out.split('\n').map((line) => line.split(',').slice(0, 2).join())]).toEqual([
    0,
    ['line,status', '1,"created"', '3,"created"', ''],
  ]);
  expect((await rowsOf(account.accountId)).map((row) => row.description)).toEqual([null, description]);
});

test('an amount of 450.00 arrives as it is written, so that the API refuses it', async () => {
  const account = await TestAccount.create();
  const { exitCode, err } = await push(account, [
    JSON.stringify(entry({ externalRef: 'a' })),
    '{"date": "2026-04-06", "type": "income", "amountPence": 450.00, "externalRef": "b"}',
  ]);
  expect([exitCode, await rowsOf(account.accountId)]).toEqual([1, []]);
  expect(err).toMatch(/line 2 amountPence: .*450\.00 pounds is 45000/);
});

test('each line that is no entry with a reference is named, and nothing is sent', async () => {
  const wrong = [
    '{"externalRef":"a"},{"externalRef":"b"}',
    '[{"externalRef":"a"}]',
    '{"amountPence":1}',
    '{"externalRef":7}',
    'date,amount',
  ];
  const account = await TestAccount.create();
  for (const line of wrong) {
    const { exitCode, out, err } = await push(account, ['{"externalRef":"ok"}', line]);
    expect([line, exitCode, out, err]).toEqual([
      ...[line, 1, ''],
      expect.stringMatching(/^line 2: .*\nerror: Nothing was sent\.\n$/),
    ]);
  }
});

test('a source that is no id is refused before anything is sent', async () => {
  const { exitCode, err } = await runScript(bash.list('12 Acacia Avenue'), { key: 'k' });
  expect([exitCode, err]).toEqual([1, 'error: 12 Acacia Avenue is not the id of a source\n']);
});

test.skipIf(process.platform !== 'linux')('the key is in the arguments of no process', async () => {
  const key = 'ledger_live_UNSEEN';
  const commandLines = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      });
  let seen: string[] = [];
  await using proxy = await startProxy(() => {
    seen = commandLines();
    return { status: 401, body: '' };
  });
  const child = spawnScript(bash.sources(), { key, url: proxy.url });
  await until('a request was sent', () => seen.length > 0);
  await child.exited;
  expect(proxy.requests[0]?.authorization).toBe(`Bearer ${key}`);
  expect(seen.filter((line) => line.startsWith('curl') && line.includes(proxy.url))).toHaveLength(1);
  expect(seen.filter((line) => line.includes(key))).toEqual([]);
});

test.each(['', '{}', '{"status":"ok"}', '{"existing":null}', '[]'])(
  'a success without the lists of the API confirms no entry: %j',
  async (body) => {
    const account = await TestAccount.create();
    const source = account.sources['uk-property'];
    const file = writeFile('entries.ndjson', JSON.stringify(entry({ externalRef: 'a' })));
    await using proxy = await startProxy(() => ({ status: 200, body }));
    const run = (command: string[]) => runScript(command, { key: account.key, url: proxy.url });
    const pushed = await run(bash.push(file, source));
    expect([pushed.exitCode, pushed.out]).toEqual([1, 'line,status,id,reference,differs\n']);
    expect(pushed.err).toContain('1 entries are not confirmed. Push the file again later');
    for (const reading of [bash.sources(), bash.list(source)]) {
      const { exitCode, out, err } = await run(reading);
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toContain('is not one of the API');
    }
    expect(await rowsOf(account.accountId)).toEqual([]);
  },
);
