/** The reference implements the same API as the service; otherwise the comparison would be unfair. */
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { spawnChild } from '../../../local/processes/child.ts';
import { serviceLine } from '../../../local/servers/service.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount, type TransactionList } from '../../fixtures/client.ts';
import { readPages } from '../../fixtures/paging.ts';
import { admin, system } from '../../fixtures/system.ts';

const child = spawnChild({
  name: 'reference',
  command: [process.execPath, join(import.meta.dir, 'main.ts')],
  env: { ...process.env, DATABASE_URL: system.databaseUrl },
});
afterAll(() => child.stop());
const { url } = await child.line(serviceLine('url'), { timeoutMs: 10_000 });

const account = await TestAccount.create();
const uk = account.sources['uk-property'];
const post = (body: unknown, of = account, source = of.sources['uk-property']) =>
  of.post(body, { url, source });
const get = (path: string) => account.request(path, { url });
const code = ({ status, body }: ApiResponse) => [status, body.error?.code];

test('entries are stored and listed as by the service, page by page', async () => {
  const sent = batch('listed', 30, { category: 'periodAmount', description: 'Rent, “April” {"\\, €' });
  const { status, body } = await post([...sent, entry({ date: '0099-12-31', amountPence: 2 ** 53 - 1 })]);
  expect([status, body.created, body.deduplicated, body.existing]).toEqual([201, 31, 0, []]);
  expect(body.transactions.map(({ externalRef }: { externalRef: string }) => externalRef)).toEqual([
    ...sent.map(({ externalRef }) => externalRef),
    null,
  ]);

  const read = async (cursor?: string): Promise<TransactionList> =>
    (await get(`/api/v1/sources/${uk}/transactions?limit=7${cursor ? `&cursor=${cursor}` : ''}`)).body;
  const pages = await readPages(read, ({ nextCursor }) => nextCursor);
  const listed = pages.flatMap(({ transactions }) => transactions);
  expect(listed).toEqual(await account.entries(uk, 20));
  expect(listed.length).toBe(31);

  const range = '?from=0099-01-01&to=2000-01-01';
  expect((await get(`/api/v1/sources/${uk}/transactions${range}`)).body.transactions.length).toBe(1);
});

test('a known reference returns its stored id, and of two equal references the first creates', async () => {
  const first = (await account.post(entry({ externalRef: 'known' }))).body.transactions[0];
  const { status, body } = await post(
    ['twice', 'known', 'twice'].map((externalRef) => entry({ externalRef })),
  );
  expect([status, body.created, body.deduplicated]).toEqual([201, 1, 2]);
  expect(body.existing).toEqual([first, body.transactions[0]]);

  const again = await post(entry({ externalRef: 'twice' }));
  expect(again.status).toBe(200);
  expect(again.body.existing).toEqual(body.transactions);
});

test('the daily cap is exactly that of the service', async () => {
  const full = await TestAccount.create();
  for (let n = 0; n < 9; n++) expect((await full.post(batch(`${n}`, 500))).status).toBe(201);
  expect((await post(batch('nine', 499), full)).status).toBe(201);
  expect(code(await post([entry(), entry()], full))).toEqual([429, 'daily_cap']);
  expect((await post([entry(), ...batch('nine', 499)], full)).status).toBe(201);
  expect(code(await post(entry(), full))).toEqual([429, 'daily_cap']);
  expect((await post(batch('nine', 499), full)).status).toBe(200);
  expect(code(await full.post(entry()))).toEqual([429, 'daily_cap']);
});

test('concurrent writes of one account create each reference once, and the counters are right', async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => [
      post(batch('race', 50)),
      account.post(batch('race', 50 + n)),
    ]).flat(),
  );
  const created = responses.map(({ body }) => body.created).reduce((sum, each) => sum + each, 0);
  expect(created).toBe(57);
  await expectCountsToEqualRows(account);
  expect((await get('/api/v1/sources')).body).toEqual((await account.get('/api/v1/sources')).body);
});

test('requests that the service rejects are rejected and create nothing', async () => {
  const before = (await rowsOf(account.accountId)).length;
  const rejected: [unknown, number, string][] = [
    ['{', 400, 'invalid_json'],
    [[], 422, 'empty_body'],
    [Array.from({ length: 501 }, () => entry()), 422, 'too_many'],
    [entry({ amountPence: 0.5 }), 422, 'invalid_transaction'],
    [[entry(), entry({ amountPence: '1' })], 422, 'invalid_transaction'],
    [entry({ date: '2026-02-30' }), 422, 'invalid_transaction'],
    [entry({ externalRef: '' }), 422, 'invalid_transaction'],
    [entry({ description: 'x\0' }), 422, 'invalid_transaction'],
    [entry({ description: 'x'.repeat(501) }), 422, 'invalid_transaction'],
    [entry({ colour: 'red' }), 422, 'invalid_transaction'],
    [null, 422, 'invalid_transaction'],
    [[entry(), entry({ category: 'turnover' })], 422, 'invalid_category'],
  ];
  for (const [body, status, name] of rejected) {
    expect([body, ...code(await post(body))]).toEqual([body, status, name]);
  }
  const stranger = await TestAccount.create();
  expect(code(await post(entry(), stranger, uk))).toEqual([404, 'source_not_found']);
  expect(code(await stranger.request(`/api/v1/sources/${uk}/transactions`, { url }))).toEqual([
    404,
    'source_not_found',
  ]);
  expect(code(await get(`/api/v1/sources/${uk}/transactions?limit=201`))).toEqual([422, 'invalid_query']);
  expect((await rowsOf(account.accountId)).length).toBe(before);
});

test('a key works until it is revoked or its plan loses access', async () => {
  const { body } = await get('/api/v1/me');
  expect(body).toMatchObject({ accountId: account.accountId, plan: 'pro' });
  const { accountId, key } = await TestAccount.create();
  const me = (authorization: string) => account.request('/api/v1/me', { url, headers: { authorization } });
  expect((await me(`Bearer ${key}`)).status).toBe(200);
  await admin.setPlan({ accountId, plan: 'free' });
  expect(code(await me(`Bearer ${key}`))).toEqual([403, 'upgrade_required']);
  expect(code(await me('Bearer x'))).toEqual([401, 'invalid_key']);
  expect(code(await me('Basic x'))).toEqual([401, 'missing_key']);
  const [{ keyId = '' } = {}] = (await admin.listKeys({ accountId: account.accountId })).keys;
  await admin.revokeKey({ keyId });
  expect(code(await post(entry()))).toEqual([401, 'invalid_key']);
  expect(code(await get('/api/v1/me'))).toEqual([401, 'invalid_key']);
});
