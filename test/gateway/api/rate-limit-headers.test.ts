/** RateLimit-Policy and RateLimit report both limits to programs, as X-RateLimit-Remaining does for the minute. */
import { expect, test } from 'bun:test';
import { batch, nameless } from '../../fixtures/books.ts';
import { type ApiResponse, send, TestAccount } from '../../fixtures/client.ts';
import { ageWrites, setWritesInRedis, used, writesInDatabase } from '../../fixtures/day.ts';
import { admin } from '../../fixtures/system.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

const rule = testWithRedis();

/** The items of RateLimit by the names of their policies, each with its parameters. */
function rateLimit({ headers }: ApiResponse): Record<string, Record<string, number>> {
  const items = [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)"([^,]*)/g)];
  return Object.fromEntries(
    items.map(([, name, parameters = '']) => [
      name,
      Object.fromEntries(
        [...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
      ),
    ]),
  );
}

rule(
  'every response to an admitted request names both policies and what is left of the minute, and of the day if it was a write',
  async () => {
    const account = await TestAccount.create();
    const path = account.transactions;
    const responses = [
      await account.request('/api/v1/me'),
      await account.request('/api/v1/sources'),
      await account.request('/api/v1/categories'),
      await account.request(path),
      await account.post(batch('known', 2)),
      // Creates nothing.
      await account.post(batch('known', 2)),
      await account.request(path, { method: 'POST', body: '[' }),
      await account.request(`${path}?limit=0`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200, 400, 422]);
    for (const [n, response] of responses.entries()) {
      expect(response.headers.get('ratelimit-policy')).toBe(
        '"minute";q=120;w=60, "day";q=5000;w=86400;qu="transactions"',
      );
      const isWritten = response.body.created !== undefined;
      expect(rateLimit(response)).toEqual({
        minute: { r: 119 - n },
        ...(isWritten && { day: { r: 4_998 } }),
      });
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(119 - n));
    }
  },
);

// Those of a limit that refuses it: access/retry-after.test.ts.
test('a request that is not admitted gets no limit headers', async () => {
  const stranger = await send('/api/v1/me');
  expect([stranger.status, stranger.headers.get('ratelimit-policy')]).toEqual([401, null]);
  expect(rateLimit(stranger)).toEqual({});
});

test('a key that lost its access while it was cached gets no limit headers', async () => {
  const account = await TestAccount.create();
  const { accountId } = account;
  expect((await account.request('/api/v1/me')).status).toBe(200);
  const { keys } = await admin.listKeys({ accountId });
  for (const [status, lose] of [
    [403, () => admin.setPlan({ accountId, plan: 'free' })],
    [401, () => admin.revokeKey({ keyId: keys[0]?.keyId ?? '' })],
  ] as const) {
    await lose();
    const refused = await account.request('/api/v1/me');
    expect(refused.status).toBe(status);
    expect([...refused.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  }
});

rule(
  'a write gets what is left of the day by the database, whatever Redis knows, and so does one that does not fit',
  async () => {
    // Redis knows of none of these entries, as after a loss of its data.
    const account = await used(4_000);
    const { accountId } = account;
    const dayAfter = async (entries: object[]) => rateLimit(await account.post(entries)).day;
    expect(await dayAfter(nameless(497))).toEqual({ r: 503 });
    expect(await dayAfter(nameless(500))).toEqual({ r: 3 });

    const tooMany = await account.post(nameless(4));
    expect([tooMany.status, tooMany.body.error.remaining]).toEqual([429, 3]);
    expect(rateLimit(tooMany)).toEqual({ minute: { r: expect.any(Number) }, day: { r: 3 } });

    expect(await dayAfter(nameless(3))).toEqual({ r: 0 });
    await setWritesInRedis(accountId, await writesInDatabase(accountId));
    // By the database and by Redis.
    for (const entries of [batch('one too many', 1), nameless(1)]) {
      const full = await account.post(entries);
      const { remaining, retryAfterSeconds } = full.body.error;
      expect([full.status, remaining]).toEqual([429, 0]);
      expect(rateLimit(full).day).toEqual({ r: 0, t: retryAfterSeconds });
    }
  },
);

test('entries that have left the day count for its rest again, in an account of any size', async () => {
  for (const created of [10, 4_990]) {
    const account = await used(created);
    await ageWrites(account.accountId, 24 * 60 * 60);
    expect(rateLimit(await account.post(nameless(1))).day).toEqual({ r: 4_999 });
  }
});

test('a repetition under its Idempotency-Key, which is the first response again, has no rest of the day', async () => {
  const account = await TestAccount.create();
  const post = () => account.post(nameless(1), { headers: { 'idempotency-key': 'rent' } });
  expect([rateLimit(await post()).day, rateLimit(await post()).day]).toEqual([{ r: 4_999 }, undefined]);
});
