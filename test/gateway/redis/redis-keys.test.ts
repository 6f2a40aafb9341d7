/** Every key in Redis expires: none stays for ever, and none expires before its window has ended. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { batch } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { dayOf } from '../../fixtures/day.ts';
import { bearer, ENDPOINTS } from '../../fixtures/endpoints.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { startGatewayWithOwnRedis } from '../../fixtures/own-redis.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const { redis, url } = await startGatewayWithOwnRedis();

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

test('every key that the gateway writes expires, whatever the request was', async () => {
  const account = await TestAccount.create();
  const post = (body: unknown) => account.post(body, { url });
  for (const { request } of ENDPOINTS) {
    await request(account, account.key, { url });
    await expectAllToGo();
  }
  const names = [minuteOf(account), dayOf(account.accountId)];
  await until('both are there', async () => (await redis.exists(...names)) === 2);

  for (let n = 0; n < 10; n++) await post(batch(`full ${n}`, 500));
  for (const body of [entry(), batch('full 0', 1), batch('one more', 1), [], '[', [entry({ date: '' })]]) {
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
