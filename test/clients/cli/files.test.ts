/** The files that `ledger push` and `ledger pull` write: never over a file that they read, never half of one, never before there is something to write. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import * as fs from 'node:fs';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entry } from '../../fixtures/client.ts';
import { type Action, startProxy } from '../proxy.ts';
import { directory, MAIN, newUser, runLedger, runProcess, spawnLedger } from './command.ts';

setDefaultTimeout(60_000);

const CSV = 'Date,Description,Amount,externalRef\n2026-04-06,Rent,950.00,r1\n';
/** Files that earlier commands have written. */
const EARLIER = 'row,status,id,reference,detail,part,source,rule,file\r\n9,known,,,earlier,,,,\r\n';
const BOOKS = 'date,type,category,amount,description,externalRef,id\r\n';
const RULES = 'description contains "rent" -> periodAmount\n';
const REPORT =
  /^row,status,id,reference,detail,part,source,rule,file\r\n2,created,[0-9a-f-]{36},r1,,,uk-property,,[^\r]+\r\n$/;

async function prepared() {
  const user = await newUser();
  const folder = mkdtempSync(join(directory, 'files-'));
  const statement = join(folder, 'st.csv');
  writeFileSync(statement, CSV);
  const push = (...args: string[]) => user.push(statement, 'uk-property', ...args);
  return { ...user, folder, statement, push };
}

const linked = (link: typeof fs.linkSync) => (file: string) => {
  link(file, `${file}-link`);
  return `${file}-link`;
};

test.each<[string, (file: string) => string]>([
  ['by its path', (file) => file],
  ['by another path', (file) => join(file, '..', '.', 'x', '..', file.slice(file.lastIndexOf('/')))],
  ['by a symbolic link', linked(fs.symlinkSync)],
  ['by a hard link', linked(fs.linkSync)],
])('a report is never written over a file that the push reads: %s', async (_, path) => {
  const { account, folder, statement, push } = await prepared();
  const rules = join(folder, 'rules.txt');
  writeFileSync(rules, RULES);
  mkdirSync(join(folder, 'x'));
  for (const file of [statement, rules]) {
    const { exitCode, error } = await push('--rules', rules, '--report', path(file), '--force');
    expect([exitCode, error.message]).toEqual([2, expect.stringContaining('this command reads it')]);
  }
  expect([readFileSync(statement, 'utf8'), readFileSync(rules, 'utf8')]).toEqual([CSV, RULES]);
  expect(await account.entries()).toEqual([]);
});

test('a report is never written over the file on standard input', async () => {
  const { account, env, statement } = await prepared();
  const args = ['push', '-', '-s', 'uk-property', '--yes', '--force', '--report', statement];
  const result = await runProcess(args, { env, input: Bun.file(statement) });
  expect([result.exitCode, readFileSync(statement, 'utf8')]).toEqual([2, CSV]);
  expect(await account.entries()).toEqual([]);
});

test.each<[string, string[], Record<string, string>]>([
  ['such a source', ['-s', 'Nowhere'], {}],
  ['a file that is understood', ['--bank', 'midland'], {}],
  ['rules', ['--rules', '/nowhere/rules.txt'], {}],
  ['a valid key', [], { LEDGER_API_KEY: 'ledger_live_nonsense' }],
  ['a key', [], { LEDGER_API_KEY: '' }],
])(
  'a push that does not begin, without %s, leaves a report as it was, and creates none',
  async (_, more, env) => {
    const { folder, statement, run } = await prepared();
    const report = join(folder, 'report.csv');
    writeFileSync(report, EARLIER);
    for (const path of [report, join(folder, 'new.csv')]) {
      const args = ['push', statement, '-s', 'uk-property', '--yes', '--report', path, ...more];
      expect((await run(args, { env })).exitCode).toBeWithin(1, 3);
    }
    expect(readFileSync(report, 'utf8')).toBe(EARLIER);
    expect(readdirSync(folder).sort()).toEqual(['report.csv', 'st.csv']);
  },
);

test('a file that changes while it is read is refused', async () => {
  const file = join(directory, 'growing.csv');
  writeFileSync(file, `Date,Money in\n${'2026-04-06,1.00\n'.repeat(500_000)}`);
  const timer = setInterval(() => appendFileSync(file, '2026-04-07,1.00\n'), 1);
  const { exitCode, err } = await runLedger(['push', file, '-s', 'Shop', '--offline', '--dry-run']);
  clearInterval(timer);
  expect([exitCode, err]).toEqual([2, expect.stringContaining('changes while it is read')]);
});

