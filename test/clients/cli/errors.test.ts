/** Errors of the command `ledger`: one sentence, the exit code, and nothing secret. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { version } from '../../../clients/typescript/package.json';
import { VERSION } from '../../../proto/domain.ts';
import { system } from '../../fixtures/system.ts';
import { newUser, runLedger, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const { run } = await newUser();
const CSV = 'Date,Description,Money in\n2026-04-06,Rent,950.00\n';
const push = (file: string, ...options: string[]) => ['push', file, '-s', 'uk-property', '--yes', ...options];
const pull = (...options: string[]) => ['pull', '-s', 'uk-property', ...options];

describe('errors are one sentence, and never a stack trace', () => {
  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['nonsense'], /unknown command/],
    ['no command', [], /Name a command: `ledger --help` lists them\./],
    ['no source', ['push', 'x.csv'], /--source/],
    ['no such source', ['pull', '-s', 'Nowhere'], /There is no source "Nowhere"/],
    ['no such file', push('nowhere.csv'), /nowhere\.csv cannot be read: there is no such file/],
    ['a bad date', pull('--from', '2026-13-01'), /from must be a real calendar date/],
    // The reader's bound holds before the file is in memory.
    ['a file without an end', push('/dev/zero'), /The file has more than 32 MiB; split it/],
    ['rules without an end', push('/dev/null', '--rules', '/dev/zero'), /The file is empty/],
    ['an empty name', push(''), /An argument is empty: name a file\./],
    ['an empty option', push('x.csv', '--report', ''), /--report is empty\./],
    [
      'a report without books',
      push('x.csv', '--report', 'x-report.csv', '--offline', '--dry-run'),
      /--report needs the books: leave out --offline/,
    ],
    ['a bad format', pull('-o', 'x.pdf'), /must end in \.csv/],
  ])('%s', async (_, args, message) => {
    const { exitCode, err, json } = await run([...args, '--json']);
    expect([exitCode, json().error.message]).toEqual([2, expect.stringMatching(message)]);
    expect(err).toMatch(/^error: [^\n]*\n$/);
    expect(err).toMatch(message);
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

  test('a report that cannot be written stops the push before anything is sent', async () => {
    const { account: own, run } = await newUser();
    const result = await run(push(writeFile('rent.csv', CSV), '--report', '/nowhere/report.csv'));
    expect([result.exitCode, await own.entries()]).toEqual([2, []]);
  });

  test('the URL that the start banner prints is understood, and one with a password is refused', async () => {
    const url = `${system.url}/api/v1`;
    expect((await run(['whoami'], { env: { LEDGER_URL: url } })).exitCode).toBe(0);
    const secret = url.replace('//', '//user:s3cret@');
    const refused = await run(['whoami'], { env: { LEDGER_URL: secret } });
    expect([refused.exitCode, refused.err.includes('s3cret')]).toEqual([2, false]);
  });
});

describe('a file that is not understood: the message names the option that settles it', () => {
  const dryRun = (...options: string[]) => ['push', '-', '-s', 'uk-property', '--dry-run', ...options];

  test.each<[string, string, string[], RegExp]>([
    ['no header', 'When,Who\n1,x\n', [], /the widest has "When", "Who".* --map date=…,amount=…/],
    ['no header row', '13/04/2026,a,5\n', [], /--map date=1,description=2,amount=3 .* --bank hsbc/],
    ['a wrong column', CSV, ['--map', 'date=Dat'], /did you mean "Date"\. --map date=…,amount=… names/],
    ['a wrong format', CSV, ['--format', 'mt940'], /The option format takes one of csv, .* --format sets it/],
    ['a wrong encoding', CSV, ['--encoding', 'x'], /The option encoding takes one of utf-8, .* --encoding/],
    ['a wrong bank', CSV, ['--bank', 'midland'], /the banks are monzo, .* --bank takes/],
    ['open dates', 'Date,Money in\n03/04/2026,5\n', [], /in row 2 .* --date-format dmy or --date-format mdy/],
    ['a wrong default', CSV, ['--category-income', 'x'], /There is no category "x".* --category-income/],
  ])('%s', async (_, input, options, message) => {
    const { exitCode, out, err } = await run(dryRun(...options), { input });
    expect([exitCode, out, err]).toEqual([2, '', expect.stringMatching(message)]);
  });

  test('also for single rows', async () => {
    const rows = ['2026-04-01,"12,50",', '31/31/2026,5,', '2026-04-01,5,Holidays'];
    const input = ['Date,Money in,Category', ...rows].join('\n');
    const { exitCode, json } = await run(dryRun('--json'), { input });
    expect(exitCode).toBe(3);
    expect(json().invalid).toMatchObject([
      { row: 2, field: 'amount', message: expect.stringContaining('--decimal , ') },
      { row: 3, field: 'date', message: expect.stringContaining('--date-format ') },
      { row: 4, field: 'category', message: expect.stringContaining('--map category= ') },
    ]);
  });
});

test('`ledger --version` prints the version of the package, which is that of the service', async () => {
  const { exitCode, out } = await runLedger(['--version']);
  expect([exitCode, out, version]).toEqual([0, `${VERSION}\n`, VERSION]);
});
