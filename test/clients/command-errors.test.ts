/** Errors of the command `ledger`: one sentence, the exit code, and nothing secret. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { TestAccount } from '../fixtures/client.ts';
import { system } from '../fixtures/system.ts';
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
