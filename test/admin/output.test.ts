/** Output and exit codes of the operator's command line. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { json, run, runProcess } from './command-line.ts';

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
    const { sources } = await TestAccount.create();
    const { out } = await run(['source', 'rename', '--id', sources['uk-property'], '--name', HOSTILE]);
    expect(out).toContain(ESCAPED);
    for (const line of out.trimEnd().split('\n')) expect(line).not.toMatch(UNPRINTABLE);
  });

  test('in an error, of the command line or of the service', async () => {
    for (const args of [[HOSTILE], ['key', 'revoke', '--id', HOSTILE], [HOSTILE, '--json']]) {
      const { exitCode, err } = await run(args);
      expect(exitCode).toBeGreaterThan(0);
      expect(err).toContain('FORGED');
      expect(err).toMatch(/^[^\n]+\n$/);
      expect(err.trimEnd()).not.toMatch(UNPRINTABLE);
    }
  });
});

test.each([['--help'], ['-h'], ['help']])(
  '%s names every group and the address of the service',
  async (arg) => {
    const { exitCode, out, err } = await run([arg]);
    expect([exitCode, err]).toEqual([0, '']);
    const groups = ['account', 'source', 'key', 'entry', 'log'];
    for (const word of [...groups, 'LEDGER_ADMIN_ADDRESS', '127.0.0.1:50052', '--json'])
      expect(out).toContain(word);
  },
);

test.each([[[]], [['account']], [['source']], [['key']], [['entry']]])(
  '%p alone prints its help and exits with 2',
  async (args: string[]) => {
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toStartWith('Usage: admin');
  },
);

const create = ['source', 'create', '--account', accountId];
const flat = [...create, '--type', 'uk-property', '--name', 'Flat'];
const overseas = [...create, '--type', 'foreign-property', '--name', 'Gîte'];
const house = [...create, '--type', 'uk-property', '--name'];

const ERRORS: [code: 1 | 2, reason: string, args: string[]][] = [
  // Usage errors.
  [2, 'nonsense', ['nonsense']],
  [2, 'nonsense', ['account', 'nonsense']],
  [2, '--plan', ['account', 'create']],
  [2, 'gold', ['account', 'create', '--plan', 'gold']],
  [2, '--nonsense', ['account', 'list', '--nonsense']],
  [2, 'argument', ['account', 'list', 'nonsense']],
  [2, '--account', ['account', 'set-plan', '--plan', 'pro']],
  [2, 'farm', [...create, '--type', 'farm', '--name', 'Flat']],
  [2, 'tenant', [...flat, '--role', 'tenant']],
  [2, '0 to 100', [...flat, '--share', '101']],
  [2, '0 to 100', [...flat, '--share', 'half']],
  [2, '0 to 100', [...flat, '--share', '']],
  [2, 'whole number', ['log', '--limit', 'all']],
  // Requests that the service rejects.
  [1, `no account ${UNKNOWN}`, ['account', 'set-plan', '--account', UNKNOWN, '--plan', 'pro']],
  [1, 'mine', ['account', 'set-plan', '--account', 'mine', '--plan', 'pro']],
  [1, `no account ${UNKNOWN}`, ['source', 'list', '--account', UNKNOWN]],
  [1, `no source ${UNKNOWN}`, ['source', 'rename', '--id', UNKNOWN, '--name', 'x']],
  [1, `no source ${UNKNOWN}`, ['source', 'remove', '--id', UNKNOWN]],
  [1, `no account ${UNKNOWN}`, ['key', 'create', '--account', UNKNOWN]],
  [1, `no key ${UNKNOWN}`, ['key', 'revoke', '--id', UNKNOWN]],
  [1, `no account ${UNKNOWN}`, ['key', 'list', '--account', UNKNOWN]],
  [1, 'foreign-property', [...flat, '--country', 'FR']],
  [1, 'QQ', [...overseas, '--country', 'QQ']],
  [1, 'name must be 1 to 200 characters', [...house, ' ']],
  [1, 'name must be 1 to 200 characters', [...house, 'x'.repeat(201)]],
  [1, 'name must be UTF-8', [...house, 'a\ufffdb']],
];

test.each(ERRORS)('an error exits with %d and names %p: %p', async (code, reason, args) => {
  const shown = await run(args);
  expect([shown.exitCode, shown.out]).toEqual([code, '']);
  expect(shown.err).toMatch(/^error: [^\n]+\n$/);
  expect(shown.err).toContain(reason);
  expect(shown.err).not.toMatch(STACK_TRACE);

  const asJson = await run([...args, '--json']);
  expect([asJson.exitCode, asJson.out]).toEqual([code, '']);
  expect(asJson.err).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(asJson.err)).toEqual({ error: { message: expect.stringContaining(reason) } });
});

test('an unavailable service exits with 1; the error names its address and LEDGER_ADMIN_ADDRESS', async () => {
  const { exitCode, out, err } = await run(['account', 'list'], '127.0.0.1:1');
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toMatch(/^error: [^\n]*127\.0\.0\.1:1\b[^\n]*LEDGER_ADMIN_ADDRESS[^\n]*\n$/);
  expect(err).not.toMatch(STACK_TRACE);
});

test('the process prints results on stdout and errors on stderr, and ends with the exit code', async () => {
  const [done, unknown, usage] = await Promise.all([
    runProcess(['key', 'list', '--account', accountId, '--json']),
    runProcess(['key', 'list', '--account', UNKNOWN]),
    runProcess(['key']),
  ]);
  expect(done).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\[.*\]\n$/), err: '' });
  expect(unknown).toEqual({ exitCode: 1, out: '', err: `error: no account ${UNKNOWN}\n` });
  expect(usage).toMatchObject({ exitCode: 2, out: '', err: expect.stringMatching(/^Usage: admin/) });
});
