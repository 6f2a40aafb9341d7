/** A push that is interrupted, and repeated, leaves the same books as one that is not. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { until } from '../../fixtures/until.ts';
import { interruptedGateway } from '../interrupted-gateway.ts';
import { type Action, startProxy } from '../proxy.ts';
import { newUser, spawnLedger, writeFile } from './command.ts';

setDefaultTimeout(120_000);

const ROWS = 1_001;
const HEADER = 'Date,Description,Money In,Money Out';
// Identical charges on each day, among others.
const LINES = Array.from({ length: ROWS }, (_, n) => {
  const day = String((n % 28) + 1).padStart(2, '0');
  return n % 4 === 0 ? `${day}/06/2026,Coffee,,3.20` : `${day}/06/2026,Row ${n},${n}.01,`;
});
const FILE = writeFile('interrupted.csv', [HEADER, ...LINES].join('\n'));

const ARGS = ['push', FILE, '-s', 'uk-property', '--yes'];

/** A process that pushes through a proxy, which does with the POST of each ordinal what `act` says. */
async function pushing(act: (post: number) => Action | Promise<Action>) {
  const user = await newUser();
  let posts = 0;
  const proxy = await startProxy(({ method }) => (method === 'POST' ? act(++posts) : 'pass'));
  const child = spawnLedger(ARGS, { env: { ...user.env, LEDGER_URL: proxy.url } });
  return {
    ...user,
    child,
    stored: async () => (await rowsOf(user.account.accountId)).length,
    /** The start of a process may be slow. */
    sent: (count: number) => until(`POST ${count} is sent`, () => posts >= count, 50_000),
    [Symbol.asyncDispose]: proxy[Symbol.asyncDispose],
  };
}

test('after SIGKILL a second run completes the books, and doubles nothing', async () => {
  // The process does not know of the second 500 entries.
  const act = (post: number) => (post === 1 ? 'pass' : post === 2 ? 'drop response' : 'drop request');
  await using pushed = await pushing(act);
  await pushed.sent(3);
  pushed.child.kill('SIGKILL');
  await pushed.child.exited;
  expect(await pushed.stored()).toBe(1_000);
  expect(await pushed.push(FILE)).toMatchObject({ exitCode: 0, created: 1, deduplicated: 1_000 });
  const coffees = (await rowsOf(pushed.account.accountId)).filter((row) => row.description === 'Coffee');
  expect([await pushed.stored(), coffees.length]).toEqual([ROWS, Math.ceil(ROWS / 4)]);
});

test('Ctrl-C lets the running request finish; a second run goes on', async () => {
  const noted = Promise.withResolvers<Action>();
  await using pushed = await pushing((post) => (post === 2 ? noted.promise : 'pass'));
  await pushed.sent(2);
  pushed.child.kill('SIGINT');
  let err = '';
  for await (const chunk of pushed.child.stderr.pipeThrough(new TextDecoderStream())) {
    err += chunk;
    if (err.includes('Stopping after the running request')) noted.resolve('pass');
  }
  expect(await pushed.child.exited).toBe(4);
  expect(await pushed.child.stdout.text()).toStartWith('1000 created');
  expect(await pushed.stored()).toBe(1_000);
  expect(await pushed.push(FILE)).toMatchObject({ exitCode: 0, created: ROWS - 1_000 });
});

test('Ctrl-C after a lost response reports how many entries may be stored; a second run doubles nothing', async () => {
  await using pushed = await pushing((post) => (post === 1 ? 'drop response' : 'drop request'));
  await pushed.sent(2);
  pushed.child.kill('SIGINT');
  expect(await pushed.child.exited).toBe(4);
  const out = await pushed.child.stdout.text();
  expect(out).toStartWith('0 created, 0 already known.\nStopped: 501 entries were not sent.');
  expect(out).toContain('The outcome of 500 entries is unknown');
  expect(await pushed.push(FILE)).toMatchObject({ exitCode: 0, created: 501, deduplicated: 500, unknown: 0 });
  expect(await pushed.stored()).toBe(ROWS);
});

test('a gateway that is killed in the middle of a push, and started again, loses and doubles nothing', async () => {
  const { account, run } = await newUser();
  await using gateway = await interruptedGateway();
  const { exitCode, json } = await run([...ARGS, '--json'], { env: { LEDGER_URL: gateway.url } });
  expect([exitCode, json()]).toMatchObject([0, { remaining: 0, stoppedBy: null }]);
  expect(gateway.kills()).toBe(2);
  expect(await rowsOf(account.accountId)).toHaveLength(ROWS);
});
