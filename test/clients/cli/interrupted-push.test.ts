/** A push that is interrupted, and repeated, leaves the same books as one that is not. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { newUser, spawnLedger, writeFile } from './command.ts';

setDefaultTimeout(120_000);

const ROWS = 4_000;
const HEADER = 'Date,Description,Money In,Money Out';
// Three identical charges a day, among others.
const LINES = Array.from({ length: ROWS }, (_, n) => {
  const day = String((n % 28) + 1).padStart(2, '0');
  return n % 4 === 0 ? `${day}/06/2026,Coffee,,3.20` : `${day}/06/2026,Row ${n},${n}.01,`;
});
const FILE = writeFile('interrupted.csv', [HEADER, ...LINES].join('\n'));

const ARGS = ['push', FILE, '-s', 'uk-property', '--yes', '--json'];

/** A push that has stored some entries, and not all. */
async function halfPushed(url = system.url) {
  const user = await newUser();
  const child = spawnLedger(ARGS, { env: { ...user.env, LEDGER_URL: url } });
  const stored = async () => (await rowsOf(user.account.accountId)).length;
  await until('some entries are stored', async () => (await stored()) > 0);
  return { ...user, child, stored };
}

test('after SIGKILL a second run completes the books, and doubles nothing', async () => {
  const { account, child, push, stored } = await halfPushed();
  child.kill('SIGKILL');
  await child.exited;
  expect(await stored()).toBeLessThan(ROWS);
  const { exitCode, created, deduplicated } = await push(FILE);
  expect([exitCode, created + deduplicated]).toEqual([0, ROWS]);
  expect(deduplicated).toBeGreaterThan(0);
  expect(await stored()).toBe(ROWS);
  const coffees = (await account.entries()).filter(({ description }) => description === 'Coffee');
  expect(coffees).toHaveLength(ROWS / 4);
});

test('Ctrl-C lets the running request finish; a second run goes on', async () => {
  const { child, push, stored } = await halfPushed();
  child.kill('SIGINT');
  const first = JSON.parse(await child.stdout.text());
  expect(await child.exited).toBe(4);
  expect(first).toMatchObject({ stoppedBy: 'interrupted', remaining: ROWS - first.created });
  expect(first.created % 500).toBe(0);
  expect(await stored()).toBe(first.created);
  expect(await push(FILE)).toMatchObject({ exitCode: 0, created: ROWS - first.created });
});

test('a gateway that is killed in the middle of a push, and started again, loses and doubles nothing', async () => {
  const port = freePort();
  const start = () => startGateway({ workerAddress: system.workerAddress, redisUrl: system.redisUrl, port });
  let gateway: Gateway = await start();
  try {
    const { child, stored } = await halfPushed(gateway.url);
    process.kill(gateway.pid, 'SIGKILL');
    await gateway.died;
    await Bun.sleep(500);
    gateway = await start();
    const out = await child.stdout.text();
    expect(await child.exited).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ remaining: 0, stoppedBy: null });
    expect(await stored()).toBe(ROWS);
  } finally {
    await gateway.stop();
  }
});
