/**
 * A key that reads only never writes, whatever a gateway remembers of it (docs/api/requests.md). The rules keys.read-only-reads and
 * keys.read-only-me of the conformance kit have what it reads.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { nameless, rowsOf } from '../../fixtures/books.ts';
import { entry, type PostOptions, TestAccount } from '../../fixtures/client.ts';
import { setWritesInRedis, used, writesInDatabase, writesOf } from '../../fixtures/day.ts';
import { bearer, failure, statuses } from '../../fixtures/endpoints.ts';
import { context, KEY_HASH, openLedgerOf, startScriptedWorker } from '../../fixtures/fake-ledger.ts';
import { newEntry, openLedger, propertyOf } from '../../fixtures/ledger.ts';
import { minuteOf, minutesIn } from '../../fixtures/minute.ts';
import { redis } from '../../fixtures/redis.ts';
import { secondGateway } from '../../fixtures/second-gateway.ts';
import { admin, sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const READ_ONLY = [403, 'read_only_key'];

const { admitted } = minutesIn(redis);
const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

/** An account, a key of it that reads only, and a POST with that key. */
async function withReadOnlyKey(account?: TestAccount) {
  const owner = account ?? (await TestAccount.create());
  const { accountId } = owner;
  const { keyId, key } = await admin.createKey({ accountId, readOnly: true });
  const post = (body: unknown = entry(), { headers, ...options }: PostOptions = {}) =>
    owner.post(body, { ...options, headers: { ...headers, ...bearer(key) } });
  const caller = { accountId, keyHash: hashApiKey(key) };
  return { account: owner, accountId, keyId, key, post, caller };
}

const POSTS: [what: string, body: unknown, options: PostOptions][] = [
  ['an entry', entry(), {}],
  ['a batch', nameless(3), {}],
  ['malformed JSON', '{"date":', {}],
  ['an invalid entry', entry({ amountPence: 0 }), {}],
  ['another content type', entry(), { headers: { 'content-type': 'text/csv' } }],
  ['a malformed Idempotency-Key', entry(), { headers: { 'idempotency-key': 'a b' } }],
  ['an unknown source', entry(), { source: Bun.randomUUIDv7() }],
];

test.each(POSTS)(
  'a POST with it is 403 read_only_key before any other fault, and creates nothing: %s',
  async (_, body, options) => {
    const { accountId, post } = await withReadOnlyKey();
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await post(body, options);
      expect(failure(response)).toEqual(READ_ONLY);
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await writesOf(accountId)).toEqual([]);
  },
);

test('401 and 403 upgrade_required come before read_only_key, and read_only_key before 429', async () => {
  const { accountId, keyId, key, post } = await withReadOnlyKey();
  expect(failure(await post())).toEqual(READ_ONLY);
  await redis.del(minuteOf({ accountId, key }));
  await admitted({ accountId, key }, Array(120).fill(0));
  expect(failure(await post())).toEqual(READ_ONLY);
  await admin.setPlan({ accountId, plan: 'free' });
  expect(failure(await post())).toEqual([403, 'upgrade_required']);
  await admin.setPlan({ accountId, plan: 'pro' });
  expect(failure(await post())).toEqual(READ_ONLY);
  await admin.revokeKey({ keyId });
  expect(failure(await post())).toEqual([401, 'invalid_key']);
  expect(await rowsOf(accountId)).toEqual([]);
});

test('a refused POST counts in the minute of its key', async () => {
  const { account, accountId, key, post } = await withReadOnlyKey();
  const responses = await Promise.all(Array.from({ length: 5 }, () => post()));
  expect(statuses(responses)).toEqual({ 403: 5 });
  const me = await account.request('/api/v1/me', { headers: bearer(key) });
  expect(me.headers.get('x-ratelimit-remaining')).toBe('114');
  await admitted({ accountId, key }, Array(114).fill(0));
  const full = await account.request('/api/v1/me', { headers: bearer(key) });
  expect(failure(full)).toEqual([429, 'rate_limited']);
});

test('a gateway that remembers it refuses a POST before the body is read, also without the worker', async () => {
  const { account, key } = await withReadOnlyKey();
  const { url } = secondGateway;
  const worker = system.pids.get('ledger worker') ?? Number.NaN;
  expect((await account.request('/api/v1/me', { url, headers: bearer(key) })).status).toBe(200);
  const stalled = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
  process.kill(worker, 'SIGSTOP');
  try {
    // With the worker, the check of the key would find the same after 408.
    expect(failure(await account.post(stalled, { url, headers: bearer(key), body: stalled }))).toEqual(
      READ_ONLY,
    );
  } finally {
    process.kill(worker, 'SIGCONT');
  }
});

test('each gateway refuses it from its first request on, also while both remember it, until it is revoked', async () => {
  const { accountId, keyId, post } = await withReadOnlyKey();
  const both = async () => [failure(await post()), failure(await post(entry(), { url: secondGateway.url }))];
  for (let attempt = 0; attempt < 3; attempt++) expect(await both()).toEqual([READ_ONLY, READ_ONLY]);
  await admin.revokeKey({ keyId });
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await both()).toEqual(Array(2).fill([401, 'invalid_key']));
  expect(await rowsOf(accountId)).toEqual([]);
});

