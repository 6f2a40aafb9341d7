/** The command `ledger`, against the real service. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../../clients/cli/exit.ts';
import { entry, type TestAccount } from '../../fixtures/client.ts';
import { ageWrites, use } from '../../fixtures/day.ts';
import { admin, system } from '../../fixtures/system.ts';
import { directory, newUser, runLedger, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const { account, run } = await newUser();

const BANK_CSV = `Date,Description,Money In,Money Out
06/04/2026,Rent April,950.00,
07/04/2026,Boiler repair,,120.50
28/04/2026,Coffee,,3.20
28/04/2026,Coffee,,3.20
28/04/2026,Coffee,,3.20
`;
const BANK_FILE = writeFile('bank.csv', BANK_CSV);

describe('login', () => {
  test.serial('checks the key, stores it for the user only, and shows it nowhere', async () => {
    const result = await runLedger(['login'], { input: `${account.key}\n` });
    expect([result.exitCode, result.err]).toEqual([0, '']);
    expect(result.out).toContain(account.accountId);
    expect(result.out + result.err).not.toContain(account.key);
    const file = join(directory, 'config/bookkeeping-ledger/profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8')).default).toEqual({ url: system.url, apiKey: account.key });
    expect((await runLedger(['whoami', '--json'])).json()).toMatchObject({ accountId: account.accountId });

    expect((await runLedger(['logout'])).exitCode).toBe(0);
    const after = await runLedger(['whoami']);
    expect([after.exitCode, after.out]).toEqual([2, '']);
    expect(after.err).toContain('ledger login');
  });

  test.serial(
    'a key that reads only is stored and said to be so, and a push with it is refused before a file is read',
    async () => {
      const { accountId } = account;
      const { key } = await admin.createKey({ accountId, readOnly: true });
      const before = await account.entries();
      const env = { LEDGER_PROFILE: 'reader' };
      const login = await runLedger(['login'], { env, input: `${key}\n` });
      expect([login.exitCode, login.out]).toEqual([0, expect.stringContaining('The key reads only')]);
      expect((await runLedger(['whoami'], { env })).out).toContain('The key reads only');
      const source = ['--source', account.sources['uk-property']];
      for (const file of [BANK_FILE, 'no-such-file.csv']) {
        const push = await runLedger(['push', file, ...source, '--yes', '--json'], { env });
        expect([push.exitCode, push.json().error]).toEqual([
          1,
          {
            code: 'read_only_key',
            message: expect.stringMatching(/Log in with a key that can write.*--dry-run/),
          },
        ]);
      }
      expect((await runLedger(['push', BANK_FILE, ...source, '--dry-run'], { env })).exitCode).toBe(0);
      expect(await account.entries()).toEqual(before);
      expect((await runLedger(['logout'], { env })).exitCode).toBe(0);
    },
  );

  test.serial('a key that the service rejects is not stored', async () => {
    const result = await runLedger(['login', '--profile', 'bad'], { input: 'ledger_live_nonsense\n' });
    expect([result.exitCode, result.out]).toEqual([1, '']);
    expect(result.err).toMatch(/^error: The API key is malformed/);
    expect((await runLedger(['whoami', '--profile', 'bad'])).exitCode).toBe(2);
  });
});

test('sources and categories are listed', async () => {
  expect((await run(['sources', '--json'])).json().sources).toHaveLength(3);
  expect((await run(['sources'])).out).toContain(account.sources['uk-property']);
  const set = (await run(['categories', 'uk-property', '--json'])).json();
  expect(set.income[0]).toHaveProperty('key');
});

describe('push', () => {
  test('creates the rows of a file once, however often it is pushed; identical rows survive', async () => {
    const { account: own, push } = await newUser();
    const [income, expense] = [
      { count: 1, pence: 95_000 },
      { count: 4, pence: 13_010 },
    ];
    expect(await push(BANK_FILE)).toMatchObject({
      exitCode: 0,
      err: '',
      file: BANK_FILE,
      bank: null,
      dryRun: false,
      rows: 5,
      entries: 5,
      skipped: [],
      invalid: [],
      warnings: [],
      leftOut: [],
      probable: [],
      income,
      expense,
      summary: {
        categories: [{ source: 'uk-property', category: null, type: 'income', ...income }, expense],
      },
      new: 5,
      known: 0,
      elsewhere: 0,
      created: 5,
      deduplicated: 0,
      conflicts: [],
      remaining: 0,
    });
    expect(await push(BANK_FILE)).toMatchObject({ created: 0, deduplicated: 5 });
    const stored = await own.entries();
    expect(stored.map(({ date, type, amountPence }) => [date, type, amountPence]).sort()).toEqual([
      ['2026-04-06', 'income', 95_000],
      ['2026-04-07', 'expense', 12_050],
      ['2026-04-28', 'expense', 320],
      ['2026-04-28', 'expense', 320],
      ['2026-04-28', 'expense', 320],
    ]);
  });

  test('with an invalid row nothing is sent, unless --skip-invalid is given', async () => {
    const { account: own, push } = await newUser();
    const file = writeFile('invalid.csv', `${BANK_CSV}29/04/2026,Bad,,1.234\n`);
    const report = join(directory, 'report.csv');
    expect(await push(file)).toMatchObject({
      exitCode: 3,
      created: 0,
      invalid: [{ row: 7, value: '1.234' }],
    });
    expect(await own.entries()).toEqual([]);
    const sent = await push(file, 'uk-property', '--skip-invalid', '--report', report);
    expect(sent).toMatchObject({ exitCode: 0, created: 5 });
    const lines = readFileSync(report, 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('row,status,id,reference,detail,part,source,rule,file');
    expect(lines[1]).toMatch(/^2,created,[0-9a-f-]{36},/);
    expect(lines[6]).toMatch(/^7,invalid,/);
  });

  test('at the daily cap with --no-wait it stops, and says what is left; a day later the same command goes on', async () => {
    const { account: own, push } = await newUser();
    await use(own, ...Array(9).fill(500), 499);
    const stopped = await push(BANK_FILE, 'uk-property', '--no-wait');
    expect(stopped).toMatchObject({ exitCode: 4, created: 1, remaining: 4, stoppedBy: 'daily_cap' });
    await ageWrites(own.accountId, 25 * 3_600);
    const next = await push(BANK_FILE, 'uk-property', '--no-wait');
    expect(next).toMatchObject({ exitCode: 0, created: 4, deduplicated: 1, remaining: 0 });
  });

  test('without a terminal and without --yes it does not send', async () => {
    const result = await run(['push', BANK_FILE, '-s', 'uk-property']);
    expect([result.exitCode, result.out]).toEqual([2, '']);
    expect(result.err).toContain('--yes');
  });
});

const dayInLondon = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/London' });

test('a file of each format reproduces the books, and reconcile finds nothing', async () => {
  const before = dayInLondon();
  const from = await newUser();
  const texts = ['=1+1', 'a "quoted", line\nbreak', "'=x", ' spaces  within ', '', '\n=1+1', 'x'.repeat(500)];
  const entries = texts.map((description, n) => entry({ description, amountPence: n + 1 }));
  await from.account.post([...entries, entry({ externalRef: '-a' }), entry({ date: '0001-01-01' })]);
  for (const format of ['csv', 'xlsx', 'json', 'ndjson']) {
    const file = join(directory, `books.${format}`);
    expect((await from.run(['pull', '-s', 'uk-property', '-o', file])).exitCode).toBe(0);
    expect(await from.push(file)).toMatchObject({ exitCode: 0, created: 0, known: 9, conflicts: [] });
    const compared = await from.run(['reconcile', file, '-s', 'uk-property', '--json']);
    expect(compared.json()).toMatchObject({ isReconciled: true, breaks: 0, otherEntries: [] });
  }
  const file = join(directory, 'books.csv');
  const [header = '', ...rows] = readFileSync(file, 'utf8').split('\r\n');
  expect(header).toBe('date,type,category,amount,description,externalRef,id,recordedOn');
  const days = [before, dayInLondon()];
  expect(rows.every((row) => row === '' || days.includes(row.slice(-'YYYY-MM-DD'.length)))).toBe(true);
  // As an earlier version wrote it, which the next one replaces.
  const earlier = writeFile(
    'earlier-books.csv',
    [header, ...rows].join('\r\n').replaceAll(/,[^,\r\n]*\r\n/g, '\r\n'),
  );
  expect(readFileSync(earlier, 'utf8')).toStartWith(
    'date,type,category,amount,description,externalRef,id\r\n',
  );
  expect(await from.push(earlier)).toMatchObject({ exitCode: 0, created: 0, known: 9, conflicts: [] });
  expect((await from.run(['pull', '-s', 'uk-property', '-o', earlier])).exitCode).toBe(0);
  expect(readFileSync(earlier, 'utf8')).toBe(readFileSync(file, 'utf8'));
  // Of another account.
  const to = await newUser();
  expect(await to.push(file)).toMatchObject({ exitCode: 3, created: 0 });
  const allowed = await to.push(file, 'uk-property', '--allow-date', '0001-01-01');
  expect(allowed).toMatchObject({ exitCode: 0, created: 9 });
  const contentOf = async (owner: TestAccount) =>
    (await owner.entries())
      .map(({ date, type, amountPence, description }) => [date, type, amountPence, description || null])
      .sort();
  expect(await contentOf(to.account)).toEqual(await contentOf(from.account));
});

test('summary adds up by month', async () => {
  const { run, push } = await newUser();
  await push(BANK_FILE);
  const { total, rows } = (await run(['summary', '-s', 'uk-property', '--json'])).json();
  expect(rows).toEqual([
    { month: '2026-04', count: 5, incomePence: 95_000, expensePence: 13_010, netPence: 81_990 },
  ]);
  expect(total.netPence).toBe(81_990);
  expect((await run(['summary', '-s', 'uk-property'])).out).toContain('819.90');
});

test('the help and the page of the documents have every exit code', async () => {
  const codes = Object.values(EXIT).map(String);
  const [, inHelp = ''] = /^Exit codes: (.*)\.$/m.exec((await runLedger(['--help'])).out) ?? [];
  expect(inHelp.split(', ').map((each) => each.split(' ')[0])).toEqual(codes);
  const page = readFileSync(join(import.meta.dir, '../../../docs/ledger-documents.md'), 'utf8');
  expect([...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => code)).toEqual(codes);
});

test('every command has help with examples, and is in the completion of each shell', async () => {
  const help = await runLedger(['--help']);
  const commands = [...help.out.matchAll(/^ {2}([a-z]+)[ |]/gm)].map(([, name = '']) => name);
  expect(commands).toContain('reconcile');
  const pages = await Promise.all(commands.map((name) => runLedger([name, '--help'])));
  for (const { exitCode, out } of pages)
    expect([exitCode, out]).toEqual([0, expect.stringContaining('$ ledger ')]);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out } = await runLedger(['completion', shell]);
    for (const name of commands.filter((each) => each !== 'help')) expect(out).toContain(name);
  }
});
