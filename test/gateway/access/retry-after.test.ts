/** Retry-After of both limits: a client that waits exactly that long is admitted, and no Retry-After is a second longer than needed. */
import { afterEach, expect } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import { batch, nameless } from '../../fixtures/books.ts';
import { type ApiResponse, send, TestAccount } from '../../fixtures/client.ts';
import { ageWrites, expireWritesIn, setWritesInRedis, used, writesInDatabase } from '../../fixtures/day.ts';
import { bearer, failure } from '../../fixtures/endpoints.ts';
import { locks } from '../../fixtures/locks.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { redis } from '../../fixtures/redis.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

const rule = testWithRedis();

afterEach(() => locks.release());

/**
 * Sends a request that is refused until `roomUs` (µs since 1970), and fails unless its
 * Retry-After ends at most a second later, and every other place that shows the seconds agrees.
 */
async function expectToWait(
  request: () => Promise<ApiResponse>,
  code: string,
  roomUs: number,
): Promise<number> {
  const begunUs = Date.now() * 1_000;
  const response = await request();
  const endedUs = (Date.now() + 1) * 1_000;
  expect(failure(response)).toEqual([429, code]);
  const header = response.headers.get('retry-after') ?? '';
  expect(header).toMatch(/^[1-9]\d*$/);
  const seconds = Number(header);
  expect(endedUs + seconds * 1_000_000).toBeGreaterThanOrEqual(roomUs);
  expect(begunUs + (seconds - 1) * 1_000_000).toBeLessThan(roomUs);

  expect(response.body.error.message).toContain(`in ${seconds} s.`);
  const limit = code === 'daily_cap' ? 'day' : 'minute';
  expect(response.headers.get('ratelimit')).toEndWith(`"${limit}";r=0;t=${seconds}`);
  expect(response.headers.get('ratelimit-policy')).toContain(`"${limit}";q=`);
  return seconds;
}

// Parts of a second that rounding in the wrong direction would lose.
for (const partUs of [100_000, 500_000, 900_000])
  rule(`the minute, with ${partUs} µs to a second`, async () => {
    const account = await TestAccount.create();
    const oldestUs = Date.now() * 1_000 - 30_000_000 + partUs;
    const minute = minuteOf(account);
    await redis.rpush(minute, oldestUs, ...Array(LIMITS.requestsPerMinute - 1).fill(oldestUs + 10_000_000));
    const me = () => send('/api/v1/me', { headers: bearer(account.key) });
    await expectToWait(me, 'rate_limited', oldestUs + LIMITS.minuteWindowMs * 1_000);
  });

for (const [by, entries] of [
  ['Redis', nameless(1)],
  ['the database', batch('one more', 1)],
] as const)
  rule(`the day, as ${by} reports it`, async () => {
    const account = await used(500, 4_500);
    const { accountId } = account;
    await expireWritesIn(accountId, [100.9]);
    const writes = await writesInDatabase(accountId);
    if (by === 'Redis') {
      await setWritesInRedis(accountId, writes);
      // A request that reaches the database waits.
      await locks.account(accountId);
    }
    const post = () => account.post(entries);
    const roomUs = (writes[0]?.latestUs ?? Number.NaN) + LIMITS.dayWindowMs * 1_000;
    const seconds = await expectToWait(post, 'daily_cap', roomUs);
    await locks.release();

    await ageWrites(accountId, seconds);
    expect((await post()).status).toBe(201);
  });
