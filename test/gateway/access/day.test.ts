/** At most 5,000 created entries in any 24 h per account (docs/api/limits.md). */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { batch, expectCountsToEqualRows, nameless, rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { expireWritesIn, forgetDay, used } from '../../fixtures/day.ts';
import { openLocks } from '../../fixtures/locks.ts';
import { admin } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

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