describe('a report', () => {
  test('goes into a pipe, and to standard output after the result', async () => {
    const { env, folder, statement, push } = await prepared();
    const pipe = join(folder, 'pipe');
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const reader = Bun.spawn(['cat', pipe], { stdout: 'pipe' });
    expect((await push('--report', pipe)).exitCode).toBe(0);
    expect(await reader.stdout.text()).toMatch(REPORT);

    const args = ['push', statement, '-s', 'uk-property', '--yes', '--json', '--report', '/dev/stdout'];
    const { exitCode, out } = await runProcess(args, { env });
    const [document, report] = out.split(/(?<=\n\}\n)/);
    expect([exitCode, JSON.parse(document ?? '').deduplicated]).toEqual([0, 1]);
    expect(report).toMatch(/^row,status,id,reference,detail,part,source,rule,file\r\n2,known,/);
  });

  test.each<[string, number, object]>([
    ['every entry is stored', 7, { created: 1, remaining: 0 }],
    ['another entry has the reference', 9, { created: 0, taken: [{ row: 2, externalRef: 'r1' }] }],
    ['the service refuses', 1, { created: 0, error: { code: 'server_error' } }],
  ])('that cannot be written does not hide that %s', async (name, exitCode, document) => {
    const { account, folder, statement, run } = await prepared();
    if (name === 'another entry has the reference') await account.post(entry({ externalRef: 'r1' }));
    const reports = join(folder, 'reports');
    mkdirSync(reports);
    await using proxy = await startProxy(({ method, path }) => {
      if (path.includes('/transactions')) fs.rmSync(reports, { recursive: true, force: true });
      if (method === 'GET') return 'pass';
      const body = JSON.stringify({ error: { code: 'server_error', message: 'Refused.' } });
      return name === 'the service refuses' ? { status: 422, body } : 'pass';
    });
    const report = join(reports, 'report.csv');
    const args = ['push', statement, '-s', 'uk-property', '--yes', '--json', '--report', report];
    const result = await run(args, { env: { LEDGER_URL: proxy.url } });
    expect([result.exitCode, result.json()]).toMatchObject([exitCode, document]);
    expect(result.err).toMatch(/^error: There is no report: .*report\.csv cannot be written: ENOENT/);
  });
});

test('without a reader of the output, a push still ends with its report and its exit code, and a pull ends', async () => {
  const { account, env, folder, statement, push } = await prepared();
  expect((await push()).exitCode).toBe(0);
  writeFileSync(statement, CSV.replace('950', '960'));
  const report = join(folder, 'report.csv');
  // `true` ends before the command writes.
  const command = ['bash', '-c', '"$@" 2>&1 | true; echo $PIPESTATUS', 'bash', process.execPath, MAIN];
  const closed = async (...args: string[]) => (await runProcess(args, { env, command })).out;
  const exitCode = await closed('push', statement, '-s', 'uk-property', '--yes', '--report', report);
  expect([exitCode, readFileSync(report, 'utf8')]).toEqual(['5\n', expect.stringContaining('2,conflict,')]);
  await account.post(Array.from({ length: 500 }, () => entry({ description: 'x'.repeat(500) })));
  expect(await closed('pull', '-s', 'uk-property')).toBe('0\n');
});

test('on a full disk behind standard output, a push ends with its report and 7, or its own exit code; a pull ends with 7', async () => {
  const { account, env, folder, statement } = await prepared();
  const report = join(folder, 'report.csv');
  const command = ['bash', '-c', '"$@" >/dev/full', 'bash', process.execPath, MAIN];
  const args = ['push', statement, '-s', 'uk-property', '--yes', '--report', report];
  const full = async (...args: string[]) => {
    const { exitCode, err } = await runProcess(args, { env, command });
    return [exitCode, [...(err.match(/^error: Standard output cannot be written/gm) ?? [])]];
  };
  const told = ['error: Standard output cannot be written'];
  expect(await full(...args)).toEqual([7, told]);
  expect([await account.entries(), readFileSync(report, 'utf8')]).toMatchObject([
    [{ externalRef: 'r1' }],
    expect.stringContaining('2,created,'),
  ]);
  writeFileSync(statement, CSV.replace('950', '960'));
  expect(await full(...args)).toEqual([5, told]);
  await account.post(Array.from({ length: 500 }, () => entry({ description: 'x'.repeat(500) })));
  expect(await full('pull', '-s', 'uk-property')).toEqual([7, told]);
});

describe('pull', () => {
  const pull = (file: string, ...more: string[]) => ['pull', '-s', 'uk-property', '-o', file, ...more];

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that gets %s in the middle changes nothing', async (signal, exitCode) => {
    const { account, env, folder } = await prepared();
    for (let n = 0; n < 450; n += 225) await account.post(Array.from({ length: 225 }, () => entry()));
    const file = join(folder, 'books.csv');
    writeFileSync(file, BOOKS);
    const [requested, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<Action>()];
    let pages = 0;
    await using proxy = await startProxy(({ path }) => {
      if (!path.includes('/transactions') || ++pages < 3) return 'pass';
      requested.resolve();
      return ended.promise;
    });
    const child = spawnLedger(pull(file), { env: { ...env, LEDGER_URL: proxy.url } });
    await requested.promise;
    child.kill(signal);
    expect([await child.stderr.text(), await child.exited]).toEqual(['', exitCode]);
    ended.resolve('drop request');
    expect([readdirSync(folder).sort(), readFileSync(file, 'utf8')]).toEqual([
      ['books.csv', 'st.csv'],
      BOOKS,
    ]);
  });

  test('is never written over the stored keys', async () => {
    const { account, folder, run } = await prepared();
    const env = { XDG_CONFIG_HOME: join(folder, 'config') };
    expect((await run(['login'], { input: account.key, env })).exitCode).toBe(0);
    const profiles = join(folder, 'config/bookkeeping-ledger/profiles.json');
    const stored = readFileSync(profiles, 'utf8');
    const result = await run(pull(profiles, '--force'), { env });
    expect([result.exitCode, readFileSync(profiles, 'utf8')]).toEqual([2, stored]);
    expect(readdirSync(join(profiles, '..'))).toEqual(['profiles.json']);
  });
});
