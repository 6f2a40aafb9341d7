/** At most 5,000 created entries in any 24 h per account (docs/api/limits.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { batch, expectCountsToEqualRows, nameless, rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import {
  expireWritesIn,
  forgetDay,
  setWritesInRedis,
  use,
  used,
  writesInDatabase,
} from '../../fixtures/day.ts';
import { bearer, failure } from '../../fixtures/endpoints.ts';
import { admin } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const DAY_S = 24 * 60 * 60;

/** Fails unless it is a daily_cap with everything a client needs. @returns the seconds until the request fits */
function expectCap({ status, body, headers }: ApiResponse, remaining: number): number {
  expect([status, body.error?.code]).toEqual([429, 'daily_cap']);
  const { limit, remaining: reported, retryAfterSeconds: seconds, message } = body.error;
  expect([limit, reported]).toEqual([5_000, remaining]);
  expect(message).toContain(`in ${seconds} s.`);
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeWithin(1, DAY_S + 1);
  expect(headers.get('retry-after')).toBe(String(seconds));
  return seconds;
}

const rowCount = async (account: TestAccount) => (await rowsOf(account.accountId)).length;

test.each([undefined, 'a reference'])(
  'at the cap, errors that waiting does not cure come first: with the reference %p',
  async (externalRef) => {
    const account = await used(5_000);
    await setWritesInRedis(account.accountId, await writesInDatabase(account.accountId));
    const other = await TestAccount.create();
    const fields = externalRef === undefined ? {} : { externalRef };
    for (const source of [crypto.randomUUID(), other.sources['uk-property']]) {
      const response = await account.post(entry(fields), { source });
      expect(failure(response)).toEqual([404, 'source_not_found']);
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
  const account = await TestAccount.create();
  const known = batch('known', 490);
  expect((await account.post(known)).status).toBe(201);
  await use(account, 4_490);
  expectCap(await account.post([...known.slice(11), ...batch('new', 10), ...nameless(11)]), 20);
  expect((await account.post([...known, ...batch('new', 10)])).body.created).toBe(10);
  expect((await account.post([...known, ...nameless(10)])).body.created).toBe(10);
  // All known is 200, partly new is refused whole.
  const all = await account.post(known);
  expect([all.status, all.body.created, all.body.deduplicated]).toEqual([200, 0, 490]);
  for (const one of [batch('beyond', 1), nameless(1)])
    expectCap(await account.post([...known.slice(1), ...one]), 0);
  // One reference several times in a request is created once and counts once.
  await expireWritesIn(account.accountId, [-1]);
  expect((await account.post(nameless(489))).status).toBe(201);
  expect((await account.post(Array(20).fill(entry({ externalRef: 'last' })))).body.created).toBe(1);
  expect(await rowCount(account)).toBe(490 + 20 + 490);
  await expectCountsToEqualRows(account);
});

test('`index` is the first entry that does not fit: what is before it is created, and with it nothing is', async () => {
  const account = await used(4_990);
  const known = batch('known', 5);
  expect((await account.post(known)).status).toBe(201);
  const [first, second, ...others] = batch('new', 4);
  // Five fit: two with a new reference, and three without one. A repeated reference counts once.
  const request = [
    ...[...known, first, first, ...nameless(1), known[2], second, ...nameless(2)],
    ...[first, known[0], ...others, ...nameless(3)],
  ];
  const index = 14;
  for (const entries of [request, request.slice(0, index + 1)]) {
    await forgetDay(account.accountId);
    const refused = await account.post(entries);
    expectCap(refused, 5);
    expect(refused.body.error.index).toBe(index);
  }
  expect((await account.post(request.slice(0, index))).body.created).toBe(5);
  const full = await account.post(request);
  expect([full.body.error.remaining, full.body.error.index]).toEqual([
    0,
    request.findIndex((each) => each && !('externalRef' in each)),
  ]);
  expect((await account.post(entry())).body.error.index).toBe(0);
});

test('a refused request does not count towards the daily cap', async () => {
  const account = await used(4_990);
  const elsewhere = { source: Bun.randomUUIDv7() };
  expectCap(await account.post(nameless(11)), 10);
  expectCap(await account.post(batch('eleven', 11)), 10);
  expect((await account.post(batch('wrong', 5, { category: 'turnover' }))).status).toBe(422);
  expect((await account.post(batch('wrong', 5, { amountPence: 0 }))).status).toBe(422);
  expect((await account.post(batch('wrong', 5), elsewhere)).status).toBe(404);
  expect((await account.post(nameless(10))).status).toBe(201);
  expectCap(await account.post(entry()), 0);
});

test('the daily cap is shared by all sources and keys of an account', async () => {
  const account = await used(4_900);
  const { key } = await admin.createKey({ accountId: account.accountId });
  const options = { source: account.sources['self-employment'], headers: bearer(key) };
  expectCap(await account.post(nameless(101), options), 100);
  expect((await account.post(nameless(100), options)).status).toBe(201);
  for (const source of Object.values(account.sources)) expectCap(await account.post(entry(), { source }), 0);
  expect((await (await TestAccount.create()).post(entry())).status).toBe(201);
});

test('the daily cap holds when Redis has lost the window: the database decides', async () => {
  const account = await used(4_500);
  expect((await account.post(nameless(500))).status).toBe(201);
  for (const entries of [nameless(1), nameless(500), batch('new', 1)]) {
    await forgetDay(account.accountId);
    expectCap(await account.post(entries), 0);
  }
  expect(await rowCount(account)).toBe(500);
});

test('a database clock that was set back does not refuse what fits by the time of the last write', async () => {
  const account = await used(4_900, 10);
  // By the clock the first write is in the window, by the time of the second, a minute ahead, it is not.
  await expireWritesIn(account.accountId, [30, DAY_S + 60]);
  expect((await account.post(batch('fits', 500))).body.created).toBe(500);
});

test('a database clock that was set back does not raise the daily cap', async () => {
  const account = await used(3_500, 500);
  // The last write is dated a minute ahead: all that follow are behind it until the clock has caught up.
  await expireWritesIn(account.accountId, [DAY_S - 60, DAY_S + 60]);
  for (const count of [400, 500]) {
    expect((await account.post(batch(`ahead ${count}`, count))).body.created).toBe(count);
  }
  await forgetDay(account.accountId);
  expectCap(await account.post(batch('too many', 101)), 100);
  expect((await account.post(batch('the rest', 100))).body.created).toBe(100);
  expectCap(await account.post(batch('too many', 1)), 0);
});
