/** At most 5,000 created entries in any 24 h per account (docs/api/limits.md). */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { batch, expectCountsToEqualRows, nameless, rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { dayInRedis, expireWritesIn, forgetDay, used } from '../../fixtures/day.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

setDefaultTimeout(60_000);

afterEach(() => locks.release());

const DAY_S = 24 * 60 * 60;

const FULL = Array(10).fill(500);

/** Fails unless it is a daily_cap with everything a client needs. @returns the seconds until the request fits */
function expectCap({ status, body, headers }: ApiResponse, remaining: number): number {
  expect([status, body.error?.code]).toEqual([429, 'daily_cap']);
  const { limit, remaining: reported, retryAfterSeconds: seconds, message } = body.error;
  expect([limit, reported]).toEqual([5_000, remaining]);
  expect(message).toBeString();
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(DAY_S);
  expect(headers.get('retry-after')).toBe(String(seconds));
  return seconds;
}

const rowCount = async (account: TestAccount) => (await rowsOf(account.accountId)).length;

// ledger/two-workers.slow.test.ts has the same with references.
test('of concurrent batches at the daily cap exactly as many are created as fit', async () => {
  const account = await TestAccount.create();
  const batches = Array.from({ length: 16 }, () => nameless(450));
  const responses = await Promise.all(batches.map((entries) => account.post(entries)));
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(5);
  for (const response of refused) expect(expectCap(response, 50)).toBeGreaterThan(DAY_S - 60);
  expect(await rowCount(account)).toBe(4_950);

  const last = await Promise.all(Array.from({ length: 8 }, () => account.post(nameless(25))));
  expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429, 429, 429, 429]);
  expectCap(await account.post(entry()), 0);
  expect(await rowCount(account)).toBe(5_000);
  await expectCountsToEqualRows(account);
});

test('at the cap a batch that is all known is 200, and one that is partly new is refused whole', async () => {
  const account = await used(...FULL);
  const known = await account.post(batch('write 3', 500));
  expect([known.status, known.body.created, known.body.deduplicated]).toEqual([200, 0, 500]);
  const mixed = [...batch('write 4', 10), entry({ externalRef: 'new' })];
  expectCap(await account.post(mixed), 0);
  expectCap(await account.post([...batch('write 4', 10), entry()]), 0);
  expect(await rowCount(account)).toBe(5_000);
  expect((await rowsOf(account.accountId)).filter(({ externalRef }) => externalRef === 'new')).toEqual([]);
  await expectCountsToEqualRows(account);
});

test.each([undefined, 'a reference'])(
  'at the cap, errors that waiting does not cure come first: with the reference %p',
  async (externalRef) => {
    const account = await used(...FULL);
    const other = await TestAccount.create();
    const fields = externalRef === undefined ? {} : { externalRef };
    for (const source of [crypto.randomUUID(), other.sources['uk-property']]) {
      const { status, body } = await account.post(entry(fields), { source });
      expect([status, body.error.code]).toEqual([404, 'source_not_found']);
    }
    const wrong = [entry({ category: 'periodAmount' }), entry({ ...fields, category: 'turnover' })];
    const { status, body } = await account.post(wrong);
    expect([status, body.error.code]).toEqual([422, 'invalid_category']);
    expect(body.error.issues.map(({ path }: { path: string }) => path)).toEqual(['/1/category']);
    const source = account.sources['uk-property'].toUpperCase();
    expectCap(await account.post(entry({ ...fields, category: 'periodAmount' }), { source }), 0);
  },
);

test('only entries that a batch would create count towards the daily cap: known ones do not', async () => {
  const account = await used(...FULL.slice(1), 480);
  const known = batch('write 1', 490);
  expectCap(await account.post([...known.slice(11), ...batch('new', 10), ...nameless(11)]), 20);
  expect((await account.post([...known, ...batch('new', 10)])).body.created).toBe(10);
  expect((await account.post([...known, ...nameless(10)])).body.created).toBe(10);
  expectCap(await account.post([...known, ...batch('beyond', 1)]), 0);
  // One reference several times in a request is created once and counts once.
  await expireWritesIn(account.accountId, [-1]);
  expect((await account.post(nameless(499))).status).toBe(201);
  expect((await account.post(Array(20).fill(entry({ externalRef: 'last' })))).body.created).toBe(1);
  expect(await rowCount(account)).toBe(5_500);
});

