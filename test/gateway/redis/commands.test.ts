/**
 * The commands of a gateway to Redis, and the keys that they leave there, in a Redis that holds only the keys of this gateway: keys expire,
 * a command that the gateway has given up counts nothing later, and none of a client is sent to try a server of Redis.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import { batch, nameless, rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { dayOf, use } from '../../fixtures/day.ts';
import { bearer, ENDPOINTS, many, statuses } from '../../fixtures/endpoints.ts';
import { locks } from '../../fixtures/locks.ts';
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

/** The longest time to live of each kind of key. */
const STAYS_MS_MAX: Record<string, number> = {
  minute: LIMITS.minuteWindowMs,
  day: LIMITS.dayWindowMs,
  // With it the gateway checks whether Redis accepts writes.
  probe: 1_000,
};

/** Fails unless every key is of a known kind and expires in time, and a list not before its newest time is out of the window. */
async function expectAllToGo(): Promise<void> {
  for (const name of await redis.keys('*')) {
    const kind = /^ledger:(?:\{[^}]*\}:)?([a-z]+)/.exec(name)?.[1] ?? '';
    const staysMs = STAYS_MS_MAX[kind] ?? Number.NaN;
    // Both at one moment: Redis learns of a write after the client has its response.
    const replies = await redis.multi().pttl(name).lindex(name, -1).exec();
    const [leftMs, newest] = (replies ?? []).map(([, reply]) => reply) as [number, string];
    const nowMs = Date.now();
    // -2: it has expired meanwhile. -1: it never expires.
    if (leftMs === -2) continue;
    expect([name, leftMs]).toEqual([name, Math.max(0, Math.min(leftMs, staysMs))]);
    if (kind !== 'minute' && kind !== 'day') continue;
    const leavesMs = Number(newest.split(':').at(-1)) / 1_000 + staysMs;
    // Both clocks count whole milliseconds here.
    expect([name, Math.min(nowMs + leftMs + 2, leavesMs)]).toEqual([name, leavesMs]);
  }
}

rule('every key that the gateway writes expires, whatever the request was', async () => {
  const account = await TestAccount.create();
  const post = (body: unknown) => account.post(body, { url });
  for (const { request } of ENDPOINTS) {
    await request(account, account.key, { url });
    await expectAllToGo();
  }
  const names = [minuteOf(account), dayOf(account.accountId)];
  await until('both are there', async () => (await redis.exists(...names)) === 2);

  await post(batch('known', 1));
  await use(account, 4_999);
  for (const body of [entry(), batch('known', 1), batch('one more', 1), [], '[', [entry({ date: '' })]]) {
    await post(body);
    await expectAllToGo();
  }
});

test.each([
  ['is full', 120, 0],
  ['has room', 60, 0],
  ['is full of times to come, the clock having been set back', 120, 3_600_000_000],
  ['has room beside times to come', 60, 3_600_000_000],
])('the minute of a key expires when it %s', async (_, count, aheadUs) => {
  const account = await TestAccount.create();
  const me = () => send('/api/v1/me', { url, headers: bearer(account.key) });
  // As it is after a request.
  const minute = minuteOf(account);
  await redis.rpush(minute, ...Array(count).fill(Date.now() * 1_000 + aheadUs));
  await redis.pexpire(minute, LIMITS.minuteWindowMs);
  expect((await me()).status).toBe(count === 120 ? 429 : 200);
  await expectAllToGo();
});

const created = async ({ accountId }: TestAccount) =>
  Number((await redis.lindex(dayOf(accountId), -1))?.split(':')[1] ?? 0);

rule('every endpoint executes one script, and a write that creates entries one more', async () => {
  const account = await TestAccount.create();
  const options = { url };
  // Also those that ioredis sends to find out that Redis does not know a script yet.
  for (const { request } of ENDPOINTS) await request(account, account.key, options);
  await until('the write is recorded', async () => (await created(account)) === 1);
  let expected = await scripts();

  for (const { name, request } of ENDPOINTS) {
    const before = await created(account);
    await request(account, account.key, options);
    const isWrite = name.startsWith('POST');
    if (isWrite) await until('the write is recorded', async () => (await created(account)) > before);
    expected += isWrite ? 2 : 1;
    expect([name, await scripts()]).toEqual([name, expected]);
  }
});

rule('a write that creates nothing executes one script, and leaves the day as it is', async () => {
  const account = await TestAccount.create();
  expect((await account.post(batch('known', 3), { url })).status).toBe(201);
  await until('the write is recorded', async () => (await created(account)) === 3);
  const [day, before] = [await redis.lrange(dayOf(account.accountId), 0, -1), await scripts()];
  expect((await account.post(batch('known', 3), { url })).status).toBe(200);
  // Behind a record of the write, on the same connection.
  expect(statuses(await many(1, account.key, { url }))).toEqual({ 200: 1 });
  expect(await scripts()).toBe(before + 2);
  expect(await redis.lrange(dayOf(account.accountId), 0, -1)).toEqual(day);
});

rule('writes of several accounts at once are each counted in the day of their account', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => TestAccount.create()));
  const posts = accounts.flatMap((account, n) => [1, 2, 3].map(() => account.post(nameless(n + 1), { url })));
  expect(statuses(await Promise.all(posts))).toEqual({ 201: 12 });
  await until('all are recorded', async () => {
    const totals = await Promise.all(accounts.map(created));
    return totals.every((total, n) => total === 3 * (n + 1));
  });
});

const rich = await TestAccount.create();
await rich.post(entry({ description: 'private', externalRef: 'theirs' }));

// Those that query the database for an account, with a wait for each.
const SCOPED = ENDPOINTS.filter(({ name }) => /^(GET|POST) .*(me|sources|transactions)$/.test(name));

// API10: what Redis holds is not believed.
const FALSE: [what: string, plant: (names: { minute: string; day: string }) => Promise<unknown>][] = [
  ['a minute of texts', ({ minute }) => redis.rpush(minute, 'x', 'y')],
  ['a minute beyond all time', ({ minute }) => redis.rpush(minute, '1e300', '1e308')],
  ['a text for a minute', ({ minute }) => redis.set(minute, 'x')],
  ['a day of texts', ({ day }) => redis.rpush(day, 'x', 'y')],
  ['a hash for a day', ({ day }) => redis.hset(day, 'x', 'y')],
];

test.each(FALSE)(
  '%s gives no access, causes no 5xx, and is removed or harmless at once',
  async (_, plant) => {
    const before = await rowsOf(rich.accountId);
    for (const { name, request } of SCOPED) {
      const account = await TestAccount.create();
      await plant({ minute: minuteOf(account), day: dayOf(account.accountId) });
      // After an error the gateway does not use Redis for a while: this test needs one that is in use.
      await sharedAgain();
      const first = await request(account, account.key, { url });
      expect([name, [200, 201, 401].includes(first.status), first]).toEqual([name, true, first]);
      for (const secret of [rich.accountId, ...Object.values(rich.sources), 'private', 'theirs']) {
        expect(JSON.stringify(first.body)).not.toContain(secret);
      }
      const second = await request(account, account.key, { url });
      expect([name, [200, 201].includes(second.status), second]).toEqual([name, true, second]);
    }
    expect(await rowsOf(rich.accountId)).toEqual(before);
  },
);
