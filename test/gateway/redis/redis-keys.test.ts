/**
 * The keys in Redis expire: none stays for ever, and none before its window has ended. And what a request costs there: one command to
 * admit it, and one that it does not wait for if it created entries.
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import { batch, nameless } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { dayOf, use } from '../../fixtures/day.ts';
import { bearer, ENDPOINTS, statuses } from '../../fixtures/endpoints.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { startGatewayWithOwnRedis } from '../../fixtures/own-redis.ts';
import { until } from '../../fixtures/until.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

setDefaultTimeout(60_000);

const { redis, url, scripts, watched } = await startGatewayWithOwnRedis();
const rule = testWithRedis(watched);

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

rule('writes of several accounts at once are each counted in the day of their account', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => TestAccount.create()));
  const posts = accounts.flatMap((account, n) => [1, 2, 3].map(() => account.post(nameless(n + 1), { url })));
  expect(statuses(await Promise.all(posts))).toEqual({ 201: 12 });
  await until('all are recorded', async () => {
    const totals = await Promise.all(accounts.map(created));
    return totals.every((total, n) => total === 3 * (n + 1));
  });
});