test('a refused request and a known entry do not count towards the daily cap', async () => {
  const account = await used(...FULL.slice(1), 490);
  const elsewhere = { source: Bun.randomUUIDv7() };
  expectCap(await account.post(nameless(11)), 10);
  expectCap(await account.post(batch('eleven', 11)), 10);
  expect((await account.post(batch('write 2', 500))).status).toBe(200);
  expect((await account.post(batch('wrong', 5, { category: 'turnover' }))).status).toBe(422);
  expect((await account.post(batch('wrong', 5, { amountPence: 0 }))).status).toBe(422);
  expect((await account.post(batch('wrong', 5), elsewhere)).status).toBe(404);
  expect((await account.post(nameless(10))).status).toBe(201);
  expectCap(await account.post(entry()), 0);
});

test('the daily cap is shared by all sources and keys of an account', async () => {
  const account = await used(...FULL.slice(1), 400);
  const { key } = await admin.createKey({ accountId: account.accountId });
  const post = (entries: object[]) =>
    send(`/api/v1/sources/${account.sources['self-employment']}/transactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new Uint8Array(Buffer.from(JSON.stringify(entries))),
    });
  expectCap(await post(nameless(101)), 100);
  expect((await post(nameless(100))).status).toBe(201);
  for (const source of Object.values(account.sources)) expectCap(await account.post(entry(), { source }), 0);
  expect((await (await TestAccount.create()).post(entry())).status).toBe(201);
});

test('the daily cap holds when Redis has lost the window: the database decides', async () => {
  const account = await used(...FULL);
  for (const entries of [nameless(1), nameless(500), batch('new', 1)]) {
    await forgetDay(account.accountId);
    expectCap(await account.post(entries), 0);
  }
  expect(await rowCount(account)).toBe(5_000);
});

test('the window slides: each write leaves it after 24 h, and Retry-After names the moment', async () => {
  const account = await used(400, 400, 400, ...Array(7).fill(500), 300);
  const id = account.accountId;
  expectCap(await account.post(entry()), 0);

  await expireWritesIn(id, [100, 200, 300]);
  expect(expectCap(await account.post(entry()), 0)).toBeWithin(90, 101);
  expect(expectCap(await account.post(batch('400', 400)), 0)).toBeWithin(90, 101);
  expect(expectCap(await account.post(nameless(401)), 0)).toBeWithin(190, 201);

  // Within the minute before it.
  await expireWritesIn(id, [50, 200, 300]);
  expectCap(await account.post(entry()), 0);

  await expireWritesIn(id, [-1, 200, 300]);
  expect(expectCap(await account.post(batch('401', 401)), 400)).toBeWithin(190, 201);
  expect((await account.post(nameless(150))).status).toBe(201);
  expectCap(await account.post(nameless(251)), 250);

  await expireWritesIn(id, [-3, -2, -1]);
  expect((await account.post(nameless(500))).status).toBe(201);
  expect((await account.post(nameless(500))).status).toBe(201);
  expectCap(await account.post(nameless(51)), 50);
  expect(await rowCount(account)).toBe(6_150);
  await expectCountsToEqualRows(account);
});

testWithRedis()(
  'what cannot fit is refused from the window in Redis, without a query to the database',
  async () => {
    const account = await used(...FULL);
    // The gateway records them there after its response.
    await until('Redis knows of them', async () => (await dayInRedis(account.accountId)) === 5_000);
    // A request that reaches the database waits.
    await locks.account(account.accountId);
    const seconds = expectCap(await account.post(entry()), 0);
    expect(seconds).toBeGreaterThan(DAY_S - 60);
    expectCap(await account.post([...batch('write 0', 400), ...nameless(1)]), 0);

    const pending = account.post(batch('write 0', 1));
    await until('it waits for the lock in the database', async () => (await backendsWaiting()).length === 1);
    await locks.release();
    expect((await pending).status).toBe(200);
    expect((await account.post(batch('write 0', 1))).status).toBe(200);
  },
);

test('a database clock that was set back does not raise the daily cap', async () => {
  const account = await used(500);
  // Its write is dated a minute ahead: all that follow are behind it until the clock has caught up.
  await expireWritesIn(account.accountId, [DAY_S + 60]);
  for (let n = 0; n < 8; n++) expect((await account.post(batch(`ahead ${n}`, 500))).body.created).toBe(500);
  for (let n = 0; n < 5; n++) expect((await account.post(batch(`more ${n}`, 80))).body.created).toBe(80);
  await forgetDay(account.accountId);
  const refusal = async (count: number) => {
    const { status, body } = await account.post(batch('too many', count));
    return [status, body.error?.code, body.error?.remaining];
  };
  expect(await refusal(101)).toEqual([429, 'daily_cap', 100]);
  expect((await account.post(batch('the rest', 100))).body.created).toBe(100);
  expect(await refusal(1)).toEqual([429, 'daily_cap', 0]);
  expect(await rowCount(account)).toBe(5_000);
});
