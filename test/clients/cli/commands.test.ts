/** The command `ledger`, against the real service. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { directory, runLedger, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const env = { LEDGER_API_KEY: account.key };
const UK = account.sources['uk-property'];

const BANK_CSV = `Date,Description,Money In,Money Out
06/04/2026,Rent April,950.00,
07/04/2026,Boiler repair,,120.50
28/04/2026,Coffee,,3.20
28/04/2026,Coffee,,3.20
28/04/2026,Coffee,,3.20
`;

describe('login', () => {
  test('checks the key, stores it for the user only, and shows it nowhere', async () => {
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

  test('a key that the service rejects is not stored', async () => {
    const result = await runLedger(['login', '--profile', 'bad'], { input: 'ledger_live_nonsense\n' });
    expect([result.exitCode, result.out]).toEqual([1, '']);
    expect(result.err).toMatch(/^error: The API key is malformed/);
    expect((await runLedger(['whoami', '--profile', 'bad'])).exitCode).toBe(2);
  });
});

test('sources and categories are listed', async () => {
  const { sources } = (await runLedger(['sources', '--json'], { env })).json();
  expect(sources).toHaveLength(3);
  const table = await runLedger(['sources'], { env });
  expect(table.out).toContain(UK);
  const set = (await runLedger(['categories', 'uk-property', '--json'], { env })).json();
  expect(set.income[0]).toHaveProperty('key');
});

describe('push', () => {
  test('creates the rows of a file once, however often it is pushed; identical rows survive', async () => {
    const own = await TestAccount.create();
    const file = writeFile('bank.csv', BANK_CSV);
    const push = () =>
      runLedger(['push', file, '--source', 'uk-property', '--yes', '--json'], {
        env: { LEDGER_API_KEY: own.key },
      });
    const first = await push();
    expect([first.exitCode, first.err]).toEqual([0, '']);
    expect(first.json()).toEqual({
      file,
      bank: null,
      dryRun: false,
      rows: 5,
      entries: 5,
      skipped: [],
      invalid: [],
      warnings: [],
      income: { count: 1, pence: 95_000 },
      expense: { count: 4, pence: 13_010 },
      ...{ new: 5, known: 0, elsewhere: 0, wrongSource: null },
      created: 5,
      deduplicated: 0,
      conflicts: [],
      remaining: 0,
      stoppedBy: null,
    });
    expect((await push()).json()).toMatchObject({ created: 0, deduplicated: 5 });
    const stored = await own.entries();
    expect(stored.map(({ date, type, amountPence }) => [date, type, amountPence]).sort()).toEqual([
      ['2026-04-06', 'income', 95_000],
      ['2026-04-07', 'expense', 12_050],
      ['2026-04-28', 'expense', 320],
      ['2026-04-28', 'expense', 320],
      ['2026-04-28', 'expense', 320],
    ]);
  });

  test('a dry run sends nothing', async () => {
    const own = await TestAccount.create();
    const args = ['push', '-', '--source', 'uk-property', '--dry-run', '--json'];
    const result = await runLedger(args, { env: { LEDGER_API_KEY: own.key }, input: BANK_CSV });
    expect([result.exitCode, result.json().dryRun, result.json().remaining]).toEqual([0, true, 5]);
    expect(await own.entries()).toEqual([]);
  });

  test('with an invalid row nothing is sent, unless --skip-invalid is given', async () => {
    const own = await TestAccount.create();
    const file = writeFile('invalid.csv', `${BANK_CSV}29/04/2026,Bad,,1.234\n`);
    const report = join(directory, 'report.csv');
    const push = (...more: string[]) =>
      runLedger(['push', file, '-s', 'uk-property', '--yes', '--json', ...more], {
        env: { LEDGER_API_KEY: own.key },
      });
    const refused = await push();
    expect([refused.exitCode, refused.json().created]).toEqual([3, 0]);
    expect(refused.json().invalid).toMatchObject([{ row: 7, value: '1.234' }]);
    expect(await own.entries()).toEqual([]);
    const sent = await push('--skip-invalid', '--report', report);
    expect([sent.exitCode, sent.json().created]).toEqual([0, 5]);
    const lines = readFileSync(report, 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('row,status,id,reference,detail');
    expect(lines[1]).toMatch(/^2,created,[0-9a-f-]{36},/);
    expect(lines[6]).toMatch(/^7,invalid,/);
  });

  test('at the daily cap with --no-wait it stops, and says what is left', async () => {
    const own = await TestAccount.create();
    const rows = Array.from({ length: 5_100 }, (_, n) => `06/04/2026,Row ${n},1.00,`);
    const file = writeFile('many.csv', ['Date,Description,Money In,Money Out', ...rows].join('\n'));
    const args = ['push', file, '-s', 'uk-property', '--yes', '--no-wait', '--json'];
    // 13/04 would settle the order of day and month; here the option does.
    const result = await runLedger([...args, '--date-format', 'dmy'], { env: { LEDGER_API_KEY: own.key } });
    expect(result.exitCode).toBe(4);
    expect(result.json()).toMatchObject({ created: 5_000, remaining: 100, stoppedBy: 'daily_cap' });
  });

  test('without a terminal and without --yes it does not send', async () => {
    const result = await runLedger(['push', writeFile('ask.csv', BANK_CSV), '-s', 'uk-property'], { env });
    expect([result.exitCode, result.out]).toEqual([2, '']);
    expect(result.err).toContain('--yes');
  });
});

describe('pull, push and reconcile', () => {
  test.each(['csv', 'xlsx', 'json', 'ndjson'])(
    'a %s file reproduces the books, and reconcile finds nothing',
    async (format) => {
      const from = await TestAccount.create();
      const to = await TestAccount.create();
      const entries = [
        { date: '2026-04-06', type: 'income', amountPence: 1, description: '=1+1', externalRef: '-a' },
        {
          date: '2026-04-06',
          type: 'expense',
          amountPence: 2 ** 53 - 1,
          description: 'a "quoted", line\nbreak',
        },
        { date: '2026-04-07', type: 'expense', amountPence: 100, description: "'=x", externalRef: '0012' },
        { date: '2026-04-07', type: 'expense', amountPence: 100, description: ' spaces  within ' },
        { date: '0001-01-01', type: 'income', amountPence: 100, category: 'otherIncome' },
      ];
      expect((await from.post(entries)).status).toBe(201);
      const file = join(directory, `books.${format}`);
      const key = (owner: TestAccount) => ({ env: { LEDGER_API_KEY: owner.key } });
      expect((await runLedger(['pull', '-s', 'uk-property', '-o', file], key(from))).exitCode).toBe(0);
      const pushed = await runLedger(['push', file, '-s', 'uk-property', '--yes', '--json'], key(to));
      expect([pushed.exitCode, pushed.json().created]).toEqual([0, 5]);
      const content = async (owner: TestAccount) =>
        (await owner.entries())
          .map(({ date, type, amountPence, description, category }) =>
            JSON.stringify([date, type, amountPence, description, category]),
          )
          .sort();
      expect(await content(to)).toEqual(await content(from));
      for (const owner of [from, to]) {
        const compared = await runLedger(['reconcile', file, '-s', 'uk-property', '--json'], key(owner));
        expect(compared.json()).toEqual({
          matched: 5,
          missingInLedger: [],
          missingInFile: [],
          different: [],
        });
      }
    },
  );

  test('an export that is pushed back into its own account creates nothing', async () => {
    const own = await TestAccount.create();
    const options = { env: { LEDGER_API_KEY: own.key } };
    await own.post([entry(), entry(), entry({ externalRef: 'r' })]);
    const file = join(directory, 'own.csv');
    await runLedger(['pull', '-s', 'uk-property', '-o', file], options);
    const { known, created } = (
      await runLedger(['push', file, '-s', 'uk-property', '--yes', '--json'], options)
    ).json();
    // Two are known by their ids, and one by its reference.
    expect([known, created]).toEqual([3, 0]);
    expect(await own.entries()).toHaveLength(3);
  });

  test('reconcile shows what is in one and not in the other, and what differs', async () => {
    const own = await TestAccount.create();
    const options = { env: { LEDGER_API_KEY: own.key } };
    const header = 'Date,Description,Amount,externalRef';
    const file = writeFile('old.csv', `${header}\n2026-04-06,Rent,950.00,r1\n2026-04-07,Repair,-20.00,r2\n`);
    await runLedger(['push', file, '-s', 'uk-property', '--yes'], options);
    const other = writeFile('new.csv', `${header}\n2026-04-06,Rent,960.00,r1\n2026-04-07,Paint,-30.00,r3\n`);
    const { different, missingInFile, missingInLedger, matched } = (
      await runLedger(['reconcile', other, '-s', 'uk-property', '--json'], options)
    ).json();
    expect([matched, different]).toMatchObject([0, [{ row: 2, fields: ['amountPence'] }]]);
    expect(missingInLedger).toMatchObject([{ row: 3, amountPence: 3_000 }]);
    expect(missingInFile).toMatchObject([{ externalRef: 'r2', amountPence: 2_000 }]);
    const again = await runLedger(['push', other, '-s', 'uk-property', '--yes', '--json'], options);
    expect([again.exitCode, again.json().conflicts]).toMatchObject([5, [{ row: 2, externalRef: 'r1' }]]);
  });

  test('a category that the file does not name is no conflict, another one is', async () => {
    const own = await TestAccount.create();
    const options = { env: { LEDGER_API_KEY: own.key } };
    const file = writeFile('categories.csv', 'Date,Description,Amount\n2026-04-06,Rent,950.00\n');
    const again = async (...categories: string[]) => {
      const result = await runLedger(
        ['push', file, '-s', 'uk-property', '--yes', '--json', ...categories],
        options,
      );
      return [result.exitCode, result.json().conflicts];
    };
    expect(await again('--category-income', 'periodAmount')).toEqual([0, []]);
    expect(await again()).toEqual([0, []]);
    expect(await again('--category-income', 'otherIncome')).toMatchObject([5, [{ fields: ['category'] }]]);
  });

  test('summary adds up by month', async () => {
    const own = await TestAccount.create();
    const options = { env: { LEDGER_API_KEY: own.key } };
    await runLedger(['push', writeFile('sum.csv', BANK_CSV), '-s', 'uk-property', '--yes'], options);
    const { total, rows } = (await runLedger(['summary', '-s', 'uk-property', '--json'], options)).json();
    expect(rows).toEqual([
      { month: '2026-04', count: 5, incomePence: 95_000, expensePence: 13_010, netPence: 81_990 },
    ]);
    expect(total.netPence).toBe(81_990);
    expect((await runLedger(['summary', '-s', 'uk-property'], options)).out).toContain('819.90');
  });
});

test('every command has help with examples, and completion lists the commands', async () => {
  for (const command of [
    'login',
    'logout',
    'whoami',
    'sources',
    'categories',
    'push',
    'pull',
    'reconcile',
    'summary',
    'completion',
  ]) {
    const help = await runLedger([command, '--help']);
    expect([command, help.exitCode, help.out.includes('$ ledger ')]).toEqual([command, 0, true]);
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect((await runLedger(['completion', shell])).out).toContain('reconcile');
  }
});
