/** A command that the gateway has given up counts nothing later, and no command of a client is sent to try a server of Redis. */
import { afterEach, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { LIMIT_ARGUMENTS } from '../../../gateway/access/minute-limit.ts';
import { createScripts, SCRIPTS } from '../../../gateway/access/scripts.ts';
import { connectRedis } from '../../../gateway/redis/store.ts';
import { createLog } from '../../../platform/log.ts';
import { batch } from '../../fixtures/books.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { dayOf } from '../../fixtures/day.ts';
import { many, statuses } from '../../fixtures/endpoints.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { startGatewayWithOwnRedis } from '../../fixtures/own-redis.ts';
import { until } from '../../fixtures/until.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

setDefaultTimeout(60_000);

const { server, redis, url, scripts, watched } = await startGatewayWithOwnRedis();
const rule = testWithRedis(watched);
const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(server.pid, name);
afterEach(async () => {
  signal('SIGCONT');
  await locks.release();
});

const sharedAgain = () =>
  until('the limits are shared', async () => (await send('/readyz', { url })).body.limits === 'shared');

rule('Redis hangs: requests that were sent to it are not in the minute when it continues', async () => {
  const account = await TestAccount.create();
  expect(statuses(await many(10, account.key, { url }))).toEqual({ 200: 10 });
  const before = await scripts();
  signal('SIGSTOP');
  expect(statuses(await many(20, account.key, { url }))).toEqual({ 200: 20 });
  signal('SIGCONT');
  await until('Redis executes them', async () => (await scripts()) > before);
  await sharedAgain();
  expect(await redis.llen(minuteOf(account))).toBe(10);
  const { headers } = await account.request('/api/v1/me', { url });
  // This gateway has admitted all of them.
  expect(headers.get('x-ratelimit-remaining')).toBe('89');
});

rule('Redis hangs: entries that were created meanwhile are not in the day when it continues', async () => {
  const account = await TestAccount.create();
  expect((await account.post(batch('before', 5), { url })).status).toBe(201);
  const writes = () => redis.llen(dayOf(account.accountId));
  await until('the write is recorded', async () => (await writes()) === 2);
  await locks.account(account.accountId);
  const post = account.post(batch('late', 7), { url });
  await until('it waits for the lock', async () => (await backendsWaiting()).length === 1);
  const before = await scripts();
  signal('SIGSTOP');
  await locks.release();
  expect((await post).status).toBe(201);
  // The gateway has sent the record by then.
  await until('it is noticed', async () => (await send('/readyz', { url })).body.limits === 'in-process');
  signal('SIGCONT');
  await until('Redis executes it', async () => (await scripts()) > before);
  await sharedAgain();
  expect(await writes()).toBe(2);
});

test('while Redis does not accept writes, no command of a client is sent to it', async () => {
  const account = await TestAccount.create();
  await sharedAgain();
  await redis.config('SET', 'replica-read-only', 'yes');
  await redis.replicaof('127.0.0.1', 1);
  await many(1, account.key, { url });
  const monitor = await redis.monitor();
  const seen: string[] = [];
  monitor.on('monitor', (_: string, words: string[]) => seen.push(words.join(' ')));
  const probes = () => seen.filter((command) => command.includes('ledger:probe')).length;
  for (let n = 0; probes() < 3; n++) {
    if (n < 100) expect(statuses(await many(1, account.key, { url }))).toEqual({ 200: 1 });
    await Bun.sleep(10);
  }
  monitor.disconnect();
  expect(seen.filter((command) => command.includes(account.accountId))).toEqual([]);
  await redis.replicaof('NO', 'ONE');
  await sharedAgain();
  expect(await redis.llen(minuteOf(account))).toBe(0);
});

// As if Redis's clock had been set: only the difference of the two clocks matters.
test('after the clock of Redis was set forward by an hour, each command still counts, and once', async () => {
  const store = await connectRedis({ kind: 'server', url: server.url }, SCRIPTS, createLog('test'));
  const limits = createScripts(store);
  const minute = `ledger:{${crypto.randomUUID()}}:minute:key`;
  const admit = () =>
    limits.run(minute, (commands, deadlineUs) => commands.admit(1, minute, ...LIMIT_ARGUMENTS, deadlineUs));
  const now = performance.now.bind(performance);
  const clock = spyOn(performance, 'now');
  try {
    expect(await admit()).toEqual([1, 119, 0]);
    clock.mockImplementation(() => now() - 3_600_000);
    const before = await scripts();
    expect(await admit()).toEqual([1, 118, 0]);
    expect(await admit()).toEqual([1, 117, 0]);
    expect(await redis.llen(minute)).toBe(3);
    // Only the first of them was sent again.
    expect(await scripts()).toBe(before + 3);
  } finally {
    clock.mockRestore();
    store.close();
  }
});
