/** Requests repeated under an Idempotency-Key: what makes "safe to send again" true of entries without externalRef too. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ENTRY_PROPERTIES, type TransactionInput } from '../../../gateway/api/schemas.ts';
import { fingerprint } from '../../../gateway/input/entries.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import { use, writesOf } from '../../fixtures/day.ts';
import { failure, statuses } from '../../fixtures/endpoints.ts';
import { expectError } from '../../fixtures/expect-error.ts';
import { admin, sql } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const newKey = () => Bun.randomUUIDv7();

afterAll(() => expectCountsToEqualRows(account));

const post = (key: string, body: unknown, { by = account, ...options }: PostOptions = {}) =>
  by.post(body, { ...options, headers: { 'idempotency-key': key } });

interface PostOptions {
  by?: TestAccount;
  source?: string;
  url?: string;
}

/** Dates the keys of an account back, as only time could. An update under Citus cannot compute a time from another one. */
async function age(accountId: string, by: string): Promise<void> {
  const rows = await sql<{ key: string; usedAt: string }[]>`
    select idempotency_key as key, (used_at - ${by}::interval)::text as "usedAt"
      from ledger.idempotency_key where account_id = ${accountId}`;
  for (const { key, usedAt } of rows) {
    await sql`
      update ledger.idempotency_key set used_at = ${usedAt}::timestamptz
       where account_id = ${accountId} and idempotency_key = ${key}`;
  }
}

const countOf = async (accountId: string) => (await rowsOf(accountId)).length;

function expectSame(again: ApiResponse, first: ApiResponse) {
  expect([again.status, again.body]).toEqual([first.status, first.body]);
}

test('a request has the same fingerprint in each release: it may be repeated across an upgrade', () => {
  const entries: TransactionInput[] = [
    { date: '2026-04-06', type: 'income', amountPence: 45000, category: 'periodAmount', description: '' },
    { date: '2026-04-07', type: 'expense', amountPence: 1, externalRef: 'a' },
  ];
  const hash = fingerprint('019DC8F4-7a52-7c31-9d0e-3b1f5a6c7d8e', { entries, pointer: () => '' });
  expect(hash.toString('hex')).toBe('59927cc08a01a611d62812098a3e8df8c294be477302617a8710a88ae27de9e1');
});

describe('the same key and body gets the first response again, and creates nothing:', () => {
  const known = batch(newKey(), 5);
  const twice = [entry({ externalRef: 'twice' }), entry(), entry({ externalRef: 'twice', amountPence: 1 })];
  test.each<[what: string, entries: unknown]>([
    ['a single entry without a reference', entry()],
    ['a batch with one reference twice', twice],
    ['500 entries', Array.from({ length: 500 }, (_, n) => entry({ amountPence: n + 1 }))],
    ['a batch of which nothing was new', known],
    [
      'a batch of which some were known, with conflicts',
      [entry(), ...batch('x', 2), entry({ ...known[0], type: 'expense' })],
    ],
  ])('%s', async (_, entries) => {
    const own = await TestAccount.create();
    await own.post(known);
    const key = newKey();
    const first = await post(key, entries, { by: own });
    expect(first.status).toBe(entries === known ? 200 : 201);
    const [rows, writes] = [await rowsOf(own.accountId), await writesOf(own.accountId)];
    for (let repeat = 0; repeat < 2; repeat++) expectSame(await post(key, entries, { by: own }), first);
    expect(await rowsOf(own.accountId)).toEqual(rows);
    expect(await writesOf(own.accountId)).toEqual(writes);
    await expectCountsToEqualRows(own);
  });

  test('at the daily cap, where nothing new fits', async () => {
    const full = await TestAccount.create();
    const key = newKey();
    const first = await post(key, entry(), { by: full });
    await use(full, 4_999);
    expectSame(await post(key, entry(), { by: full }), first);
    expect(failure(await post(newKey(), entry(), { by: full }))).toEqual([429, 'daily_cap']);
    expect(await countOf(full.accountId)).toBe(1);
  });

  test('after the source was removed', async () => {
    const own = await TestAccount.create();
    const key = newKey();
    const first = await post(key, entry(), { by: own });
    await admin.removeSource({ id: own.sources['uk-property'] });
    expectSame(await post(key, entry(), { by: own }), first);
    expect(failure(await post(newKey(), entry(), { by: own }))).toEqual([404, 'source_not_found']);
    // But not to a revoked key.
    const { keys } = await admin.listKeys({ accountId: own.accountId });
    for (const { keyId } of keys) await admin.revokeKey({ keyId });
    expect(failure(await post(key, entry(), { by: own }))).toEqual([401, 'invalid_key']);
  });

  test('with the id of the source in capitals', async () => {
    const key = newKey();
    const first = await post(key, entry());
    expectSame(await post(key, entry(), { source: account.sources['uk-property'].toUpperCase() }), first);
  });
});

