/** 120 requests in any minute and key (docs/api/limits.md). */
import { expect } from 'bun:test';
import { mintApiKey } from '../../../ledger-worker/admin/keys.ts';
import { type ApiResponse, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, ENDPOINTS, failure, many, statuses } from '../../fixtures/endpoints.ts';
import { MINUTE_US, minuteOf, minutesIn } from '../../fixtures/minute.ts';
import { redis } from '../../fixtures/redis.ts';
import { secondGateway as second } from '../../fixtures/second-gateway.ts';
import { admin, system } from '../../fixtures/system.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';

const HOUR_US = 60 * MINUTE_US;

const rule = testWithRedis(second);

const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
const me = (key: string, url = system.url) => send('/api/v1/me', { url, headers: bearer(key) });

const { admitted, timePasses } = minutesIn(redis);

function expectRateLimited(response: ApiResponse) {
  expect(failure(response)).toEqual([429, 'rate_limited']);
  expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 61);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
}

for (const { name, request } of ENDPOINTS) {
  rule(`a full minute is 429 rate_limited on every endpoint: ${name}`, async () => {
    const account = await TestAccount.create();
    await admitted(account, Array(120).fill(10_000_000));
    const response = await request(account, account.key);
    if (!name.startsWith('HEAD')) expectRateLimited(response);
    expect([response.status, remaining(response)]).toEqual([429, 0]);
    account.key = (await admin.createKey({ accountId: account.accountId })).key;
    expect(await account.entries()).toEqual([]);
  });
}

rule(
  'of 150 requests at once to two gateways exactly 120 are admitted, each with another X-RateLimit-Remaining',
  async () => {
    const { accountId, key } = await TestAccount.create();
    const responses = (await Promise.all([many(75, key), many(75, key, { url: second.url })])).flat();
    expect(statuses(responses)).toEqual({ 200: 120, 429: 30 });
    expect(new Set(responses.filter(({ status }) => status === 200).map(remaining)).size).toBe(120);
    for (const response of responses.filter(({ status }) => status === 429)) expectRateLimited(response);
    // Another key of the account has a minute of its own.
    const other = await admin.createKey({ accountId });
    expect(remaining(await me(other.key))).toBe(119);
  },
);

rule('what is refused before admission is not counted: 401, 403, no such path, no such method', async () => {
  const { accountId, key } = await TestAccount.create('free');
  const prefix = key.slice(0, key.indexOf('_live_'));
  const headers = bearer(key);
  expect(statuses(await many(130, key))).toEqual({ 403: 130 });
  await admin.setPlan({ accountId, plan: 'pro' });
  expect((await me(`${key.slice(0, -1)}!`)).status).toBe(401);
  expect((await me(mintApiKey(prefix))).status).toBe(401);
  expect((await send('/api/v1/nope', { headers })).status).toBe(404);
  expect((await send('/api/v1/me', { headers, method: 'DELETE' })).status).toBe(405);
  expect((await send('/api/v1/openapi.json', { headers })).status).toBe(200);
  expect((await send('/healthz', { headers })).status).toBe(200);
  expect(remaining(await me(key))).toBe(119);
});

rule('a revoked key that a gateway remembers counts, and is 401 above the limit too', async () => {
  const { accountId } = await TestAccount.create();
  const { keyId, key } = await admin.createKey({ accountId });
  expect((await me(key)).status).toBe(200);
  await admin.revokeKey({ keyId });
  expect(failure(await me(key))).toEqual([401, 'invalid_key']);
  expect(await redis.llen(minuteOf({ accountId, key }))).toBe(2);
  await admitted({ accountId, key }, Array(120).fill(10_000_000));
  expect(failure(await me(key))).toEqual([401, 'invalid_key']);
});

rule('the window slides: a minute that was used late is not given out twice at its end', async () => {
  const account = await TestAccount.create();
  const { key } = account;
  // 1 at the beginning of the minute, 119 near its end.
  await admitted(account, [59_000_000, ...Array(119).fill(2_000_000)]);
  expectRateLimited(await me(key));
  await timePasses(account, 2_000_000);
  expect(statuses(await many(20, key))).toEqual({ 200: 1, 429: 19 });
  // The rest of the first minute leaves the window; the one that was just admitted stays.
  await timePasses(account, 57_000_000);
  expect(remaining(await me(key, second.url))).toBe(118);
});

rule(
  'after a clock was set back, admitted requests leave the window one minute later by the new time',
  async () => {
    const account = await TestAccount.create();
    const { key } = account;
    const ages = [...Array(30).fill(30_000_000 - HOUR_US), ...Array(30).fill(-HOUR_US)];
    await admitted(account, ages, HOUR_US + MINUTE_US);
    expect(remaining(await me(key))).toBe(59);
    await timePasses(account, 31_000_000);
    expect(remaining(await me(key, second.url))).toBe(88);
    await timePasses(account, 30_000_000);
    expect(remaining(await me(key))).toBe(118);
  },
);

// The rules keys.first and entries.order-of-errors of the conformance kit have the others.
rule('the order of errors begins with 401, 403, 429, 400', async () => {
  const account = await TestAccount.create('free');
  const { accountId, key } = account;
  const post = (by = key) => account.post('{"date":', { headers: bearer(by), source: Bun.randomUUIDv7() });
  await admitted(account, Array(120).fill(0));
  expect(failure(await post(`${key}x`))).toEqual([401, 'invalid_key']);
  expect(failure(await post())).toEqual([403, 'upgrade_required']);
  await admin.setPlan({ accountId, plan: 'pro' });
  expect(failure(await post())).toEqual([429, 'rate_limited']);
  await redis.del(minuteOf(account));
  expect(failure(await post())).toEqual([400, 'invalid_json']);
});

for (const [where, before] of [
  ['in Redis', 119],
  ["in the gateway's own memory", 0],
] as const) {
  rule(`a revoked key is 401 invalid_key although its minute is full ${where}`, async () => {
    const { accountId } = await TestAccount.create();
    const { keyId, key } = await admin.createKey({ accountId });
    if (before > 0) await admitted({ accountId, key }, Array(before).fill(0));
    await many(120 - before, key);
    expectRateLimited(await me(key));
    await admin.revokeKey({ keyId });
    expect(failure(await me(key))).toEqual([401, 'invalid_key']);
  });
}
