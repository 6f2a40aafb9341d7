/** The files that `ledger push` and `ledger pull` write: never over a file that they read, never half of one, never before there is something to write. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';
import { type CommandOptions, directory, MAIN, runLedger, spawnLedger } from './command.ts';

setDefaultTimeout(60_000);

const CSV = 'Date,Description,Amount,externalRef\n2026-04-06,Rent,950.00,r1\n';
const RULES = 'description contains "rent" -> periodAmount\n';
const REPORT = /^row,status,id,reference,detail\r\n2,created,[0-9a-f-]{36},r1,\r\n$/;

async function prepared() {
  const account = await TestAccount.create();
  const folder = mkdtempSync(join(directory, 'files-'));
  const statement = join(folder, 'st.csv');
  writeFileSync(statement, CSV);
  const options: CommandOptions = { env: { LEDGER_API_KEY: account.key } };
  const push = (...args: string[]) =>
    runLedger(['push', statement, '-s', 'uk-property', '--yes', '--json', ...args], options);
  return { account, folder, statement, options, push };
}

describe('a report is never written over a file that the push reads', () => {
  test.each<[string, (file: string, link: string) => string]>([
    ['by its path', (file) => file],
    ['by another path', (file) => join(file, '..', '.', 'x', '..', file.slice(file.lastIndexOf('/')))],
    [
      'by a symbolic link',
      (file, link) => {
        symlinkSync(file, link);
        return link;
      },
    ],
    [
      'by a hard link',
      (file, link) => {
        linkSync(file, link);
        return link;
      },
    ],
  ])('%s', async (_, path) => {
    const { account, folder, statement, push } = await prepared();
    const rules = join(folder, 'rules.txt');
    writeFileSync(rules, RULES);
    mkdirSync(join(folder, 'x'));
    for (const [file, content] of [
      [statement, CSV],
      [rules, RULES],
    ] as const) {
      const result = await push('--rules', rules, '--report', path(file, `${file}-link`));
      expect([result.exitCode, result.json().error.message]).toEqual([
        2,
        expect.stringContaining('this command reads it'),
      ]);
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
    expect(await account.entries()).toEqual([]);
  });

  test('on standard input', async () => {
    const { account, statement, options } = await prepared();
    const args = ['push', '-', '-s', 'uk-property', '--yes', '--report', statement];
    const result = await runLedger(args, { ...options, input: Bun.file(statement) });
    expect([result.exitCode, readFileSync(statement, 'utf8')]).toEqual([2, CSV]);
    expect(await account.entries()).toEqual([]);
  });
});

describe('a push that does not begin', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['without such a source', ['-s', 'Nowhere'], {}],
    ['without a file that is understood', ['--bank', 'midland'], {}],
    ['without rules', ['--rules', '/nowhere/rules.txt'], {}],
    ['without a valid key', [], { LEDGER_API_KEY: 'ledger_live_nonsense' }],
    ['without a key', [], { LEDGER_API_KEY: '' }],
  ])('%s leaves a report as it was, and creates none', async (_, args, env) => {
    const { folder, statement, options } = await prepared();
    const report = join(folder, 'report.csv');
    const push = () =>
      runLedger(['push', statement, '-s', 'uk-property', '--yes', '--report', report, ...args], {
        env: { ...options.env, ...env },
      });
    expect((await push()).exitCode).toBeWithin(1, 3);
    expect(existsSync(report)).toBe(false);
    writeFileSync(report, 'before');
    expect((await push()).exitCode).toBeWithin(1, 3);
    expect(readFileSync(report, 'utf8')).toBe('before');
    expect(readdirSync(folder).sort()).toEqual(['report.csv', 'st.csv']);
  });
});

describe('a report', () => {
  test('replaces an earlier one, and nothing else is left', async () => {
    const { folder, push } = await prepared();
    const report = join(folder, 'report.csv');
    writeFileSync(
      report,
      'before, and much longer than the report of one row that takes its place: '.repeat(9),
    );
    expect((await push('--report', report)).exitCode).toBe(0);
    expect(readFileSync(report, 'utf8')).toMatch(REPORT);
    expect(readdirSync(folder).sort()).toEqual(['report.csv', 'st.csv']);
  });

  test('goes into a pipe, and to standard output after the result', async () => {
    const { folder, push } = await prepared();
    const pipe = join(folder, 'pipe');
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const reader = Bun.spawn(['cat', pipe], { stdout: 'pipe' });
    expect((await push('--report', pipe)).exitCode).toBe(0);
    expect(await reader.stdout.text()).toMatch(REPORT);

    const { exitCode, out } = await push('--report', '/dev/stdout');
    const [document, report] = out.split(/(?<=\n\}\n)/);
    expect([exitCode, JSON.parse(document ?? '').deduplicated]).toEqual([0, 1]);
    expect(report).toMatch(/^row,status,id,reference,detail\r\n2,known,/);
  });

  test.each<[string, number, object]>([
    ['every entry is stored', 7, { created: 1, remaining: 0 }],
    ['a reference is in conflict', 5, { created: 0, conflicts: [{ row: 2, externalRef: 'r1' }] }],
    ['the service refuses', 1, { created: 0, error: { code: 'server_error' } }],
  ])('that cannot be written does not hide that %s', async (name, exitCode, document) => {
    const { account, folder, statement } = await prepared();
    if (name === 'a reference is in conflict') await account.post(entry({ externalRef: 'r1' }));
    const reports = join(folder, 'reports');
    mkdirSync(reports);
    await using proxy = await startProxy(({ method, path }) => {
      if (path.includes('/transactions')) rmSync(reports, { recursive: true, force: true });
      if (method === 'GET') return 'pass';
      const body = JSON.stringify({ error: { code: 'server_error', message: 'Refused.' } });
      return name === 'the service refuses' ? { status: 422, body } : 'pass';
    });
    const args = ['push', statement, '-s', 'uk-property', '--yes', '--json'];
    const result = await runLedger([...args, '--report', join(reports, 'report.csv')], {
      env: { LEDGER_API_KEY: account.key, LEDGER_URL: proxy.url },
    });
    expect([result.exitCode, result.json()]).toMatchObject([exitCode, document]);
    expect(result.err).toMatch(/^error: There is no report: .*report\.csv cannot be written: ENOENT/);
  });
});

test('without a reader of the output, a push still ends with its report and its exit code, and a pull ends', async () => {
  const { account, folder, statement, push } = await prepared();
  expect((await push()).exitCode).toBe(0);
  writeFileSync(statement, CSV.replace('950', '960'));
  const report = join(folder, 'report.csv');
  const closed = async (...args: string[]) => {
    // `true` ends before the command writes.
    const command = ['bash', '-c', '"$@" 2>&1 | true; echo $PIPESTATUS', 'bash', process.execPath, MAIN];
    return (await runLedger(args, { env: { LEDGER_API_KEY: account.key }, command })).out;
  };
  const exitCode = await closed('push', statement, '-s', 'uk-property', '--yes', '--report', report);
  expect([exitCode, readFileSync(report, 'utf8')]).toEqual(['5\n', expect.stringContaining('2,conflict,')]);
  await account.post(Array.from({ length: 500 }, () => entry({ description: 'x'.repeat(500) })));
  expect(await closed('pull', '-s', 'uk-property')).toBe('0\n');
});

describe('pull', () => {
  /** A source of 450 entries, whose third page `act` replaces. */
  async function preparedPull(exists: boolean) {
    const { account, folder } = await prepared();
    for (let n = 0; n < 450; n += 225) await account.post(Array.from({ length: 225 }, () => entry()));
    const file = join(folder, 'books.csv');
    if (exists) writeFileSync(file, 'before');
    const files = exists ? ['books.csv', 'st.csv'] : ['st.csv'];
    const isUnchanged = () => {
      expect(readdirSync(folder).sort()).toEqual(files);
      if (exists) expect(readFileSync(file, 'utf8')).toBe('before');
    };
    return { account, file, isUnchanged };
  }
  const args = (file: string) => ['pull', '-s', 'uk-property', '-o', file];

  test.each([false, true])(
    'with a file before (%p), a failure in the middle changes nothing',
    async (exists) => {
      const { account, file, isUnchanged } = await preparedPull(exists);
      let pages = 0;
      await using proxy = await startProxy(({ path }) => {
        if (!path.includes('/transactions') || ++pages < 3) return 'pass';
        return {
          status: 404,
          body: JSON.stringify({ error: { code: 'source_not_found', message: 'Gone.' } }),
        };
      });
      const env = { LEDGER_API_KEY: account.key, LEDGER_URL: proxy.url };
      const result = await runLedger(args(file), { env });
      expect([result.exitCode, result.out, result.err, pages]).toEqual([1, '', 'error: Gone.\n', 3]);
      isUnchanged();
    },
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in the middle changes nothing', async (signal, exitCode) => {
    const { account, file, isUnchanged } = await preparedPull(true);
    let pages = 0;
    await using proxy = await startProxy(({ path }) => {
      if (!path.includes('/transactions') || ++pages < 3) return 'pass';
      return { ...RATE_LIMITED, headers: { 'retry-after': '60' } };
    });
    const child = spawnLedger(args(file), {
      env: { LEDGER_API_KEY: account.key, LEDGER_URL: proxy.url },
    });
    await until('the third page is requested', () => pages === 3);
    child.kill(signal);
    expect(await child.exited).toBe(exitCode);
    isUnchanged();
  });

  test('is never written over the stored keys', async () => {
    const { account, folder } = await prepared();
    const XDG_CONFIG_HOME = join(folder, 'config');
    const login = await runLedger(['login'], { input: account.key, env: { XDG_CONFIG_HOME } });
    expect(login.exitCode).toBe(0);
    const profiles = join(XDG_CONFIG_HOME, 'bookkeeping-ledger/profiles.json');
    const stored = readFileSync(profiles, 'utf8');
    const result = await runLedger(args(profiles), { env: { XDG_CONFIG_HOME } });
    expect([result.exitCode, readFileSync(profiles, 'utf8')]).toEqual([2, stored]);
    expect(readdirSync(join(profiles, '..'))).toEqual(['profiles.json']);
  });
});
