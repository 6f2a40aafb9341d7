/** What the API shows: account, sources, health (docs/api/requests.md). */
import { describe, expect, test } from 'bun:test';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, failure } from '../fixtures/endpoints.ts';
import { UUID } from '../fixtures/expect-error.ts';
import { admin } from '../fixtures/system.ts';

describe('GET /sources', () => {
  test('shows every source with all of its fields and no others, oldest first', async () => {
    const { accountId = '' } = await admin.createAccount({ plan: 'pro' });
    const { key } = await admin.createKey({ accountId });
    const wanted = [
      { type: 'uk-property', name: '12 Acacia Avenue', role: 'owner', sharePercent: 100 },
      { type: 'foreign-property', name: 'Gîte 🏡', role: 'sharer', sharePercent: 50, countryCode: 'FR' },
      { type: 'foreign-property', name: 'Somewhere', role: 'owner', sharePercent: 33.33 },
      { type: 'self-employment', name: 'Plumbing & "Heating"', role: 'owner', sharePercent: 0 },
    ];
    const ids: string[] = [];
    for (const source of wanted) ids.push((await admin.createSource({ accountId, ...source })).id);

    const { status, body } = await send('/api/v1/sources', { headers: bearer(key) });
    const sources = wanted.map((source, index) => ({
      id: ids[index],
      countryCode: null,
      ...source,
      transactionCount: 0,
    }));
    expect([status, body]).toEqual([200, { sources }]);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  test('a removed source is not listed, and cannot be read or written', async () => {
    const customer = await TestAccount.create();
    const { 'uk-property': removed, ...kept } = customer.sources;
    const created = await customer.post(entry({ externalRef: 'kept' }));
    await admin.removeSource({ id: removed });

    const { body } = await customer.get('/api/v1/sources');
    expect(body.sources.map(({ id }: { id: string }) => id)).toEqual(Object.values(kept));
    expect(failure(await customer.page({}, removed))).toEqual([404, 'source_not_found']);
    expect(failure(await customer.post(entry(), { source: removed }))).toEqual([404, 'source_not_found']);

    // Its entries and their references stay in the account's books.
    const again = await customer.post(entry({ externalRef: 'kept' }), { source: kept['self-employment'] });
    expect([again.status, again.body.existing]).toEqual([200, created.body.transactions]);
  });
});

test.each([
  ['/healthz', { status: 'ok' }],
  ['/readyz', { status: 'ok', worker: 'ok', limits: 'shared' }],
])('%s reports health without a key or rate limit', async (path, expected) => {
  const { status, body, headers } = await send(path);
  expect([status, body, headers.get('x-ratelimit-remaining')]).toEqual([200, expected, null]);
});
