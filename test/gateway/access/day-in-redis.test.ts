/** The daily window in Redis: it refuses only what the database would refuse, with the same error. */
import { afterEach, expect } from 'bun:test';
import { LIMITS } from '../../../proto/domain.ts';
import { batch, nameless } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import {
  dayInRedis,
  expireWritesIn,
  type RedisWrite,
  setWritesInRedis,
  used,
  writesInDatabase,
  writesInRedis,
} from '../../fixtures/day.ts';
import { failure } from '../../fixtures/endpoints.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { redis } from '../../fixtures/redis.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost } from '../../fixtures/wire.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

const rule = testWithRedis();

afterEach(() => locks.release());

/** Resolves when Redis has as many writes: the gateway records them there after its response. */
const redisKnows = ({ accountId }: TestAccount, writes: number) =>
  until(`Redis knows of ${writes} writes`, async () => (await writesInRedis(accountId)).length === writes);

rule('Redis holds, for each write, two times between which the database dated it', async () => {
  const account = await TestAccount.create();
  for (const writes of [1, 2]) {
    expect((await account.post(nameless(10))).status).toBe(201);
    await redisKnows(account, writes);
  }
  const known = await writesInRedis(account.accountId);
  expect(known.map(({ total }) => total)).toEqual([10, 20]);
  const dated = await writesInDatabase(account.accountId);
  for (const [n, { latestUs = Number.NaN }] of dated.entries()) {
    // Not so far apart that Redis would hardly count it, or have a client wait for long.
    expect(known[n]?.earliestUs).toBeWithin(latestUs - 60_000_000, latestUs + 1);
    expect(known[n]?.latestUs).toBeWithin(latestUs, latestUs + 60_000_000);
  }
});

rule('a write counts the entries that it creates: no known ones, and nothing if it is repeated', async () => {
  const account = await TestAccount.create();
  const headers = { 'idempotency-key': Bun.randomUUIDv7() };
  for (const entries of [nameless(10), nameless(10)])
    expect((await account.post(entries, { headers })).body.created).toBe(10);
  expect((await account.post([...batch('known', 3), ...batch('known', 3)])).body.created).toBe(3);
  expect((await account.post(batch('known', 3))).body.created).toBe(0);
  expect((await account.post(nameless(500))).body.created).toBe(500);
  const totals = async () => (await writesInRedis(account.accountId)).map(({ total }) => total);
  await until('Redis has the last write', async () => ((await totals()).at(-1) ?? 0) > 500);
  expect(await totals()).toEqual([10, 13, 513]);
});

rule('of a write that waited long, these are when it began and when it ended', async () => {
  const account = await TestAccount.create();
  await locks.account(account.accountId);
  const begunUs = Date.now() * 1_000;
  const waiting = account.post(entry());
  await until('it waits', async () => (await backendsWaiting()).length === 1);
  // Longer than what the gateway allows for the way to Redis. On a slow machine it waits for longer.
  await Bun.sleep(1_200);
  const releasedUs = Date.now() * 1_000;
  await locks.release();
  expect((await waiting).status).toBe(201);
  await redisKnows(account, 1);
  const [write] = await writesInRedis(account.accountId);
  expect(write?.earliestUs).toBeLessThan(begunUs);
  expect(write?.latestUs).toBeGreaterThan(releasedUs);
});

rule('Retry-After lasts until the later of these times is out of the window', async () => {
  const account = await used(10);
  const nowUs = Date.now() * 1_000;
  const write = { earliestUs: nowUs - 50_000_000, latestUs: nowUs - 40_000_000, total: 5_000 };
  await setWritesInRedis(account.accountId, [write]);
  const refused = await account.post(nameless(1));
  expect(failure(refused)).toEqual([429, 'daily_cap']);
  const endsUs = (Date.now() + 1 + refused.body.error.retryAfterSeconds * 1_000) * 1_000;
  expect(endsUs).toBeGreaterThanOrEqual(write.latestUs + LIMITS.dayWindowMs * 1_000);
});

rule('`index` is then the first entry that does not fit', async () => {
  const account = await used(10);
  const nowUs = Date.now() * 1_000;
  await setWritesInRedis(account.accountId, [{ earliestUs: nowUs, latestUs: nowUs, total: 4_998 }]);
  const refused = await account.post(nameless(3));
  expect(failure(refused)).toEqual([429, 'daily_cap']);
  expect([refused.body.error.remaining, refused.body.error.index]).toEqual([2, 2]);
});

rule(
  'the request goes to the database as soon as the earlier of these times is out of the window',
  async () => {
    const account = await used(10);
    const nowUs = Date.now() * 1_000;
    const expired = { earliestUs: nowUs - LIMITS.dayWindowMs * 1_000, latestUs: nowUs };
    await setWritesInRedis(account.accountId, [{ ...expired, total: 5_000 }]);
    expect((await account.post(nameless(500))).status).toBe(201);
  },
);