test('another key of the account writes beside it', async () => {
  const { account, accountId, post } = await withReadOnlyKey();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? post() : account.post(entry()))),
  );
  expect(statuses(responses)).toEqual({ 201: 10, 403: 10 });
  expect(await rowsOf(accountId)).toHaveLength(10);
});

// As if a worker of the version before had told the gateway about the key.
describe('a gateway that takes it for a key that can write:', () => {
  /** A key that this gateway takes for one that can write. */
  async function mistaken(account?: TestAccount) {
    const owner = account ?? (await TestAccount.create());
    const { accountId } = owner;
    const { keyId, key } = await admin.createKey({ accountId });
    const post = (body: unknown) => owner.post(body, { headers: bearer(key) });
    expect((await owner.request('/api/v1/me', { headers: bearer(key) })).status).toBe(200);
    await sql`update ledger.api_key set read_only = true where account_id = ${accountId} and key_id = ${keyId}`;
    return { account: owner, accountId, post };
  }

  test('the transaction refuses a write that the gateway has let pass', async () => {
    const { accountId, post } = await mistaken();
    expect(failure(await post(entry()))).toEqual(READ_ONLY);
    expect(await rowsOf(accountId)).toEqual([]);
  });

  test('the check of the key before another refusal finds it: read_only_key comes before 400', async () => {
    const { post } = await mistaken();
    expect(failure(await post('{'))).toEqual(READ_ONLY);
  });

  test('and so does the check before daily_cap', async () => {
    const { accountId, post } = await mistaken(await used(5_000));
    await setWritesInRedis(accountId, await writesInDatabase(accountId));
    const before = await writesOf(accountId);
    expect(failure(await post(nameless(2)))).toEqual(READ_ONLY);
    expect(await writesOf(accountId)).toEqual(before);
  });
});

describe('the worker:', () => {
  const refusalOf = async (request: Parameters<typeof ledger.createEntries>[0]) =>
    (await ledger.createEntries(request)).refused;

  test('the worker refuses a write that no gateway has seen, each attempt of it', async () => {
    const { account, accountId, caller, keyId } = await withReadOnlyKey();
    const request = { ...propertyOf(account), caller, entries: [newEntry({ externalRef: 'a' }), newEntry()] };
    const keyed = { ...request, idempotency: { key: 'k', fingerprint: Buffer.alloc(32) } };
    for (const each of [request, request, keyed]) expect(await refusalOf(each)).toBe('REFUSAL_READ_ONLY_KEY');
    await admin.setPlan({ accountId, plan: 'free' });
    expect(await refusalOf(request)).toBe('REFUSAL_UPGRADE_REQUIRED');
    await admin.revokeKey({ keyId });
    expect(await refusalOf(request)).toBe('REFUSAL_INVALID_KEY');
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await writesOf(accountId)).toEqual([]);
  });

  test('in a group with other writes, of its account and of others, it alone is refused', async () => {
    const reading = await withReadOnlyKey();
    const other = await TestAccount.create();
    const callers = [
      { ...propertyOf(reading.account), caller: reading.caller },
      propertyOf(reading.account),
      propertyOf(other),
    ];
    const responses = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const request = { ...callers[n % 3], writeId: crypto.randomUUID(), entries: [newEntry()] };
        const { refused, created } = await ledger.createEntries(request);
        return refused ?? created?.newEntries;
      }),
    );
    expect(responses).toEqual(Array(10).fill(['REFUSAL_READ_ONLY_KEY', 1, 1]).flat());
    for (const { accountId } of [reading.account, other]) expect(await rowsOf(accountId)).toHaveLength(10);
  });

  test('it learns nothing of the idempotency keys of others, and its refusal leaves none', async () => {
    const { account, caller } = await withReadOnlyKey();
    const idempotency = { key: 'one', fingerprint: Buffer.alloc(32) };
    const request = { ...propertyOf(account), entries: [newEntry()], idempotency };
    const asReader = { ...request, caller, writeId: crypto.randomUUID(), entries: [newEntry()] };
    expect(await refusalOf(asReader)).toBe('REFUSAL_READ_ONLY_KEY');
    expect((await ledger.createEntries(request)).created?.newEntries).toBe(1);
    expect(await refusalOf(asReader)).toBe('REFUSAL_READ_ONLY_KEY');
    const others = { ...idempotency, fingerprint: Buffer.alloc(32, 1) };
    expect(await refusalOf({ ...asReader, idempotency: others })).toBe('REFUSAL_READ_ONLY_KEY');
  });
});

test('a refusal that only a newer worker has is 401 invalid_key, and no fault of the service', async () => {
  const worker = await startScriptedWorker((index) => ({
    index,
    authenticate: { refused: 99 as never },
  }));
  const refused = openLedgerOf(worker).authenticate(KEY_HASH, context(5_000));
  await expect(refused).rejects.toMatchObject({ status: 401, code: 'invalid_key' });
});
