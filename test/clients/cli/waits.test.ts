/** A command that waits says why and until when: in a line of a log too, and in no line of its result. The tests wait at once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { startProxy } from '../proxy.ts';
import { failure } from '../python/rules.ts';
import { newUser, statementOf } from './command.ts';

setDefaultTimeout(60_000);

const LIMITED = failure(429, 'rate_limited', {}, { 'retry-after': '2' });
const CAPPED = failure(429, 'daily_cap', { remaining: 0, index: 0, limit: 5_000, retryAfterSeconds: 2 });

/** The service, whose first response to a request of this kind is another one. */
async function waiting([method, path, first]: readonly [string, string, typeof LIMITED]) {
  let isFirst = true;
  return startProxy((request) => {
    if (!isFirst || request.method !== method || !request.path.includes(path)) return 'pass';
    isFirst = false;
    return first;
  });
}

const PUSH = ['push', 'FILE', '-s', 'uk-property', '--yes'];

test.concurrent.each([
  ['reads its account', ['whoami'], ['GET', '/me', LIMITED], 'minute limit'],
  ['reads the books', ['pull', '-s', 'uk-property'], ['GET', '/transactions', LIMITED], 'minute limit'],
  ['pushes', PUSH, ['POST', '/', LIMITED], 'minute limit'],
  ['is at the daily cap', PUSH, ['POST', '/', CAPPED], 'daily cap'],
] as const)('a command that %s writes a line about its wait', async (name, args, response, limit) => {
  const { account, run } = await newUser();
  const all = [[], ['--json']].map(async (more, n) => {
    await using service = await waiting(response);
    const file = statementOf(
      `waits-${account.accountId}-${n}.csv`,
      `2026-04-06,${name} ${more},${900 + n}.00`,
    );
    const own = args.map((arg) => (arg === 'FILE' ? file : arg));
    const { exitCode, out, err } = await run([...own, ...more], { env: { LEDGER_URL: service.url } });
    expect([exitCode, err.match(/^Waiting .*$/gm)]).toEqual([0, [expect.any(String)]]);
    expect(err).toMatch(new RegExp(`Waiting for the ${limit} until [-0-9]{10} [:0-9]{8}\\.\n`));
    expect(out).not.toContain('Waiting');
    if (args === PUSH) expect(out).toContain(more.length > 0 ? '"created": 1' : '1 created');
  });
  await Promise.all(all);
});

test('a wait of a day at the minute limit is not begun: the command ends, and says so', async () => {
  await using service = await startProxy(() => failure(429, 'rate_limited', {}, { 'retry-after': '100000' }));
  const { run } = await newUser();
  const { exitCode, err } = await run(['whoami'], { env: { LEDGER_URL: service.url } });
  expect([exitCode, err]).toEqual([1, expect.stringContaining('The code is rate_limited.')]);
  expect(service.requests).toHaveLength(1);
});