rule('so it does if that time comes while the body arrives', async () => {
  const account = await TestAccount.create();
  expect((await account.post(nameless(10))).status).toBe(201);
  await redisKnows(account, 1);
  const [write] = await writesInRedis(account.accountId);
  await setWritesInRedis(account.accountId, [{ ...(write as RedisWrite), total: 5_000 }]);
  const body = JSON.stringify(nameless(3));
  const post = beginPost(system.url, account, `content-length: ${body.length}`, '[');
  const requests = () => redis.llen(minuteOf(account));
  await until('the second request is admitted', async () => (await requests()) === 2);
  await setWritesInRedis(account.accountId, []);
  post.socket.write(body.slice(1));
  await until('a response', async () => post.received().includes('\r\n\r\n'));
  post.socket.destroy();
  expect(post.received()).toStartWith('HTTP/1.1 201 ');
});

rule(
  'a write that began earlier and is recorded later leaves the window in time, with those recorded before it',
  async () => {
    const account = await TestAccount.create();
    await locks.account(account.accountId);
    const early = account.post(batch('early', 2));
    await until('it waits', async () => (await backendsWaiting()).length === 1);
    // Another gateway records a write that began later and has ended.
    const nowUs = Date.now() * 1_000;
    const late = { earliestUs: nowUs, latestUs: nowUs, total: 3 };
    await setWritesInRedis(account.accountId, [late]);
    await locks.release();
    expect((await early).status).toBe(201);
    await redisKnows(account, 2);
    const [first, second] = await writesInRedis(account.accountId);
    expect(second).toEqual({ earliestUs: expect.any(Number), total: 5, latestUs: expect.any(Number) });
    expect(second?.earliestUs).toBeLessThan(late.earliestUs);
    expect(first).toEqual({ ...late, earliestUs: second?.earliestUs ?? Number.NaN });
    expect(second?.latestUs).toBeGreaterThan(late.latestUs);
  },
);

rule(
  'what Redis refuses, the database refuses likewise: what fits now, and when the request fits',
  async () => {
    const account = await used(400, 400, 400, 3_800);
    const { accountId } = account;
    const reported = (response: ApiResponse) => {
      expect(failure(response)).toEqual([429, 'daily_cap']);
      // Requests differ by parts of a second, and by more on a busy machine.
      return [response.body.error.remaining, Math.round(response.body.error.retryAfterSeconds / 100) * 100];
    };
    // The writes leave the window one by one.
    const cases: [leaves: number[], fits: number, refused: Record<number, number>][] = [
      // The first within the minute before it does.
      [[59, 200, 300], 0, { 1: 100, 400: 100, 401: 200, 500: 200 }],
      [[-1, 200, 300], 400, { 401: 200, 500: 200 }],
      [[-3, -2, 300, 400], 800, {}],
    ];
    for (const [leaves, fits, refused] of cases) {
      const sizes = Object.keys(refused).map(Number);
      await expireWritesIn(accountId, leaves);
      await setWritesInRedis(accountId, await writesInDatabase(accountId));
      // A request that reaches the database waits for the lock: Redis refuses these.
      await locks.account(accountId);
      const byRedis: unknown[] = [];
      for (const entries of sizes) byRedis.push(reported(await account.post(nameless(entries))));
      await locks.release();
      const byDatabase: unknown[] = [];
      for (const entries of sizes) byDatabase.push(reported(await account.post(batch('new', entries))));
      expect(byRedis).toEqual(Object.values(refused).map((seconds) => [fits, seconds]));
      expect(byDatabase).toEqual(byRedis);
    }
    // Of these 800 Redis refuses none.
    expect((await account.post(nameless(500))).status).toBe(201);
    expect((await account.post(nameless(300))).status).toBe(201);
  },
);

rule(
  'what cannot fit is refused without a query to the database, unless some of it may be known',
  async () => {
    const account = await TestAccount.create();
    expect((await account.post(batch('known', 400))).status).toBe(201);
    await redisKnows(account, 1);
    const [write] = await writesInRedis(account.accountId);
    await setWritesInRedis(account.accountId, [{ ...(write as RedisWrite), total: 5_000 }]);
    // A request that reaches the database waits.
    await locks.account(account.accountId);
    for (const entries of [nameless(1), nameless(500)])
      expect(failure(await account.post(entries))).toEqual([429, 'daily_cap']);
    const pending = account.post([...batch('known', 1), ...nameless(3)]);
    await until('it waits', async () => (await backendsWaiting()).length === 1);
    await locks.release();
    expect((await pending).status).toBe(201);
  },
);

rule('when the clock of Redis is behind its last write, the window begins anew', async () => {
  const account = await used(10);
  const nowUs = Date.now() * 1_000;
  const ahead = { earliestUs: nowUs, latestUs: nowUs + 3_600_000_000, total: 5_000 };
  await setWritesInRedis(account.accountId, [ahead]);
  expect((await account.post(nameless(500))).status).toBe(201);
  await redisKnows(account, 1);
  await setWritesInRedis(account.accountId, [ahead, ahead]);
  expect((await account.post(batch('known', 1))).status).toBe(201);
  await redisKnows(account, 1);
  expect(await dayInRedis(account.accountId)).toBe(1);
});
