/** Output and exit codes of the operator's command line. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { admin } from '../fixtures/system.ts';
import { json, run } from './command-line.ts';

// Each test starts processes of its own, which takes long on a loaded machine.
setDefaultTimeout(60_000);

const UNKNOWN = '019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e';
const STACK_TRACE = /\bat .*\.ts:\d+|node_modules|Error:/;
const { accountId } = await json('account', 'create', '--plan', 'pro');

describe('without --json', () => {
  test('a single result is printed as one name and value per line', async () => {
    const { exitCode, out, err } = await run(['account', 'create', '--plan', 'expat']);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(/^accountId {2}[0-9a-f-]{36}\nplan {7}expat\ncreatedAt {2}\S+Z\n$/);
  });

  test('a new key is printed in full', async () => {
    const { exitCode, out } = await run(['key', 'create', '--account', accountId]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^keyId {2}[0-9a-f-]{36}\nkey {4}ledger_live_[0-9A-Za-z]{33}\n$/);
  });

  test('a list is printed in columns with a header, and a dash for a missing value', async () => {
    const ofAccount = ['--account', accountId];
    await json('source', 'create', ...ofAccount, '--type', 'uk-property', '--name', 'Flat');
    const foreign = ['--type', 'foreign-property', '--country', 'FR', '--name', 'Gîte in the Lot'];
    await json('source', 'create', ...ofAccount, ...foreign);
    const { exitCode, out, err } = await run(['source', 'list', ...ofAccount]);
    expect([exitCode, err]).toEqual([0, '']);

    const [names = '', ...rows] = out.trimEnd().split('\n');
    expect(rows).toHaveLength(2);
    const cell = (row: string | undefined, name: string) => row?.slice(names.indexOf(name)).split(/ {2}/)[0];
    for (const name of ['id', 'accountId', 'name', 'type', 'role', 'sharePercent', 'countryCode']) {
      expect(names.split(/ +/)).toContain(name);
    }
    expect(rows.map((row) => cell(row, 'name '))).toEqual(['Flat', 'Gîte in the Lot']);
    expect(rows.map((row) => cell(row, 'countryCode'))).toEqual(['-', 'FR']);
  });

  test('an empty list is printed as "none"', async () => {
    const { accountId: empty } = await json('account', 'create', '--plan', 'pro');
    expect(await run(['key', 'list', '--account', empty])).toEqual({ exitCode: 0, out: 'none\n', err: '' });
  });
});

describe('a text of others is one cell of one line, and does nothing to a terminal:', () => {
  const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  // A new line by each character that makes one, a colour, a deletion, another order, and nothing to see.
  const HOSTILE =
    'a\nFORGED\r\nFORGED\u2028FORGED\u0085\u001b[2J\u009b31m\u007f\t\u202ex\u2066\u200b\u{e0001}';
  const ESCAPED =
    'a\\u000aFORGED\\u000d\\u000aFORGED\\u2028FORGED\\u0085\\u001b[2J\\u009b31m\\u007f\\u0009\\u202ex\\u2066\\u200b\\udb40\\udc01';

  test('the description and the reference of an entry', async () => {
    const account = await TestAccount.create();
    const two = [entry({ description: HOSTILE, externalRef: HOSTILE }), entry({ description: 'b' })];
    expect((await account.post(two)).status).toBe(201);
    const args = ['entry', 'uncategorised', '--account', account.accountId];
    const { out } = await run(args);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.filter((line) => line.includes(ESCAPED))).toHaveLength(1);
    for (const line of lines) expect(line).not.toMatch(UNPRINTABLE);
    // The columns stay in line with their names.
    const [names = '', ...rows] = lines;
    for (const name of ['date', 'amountPence', 'externalRef']) {
      for (const row of rows) expect(row.slice(names.indexOf(name) - 2)).toMatch(/^ {2}\S/);
    }
    const printed = await run([...args, '--json']);
    expect(printed.out.trimEnd()).not.toMatch(UNPRINTABLE);
    const descriptions = JSON.parse(printed.out).rows.map((row: { description: string }) => row.description);
    expect(descriptions.sort()).toEqual([HOSTILE, 'b']);
  });

  test('the name of a source', async () => {
    const { accountId } = await TestAccount.create();
    const source = { accountId, type: 'uk-property', role: 'owner', sharePercent: 100 };
    const { id } = await admin.createSource({ ...source, name: HOSTILE });
    const list = await run(['source', 'list', '--account', accountId]);
    // The names of the columns, three sources of every test account, and this one.
    expect(list.out.trimEnd().split('\n')).toHaveLength(5);
    const renamed = await run(['source', 'rename', '--id', id, '--name', HOSTILE]);
    for (const { out } of [list, renamed]) {
      expect(out).toContain(ESCAPED);
      for (const line of out.trimEnd().split('\n')) expect(line).not.toMatch(UNPRINTABLE);
    }
    const sources = await json('source', 'list', '--account', accountId);
    expect(sources.map(({ name }: { name: string }) => name)).toContain(HOSTILE);
  });

  test('in an error, of the command line or of the service', async () => {
    for (const args of [
      ['account', 'create', '--plan', HOSTILE],
      [HOSTILE],
      ['key', 'revoke', '--id', HOSTILE],
    ]) {
      for (const format of [[], ['--json']]) {
        const { exitCode, err } = await run([...args, ...format]);
        expect(exitCode).toBeGreaterThan(0);
        expect(err).toContain('FORGED');
        expect(err).toMatch(/^[^\n]+\n$/);
        expect(err.trimEnd()).not.toMatch(UNPRINTABLE);
      }
    }
  });
});

describe('help', () => {
  test.concurrent.each([['--help'], ['-h'], ['help']])(
    '%s names every group and the address of the service',
    async (arg) => {
      const { exitCode, out, err } = await run([arg]);
      expect([exitCode, err]).toEqual([0, '']);
      for (const word of [
        'account',
        'source',
        'key',
        'entry',
        'log',
        'LEDGER_ADMIN_ADDRESS',
        '127.0.0.1:50052',
        '--json',
      ]) {
        expect(out).toContain(word);
      }
    },
  );

  test.concurrent.each([
    ['account', ['create', 'set-plan', 'delete', 'restore', 'erase', 'list']],
    ['source', ['create', 'rename', 'remove', 'list']],
    ['key', ['create', 'revoke', 'list']],
    ['entry', ['uncategorised', 'categorise']],
  ])('%s --help names its commands', async (group, commands) => {
    const { exitCode, out } = await run([group, '--help']);
    expect(exitCode).toBe(0);
    for (const command of commands) expect(out).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
  });

  test('the help of a command names its options and their choices', async () => {
    const { exitCode, out } = await run(['source', 'create', '--help']);
    expect(exitCode).toBe(0);
    for (const option of ['--account', '--type', '--name', '--country', '--role', '--share', '--json']) {
      expect(out).toContain(option);
    }
    for (const choice of ['uk-property', 'foreign-property', 'self-employment', 'owner', 'sharer']) {
      expect(out).toContain(choice);
    }
  });
});

const create = ['source', 'create', '--account', accountId];
const flat = [...create, '--type', 'uk-property', '--name', 'Flat'];

describe('a usage error exits with 2 and names its reason:', () => {
  const lines: [args: string[], reason: string][] = [
    [['nonsense'], 'nonsense'],
    [['account', 'nonsense'], 'nonsense'],
    [['account', 'create'], '--plan'],
    [['account', 'create', '--plan', 'gold'], 'gold'],
    [['account', 'create', '--plan'], '--plan'],
    [['account', 'list', '--nonsense'], '--nonsense'],
    [['account', 'list', 'nonsense'], 'argument'],
    [['account', 'set-plan', '--plan', 'pro'], '--account'],
    [['key', 'revoke'], '--id'],
    [[...create, '--type', 'farm', '--name', 'Flat'], 'farm'],
    [[...create, '--type', 'uk-property'], '--name'],
    [[...flat, '--role', 'tenant'], 'tenant'],
    [[...flat, '--share', '101'], '0 to 100'],
    [[...flat, '--share', 'half'], '0 to 100'],
    [[...flat, '--share', ''], '0 to 100'],
  ];
  test.concurrent.each(lines)('%p', async (args, reason) => {
    await expectError(args, 2, reason);
  });

  test.concurrent.each([[[]], [['account']], [['source']], [['key']], [['entry']]])(
    '%p alone prints its help',
    async (args: string[]) => {
      const { exitCode, out, err } = await run(args);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toStartWith('Usage: admin');
    },
  );
});

describe('a request that the service rejects exits with 1 and names its reason:', () => {
  const lines: [args: string[], reason: string][] = [
    [['account', 'set-plan', '--account', UNKNOWN, '--plan', 'pro'], `no account ${UNKNOWN}`],
    [['account', 'set-plan', '--account', 'mine', '--plan', 'pro'], 'mine'],
    [['source', 'list', '--account', UNKNOWN], `no account ${UNKNOWN}`],
    [['source', 'rename', '--id', UNKNOWN, '--name', 'x'], `no source ${UNKNOWN}`],
    [['source', 'remove', '--id', UNKNOWN], `no source ${UNKNOWN}`],
    [['key', 'revoke', '--id', UNKNOWN], `no key ${UNKNOWN}`],
    [['key', 'list', '--account', UNKNOWN], `no account ${UNKNOWN}`],
    [[...flat, '--country', 'FR'], 'foreign-property'],
    [[...create, '--type', 'foreign-property', '--name', 'Gîte', '--country', 'QQ'], 'QQ'],
    [[...create, '--type', 'uk-property', '--name', ' '], 'name must be 1 to 200 characters'],
    [[...create, '--type', 'uk-property', '--name', 'x'.repeat(201)], 'name must be 1 to 200 characters'],
    [[...create, '--type', 'uk-property', '--name', 'a\ufffdb'], 'name must be UTF-8'],
  ];
  test.concurrent.each(lines)('%p', async (args, reason) => {
    await expectError(args, 1, reason);
  });
});

test.concurrent.each([
  [['account', 'create'], 2, '--plan'],
  [['key', 'revoke', '--id', UNKNOWN], 1, UNKNOWN],
] as [args: string[], code: number, reason: string][])(
  '%p without --json fails with one sentence',
  async (args, code, reason) => {
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([code, '']);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err).toContain(reason);
    expect(err).not.toMatch(STACK_TRACE);
  },
);

test('an unavailable service exits with 1; the error names its address and LEDGER_ADMIN_ADDRESS', async () => {
  const unavailable = '127.0.0.1:1';
  await expectError(['account', 'list'], 1, unavailable, unavailable);
  const { exitCode, out, err } = await run(['account', 'list'], unavailable);
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toMatch(/^error: [^\n]*127\.0\.0\.1:1\b[^\n]*LEDGER_ADMIN_ADDRESS[^\n]*\n$/);
});

/** Expects, with --json, one line of JSON on stderr and no other output. */
async function expectError(args: string[], code: number, reason: string, address?: string): Promise<void> {
  const { exitCode, out, err } = await run([...args, '--json'], address);
  expect([exitCode, out]).toEqual([code, '']);
  expect(err).toMatch(/^[^\n]+\n$/);
  const output = JSON.parse(err);
  expect(output).toEqual({ error: { message: output.error.message } });
  expect(output.error.message).toContain(reason);
  expect(err).not.toMatch(STACK_TRACE);
}
