/** Errors of the command `ledger`: one sentence, the exit code, and nothing secret. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { runLedger } from './command.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const env = { LEDGER_API_KEY: account.key };
const CSV = 'Date,Description,Amount\n2026-04-06,Rent,950.00\n';

describe('errors are one sentence, and never a stack trace', () => {
  test.each<[string, string[], number, RegExp]>([
    ['no command', ['nonsense'], 2, /unknown command/],
    ['no source', ['push', 'x.csv'], 2, /--source/],
    ['no such source', ['pull', '-s', 'Nowhere'], 2, /Nowhere is not a source of this account/],
    [
      'no such file',
      ['push', 'nowhere.csv', '-s', 'uk-property', '--yes'],
      2,
      /nowhere\.csv cannot be read: there is no such file/,
    ],
    [
      'a bad date',
      ['pull', '-s', 'uk-property', '--from', '2026-13-01'],
      2,
      /from must be a real calendar date/,
    ],
    // The reader's bound holds before the file is in memory.
    [
      'a file without an end',
      ['push', '/dev/zero', '-s', 'uk-property', '--yes'],
      2,
      /The file has more than 32 MiB; split it/,
    ],
    [
      'rules without an end',
      ['push', '/dev/null', '-s', 'uk-property', '--yes', '--rules', '/dev/zero'],
      2,
      /The file is empty/,
    ],
    ['a bad format', ['pull', '-s', 'uk-property', '-o', 'x.pdf'], 2, /must end in \.csv/],
  ])('%s', async (_, args, exitCode, message) => {
    const result = await runLedger(args, { env });
    expect([result.exitCode, result.out]).toEqual([exitCode, '']);
    expect(result.err).toMatch(message);
    expect(result.err).not.toMatch(/\bat .*\.ts:\d+/);
    const json = await runLedger([...args, '--json'], { env });
    expect(json.json().error.message).toMatch(message);
  });

  test.each([
    ['a line break', 'ledger_live_SECRET\nabc'],
    ['a letter that is not ASCII', 'ledger_live_SECRETé'],
  ])('a key with %s is not shown', async (_, key) => {
    const result = await runLedger(['whoami', '--json'], { env: { LEDGER_API_KEY: key } });
    expect(result.exitCode).toBe(2);
    expect(result.json().error.message).toContain('malformed');
    expect(result.out + result.err).not.toContain('SECRET');
  });

  test('no command', async () => {
    const result = await runLedger([]);
    expect([result.exitCode, result.out]).toEqual([2, '']);
    expect(result.err).toBe('error: Name a command: `ledger --help` lists them.\n');
  });

  test('a report that cannot be written stops the push before anything is sent', async () => {
    const own = await TestAccount.create();
    const args = ['push', '-', '-s', 'uk-property', '--yes', '--report', '/nowhere/report.csv'];
    const result = await runLedger(args, { env: { LEDGER_API_KEY: own.key }, input: CSV });
    expect([result.exitCode, await own.entries()]).toEqual([2, []]);
  });

  test('the URL that the start banner prints is understood, and one with a password is refused', async () => {
    const url = `${system.url}/api/v1`;
    expect((await runLedger(['whoami'], { env: { ...env, LEDGER_URL: url } })).exitCode).toBe(0);
    const secret = url.replace('//', '//user:s3cret@');
    const refused = await runLedger(['whoami'], { env: { ...env, LEDGER_URL: secret } });
    expect([refused.exitCode, refused.err.includes('s3cret')]).toEqual([2, false]);
  });

  test('a service that is not there', async () => {
    const result = await runLedger(['whoami'], { env: { ...env, LEDGER_URL: 'http://127.0.0.1:1' } });
    expect([result.exitCode, result.out]).toEqual([1, '']);
    expect(result.err).toMatch(/cannot be reached/);
  });
});

describe('a file that is not understood: the message names the option that settles it', () => {
  test.each<[string, string, string[], RegExp]>([
    ['no header', 'When,Who\n1,x\n', [], /the widest has "When", "Who".* --map date=…,amount=…/],
    ['no header row', '13/04/2026,a,5\n', [], /--map date=1,description=2,amount=3 .* --bank hsbc/],
    ['a wrong column', CSV, ['--map', 'date=Dat'], /did you mean "Date"\. --map date=…,amount=… names/],
    ['a wrong bank', CSV, ['--bank', 'midland'], /the banks are monzo, .* --bank takes/],
    ['open dates', 'Date,Amount\n03/04/2026,5\n', [], /in row 2 .* --date-format dmy or --date-format mdy/],
    ['a wrong format', CSV, ['--format', 'qif'], /the formats are csv, .* --format csv/],
    ['a wrong encoding', CSV, ['--encoding', 'x'], /The encoding is one of utf-8, .* --encoding/],
    [
      'a wrong default',
      CSV,
      ['--category-income', 'x'],
      /of income: There is no category "x".* --category-income/,
    ],
  ])('%s', async (_, input, options, message) => {
    const args = ['push', '-', '-s', 'uk-property', '--dry-run', ...options];
    const result = await runLedger(args, { env, input });
    expect([result.exitCode, result.out]).toEqual([2, '']);
    expect(result.err).toMatch(message);
  });

  test('also for single rows', async () => {
    const input = `Date,Amount,Category
2026-04-01,"12,50",
31/31/2026,5,
2026-04-01,5,Holidays
`;
    const result = await runLedger(['push', '-', '-s', 'uk-property', '--dry-run', '--json'], { env, input });
    expect(result.exitCode).toBe(3);
    expect(result.json().invalid).toMatchObject([
      { row: 2, field: 'amount', message: expect.stringContaining('--decimal , ') },
      { row: 3, field: 'date', message: expect.stringContaining('--date-format ') },
      { row: 4, field: 'category', message: expect.stringContaining('--map category= ') },
    ]);
  });
});

test.each([
  ['dd/mm/yyyy', '2026-04-03'],
  ['MM/DD/YYYY', '2026-03-04'],
])('the order of dates is taken as people write it: %s', async (format, day) => {
  const input = 'Date,Amount\n03/04/2026,5\n';
  const args = ['push', '-', '-s', 'x', '--dry-run', '--offline', '--date-format', format];
  const { exitCode, err } = await runLedger(args, { env, input });
  expect([exitCode, err]).toEqual([0, expect.stringContaining(`Period   ${day} to ${day}`)]);
});
