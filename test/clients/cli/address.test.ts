/** Errors of the command `ledger` about the address of the service, and what `bun run ledger` adds to an error: nothing. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { version } from '../../../clients/typescript/package.json';
import { VERSION } from '../../../proto/vocabulary.ts';
import { startProxy } from '../proxy.ts';
import { runLedger } from './command.ts';

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '../../..');
const NOWHERE = 'http://127.0.0.1:1';
const COMMANDS = [
  ['login'],
  ['whoami'],
  ['sources'],
  ['categories'],
  ['push', '-', '-s', 'Shop', '--yes'],
  ['pull', '-s', 'Shop'],
  ['reconcile', '-', '-s', 'Shop'],
  ['summary', '-s', 'Shop'],
];
const PAGE = { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };

/** Runs each command with a key for the service at `url`, and returns their errors. */
async function errorsAt(url: string): Promise<string[]> {
  const env = { LEDGER_URL: url, LEDGER_API_KEY: 'ledger_live_x' };
  const results = await Promise.all(COMMANDS.map((args) => runLedger(args, { env })));
  expect(results.map(({ exitCode, out }) => [exitCode, out])).toEqual(COMMANDS.map(() => [1, '']));
  return results.map(({ err }) => err);
}

describe('every command names the address that it tried, and the variable that sets it,', () => {
  test('when nothing is there', async () => {
    for (const error of await errorsAt(NOWHERE)) {
      expect(error).toMatch(/^error: http:\/\/127\.0\.0\.1:1 cannot be reached: .*[.?] LEDGER_URL, .*\.\n$/);
    }
  });

  test.each([
    [404, '(status 404)'],
    [200, '(not JSON)'],
  ])('when another site responds with a page and status %i', async (status, shown) => {
    await using site = await startProxy(() => ({ status, ...PAGE }));
    for (const error of await errorsAt(site.url)) {
      expect(error).toStartWith(
        `error: The response of ${site.url} ${shown} is not one of the Bookkeeping Ledger API`,
      );
      expect(error).toContain(' LEDGER_URL, ');
    }
  });
});

test('`bun run ledger` adds no line to an error of the command', async () => {
  const env = { LEDGER_URL: NOWHERE, LEDGER_API_KEY: 'ledger_live_x' };
  const command = [process.execPath, 'run', 'ledger'];
  const { exitCode, err } = await runLedger(['whoami'], { env, cwd: ROOT, command });
  expect([exitCode, err]).toEqual([1, expect.stringMatching(/^error: http:[^\n]*\n$/)]);
});

test('`ledger --version` prints the version of the package, which is that of the service', async () => {
  const { exitCode, out } = await runLedger(['--version']);
  expect([exitCode, out, version]).toEqual([0, `${VERSION}\n`, VERSION]);
});
