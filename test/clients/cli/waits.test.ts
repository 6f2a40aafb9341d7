/** A command that waits says why and until when: in a line of a log too, and in no line of its result. The tests wait at once. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { startProxy } from '../proxy.ts';
import { failure } from '../python/rules.ts';
import { askingCommands, newUser, statementOf } from './command.ts';

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

describe('every command names the address that it tried, and the variable that sets it,', () => {
  const COMMANDS = [['login'], ...askingCommands('-')];
  /** Runs each command for the service at `url`, and returns their errors. */
  async function errorsAt(url: string): Promise<string[]> {
    const { run } = await newUser();
    const results = await Promise.all(COMMANDS.map((args) => run(args, { env: { LEDGER_URL: url } })));
    expect(results.map(({ exitCode, out }) => [exitCode, out])).toEqual(COMMANDS.map(() => [1, '']));
    return results.map(({ err }) => err);
  }

  test.concurrent('when nothing is there', async () => {
    for (const error of await errorsAt('http://127.0.0.1:1')) {
      expect(error).toMatch(/^error: http:\/\/127\.0\.0\.1:1 cannot be reached: .*[.?] LEDGER_URL, .*\.\n$/);
    }
  });

  test.concurrent('when another site responds with a page', async () => {
    const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };
    await using site = await startProxy((_, n) => ({ status: n % 2 === 0 ? 404 : 200, ...page }));
    for (const error of await errorsAt(site.url)) {
      expect(error).toStartWith(`error: The response of ${site.url} (`);
      expect(error).toMatch(
        /\((not JSON|status 404)\) is not one of the Bookkeeping Ledger API.* LEDGER_URL, /,
      );
    }
  });
});

test.concurrent('a wait of a day at the minute limit is not begun: the command ends, and says so', async () => {
  await using service = await startProxy(() => failure(429, 'rate_limited', {}, { 'retry-after': '100000' }));
  const { run } = await newUser();
  const { exitCode, err } = await run(['whoami'], { env: { LEDGER_URL: service.url } });
  expect([exitCode, err]).toEqual([1, expect.stringContaining('The code is rate_limited.')]);
  expect(service.requests).toHaveLength(1);
});

test.concurrent.each([
  ['--pause-max', '1s', ['whoami'], ['GET', '/me', LIMITED], { exitCode: 1, requests: 1 }],
  ['--pause-max', '1s', PUSH, ['POST', '/', LIMITED], { exitCode: 1, requests: 1 }],
  ['--limit-timeout', '3s', ['whoami'], ['GET', '/me', LIMITED], { exitCode: 1, requests: 2 }],
  ['--limit-timeout', '3s', PUSH, ['POST', '/', LIMITED], { exitCode: 1, requests: 2 }],
  ['--cap-timeout', '3s', PUSH, ['POST', '/', CAPPED], { exitCode: 4, requests: 2 }],
] as const)(
  '%s %s ends the waits of %p, over all comparisons with the books',
  async (option, time, args, of, end) => {
    const { account, run } = await newUser();
    const [method, path, response] = of;
    const isIt = (each: { method: string; path: string }) =>
      each.method === method && each.path.includes(path);
    await using service = await startProxy((request) => (isIt(request) ? response : 'pass'));
    const file = statementOf(`bounded-${account.accountId}.csv`, '2026-04-06,Rent,1.00');
    const own = args.map((arg) => (arg === 'FILE' ? file : arg));
    const { exitCode, out, err } = await run([...own, option, time], { env: { LEDGER_URL: service.url } });
    expect({ exitCode, requests: service.requests.filter(isIt).length }).toEqual(end);
    expect(out + err).toContain(end.exitCode === 4 ? 'daily cap' : 'The code is rate_limited.');
  },
);

test.concurrent.each<[string[], string]>([
  [['whoami', '--pause-max', '90'], 'such as 90s, 15m or 48h'],
  [['whoami', '--limit-timeout', '1.5h'], 'such as 90s, 15m or 48h'],
  [['whoami', '--limit-timeout', '501h'], 'at most 500h'],
  [
    [...PUSH, '--no-wait', '--cap-timeout', '1h'],
    "option '--cap-timeout <time>' cannot be used with option '--no-wait'",
  ],
])('%p is refused', async (args, message) => {
  const { run } = await newUser();
  const { exitCode, err } = await run(args);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
});