describe('the same key with another request is 422 idempotency_key_reused, and creates nothing:', () => {
  async function expectReused(key: string, body: unknown, options: PostOptions = {}) {
    const before = await countOf(account.accountId);
    const response = await post(key, body, options);
    expectError(response, 'idempotency_key_reused', { status: 422 });
    expect(response.body.error.message).toContain(key);
    expect(await countOf(account.accountId)).toBe(before);
  }

  const [one, two] = [entry({ amountPence: 1 }), entry({ amountPence: 2 })];
  const DIFFERENT: [what: string, request: unknown, other: unknown][] = [
    ['another date', entry(), entry({ date: '2026-04-07' })],
    ['another type', entry(), entry({ type: 'expense' })],
    ['another amount', one, two],
    ['another category', entry({ category: 'periodAmount' }), entry({ category: 'otherIncome' })],
    ['another description', entry({ description: 'Rent' }), entry({ description: 'rent' })],
    ['an empty description or none', entry(), entry({ description: '' })],
    ['another reference', entry({ externalRef: newKey() }), entry({ externalRef: newKey() })],
    ['a reference or none', entry(), entry({ externalRef: newKey() })],
    ['a text in another field', entry({ description: 'text' }), entry({ externalRef: 'text' })],
    ['one entry more or fewer', [one], [one, two]],
    ['the entries in another order', [one, two], [two, one]],
  ];
  // Those in which nothing else differs: a property that is not in the fingerprint fails its own row below.
  test('every property of an entry has a row, the next one too', () => {
    const alone = DIFFERENT.flatMap(([, one, other]) => {
      const [a, b] = [one, other] as Record<string, unknown>[];
      const differing = ENTRY_PROPERTIES.filter((name) => a?.[name] !== b?.[name]);
      return Array.isArray(one) || differing.length > 1 ? [] : differing;
    });
    expect([...new Set(alone)].sort()).toEqual(ENTRY_PROPERTIES.toSorted());
  });

  test.each(DIFFERENT)('%s', async (_, request, other) => {
    const key = newKey();
    expect((await post(key, request)).status).toBe(201);
    await expectReused(key, other);
  });

  test('of two different requests at once under one key, one is created and one refused', async () => {
    for (let round = 0; round < 5; round++) {
      const key = newKey();
      expect(statuses(await Promise.all([post(key, one), post(key, two)]))).toEqual({ 201: 1, 422: 1 });
    }
  });
});

describe('a key is kept', () => {
  test('for 24 hours, and when it is used again after its time, for 24 hours from then', async () => {
    const own = await TestAccount.create();
    const key = newKey();
    const send = (amountPence: number) => post(key, entry({ amountPence }), { by: own });
    const first = await send(1);
    await age(own.accountId, '23 hours 59 minutes');
    expectSame(await send(1), first);
    await age(own.accountId, '1 minute');

    const second = await send(2);
    expect(second.status).toBe(201);
    await age(own.accountId, '23 hours 59 minutes');
    expectSame(await send(2), second);
    expect(failure(await send(1))).toEqual([422, 'idempotency_key_reused']);
    expect(await countOf(own.accountId)).toBe(2);
  });

  test('not when the request was refused: once corrected, it may be sent under the same key', async () => {
    const key = newKey();
    expect(failure(await post(key, entry({ amountPence: 0 })))).toEqual([422, 'invalid_transaction']);
    expect(failure(await post(key, entry({ category: 'turnover' })))).toEqual([422, 'invalid_category']);
    expect(failure(await post(key, entry(), { source: newKey() }))).toEqual([404, 'source_not_found']);
    expect((await post(key, entry())).status).toBe(201);
  });
});
