/** The client library against the real service. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Ledger, type LedgerError, type NewTransaction } from '../../../clients/typescript/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { startProxy } from '../proxy.ts';

setDefaultTimeout(60_000);

let account: TestAccount;
let ledger: Ledger;
beforeAll(async () => {
  account = await TestAccount.create();
  ledger = new Ledger({ url: system.url, apiKey: account.key });
});

const ENTRIES = Array.from(
  { length: 450 },
  (_, n): NewTransaction => ({
    ...{ date: '2026-04-06', type: 'income', amountPence: n + 1 },
    externalRef: `ref-${String(n).padStart(3, '0')}`,
  }),
);

describe('reads', () => {
  test('me, sources and categories', async () => {
    expect(await ledger.me()).toMatchObject({ accountId: account.accountId, plan: 'pro' });
    const sources = await ledger.sources();
    expect(sources.map(({ id }) => id).sort()).toEqual(Object.values(account.sources).sort());
    const all = await ledger.categories();
    expect(await ledger.categories('uk-property')).toEqual(all['uk-property']);
  });

  test('transactions are read over all pages', async () => {
    const source = account.sources['foreign-property'];
    expect((await ledger.push(source, ENTRIES)).created).toBe(450);
    const read = await Array.fromAsync(ledger.transactions(source));
    expect(read.map(({ externalRef }) => externalRef ?? '').sort()).toEqual(
      ENTRIES.map(({ externalRef = '' }) => externalRef),
    );
    expect(await Array.fromAsync(ledger.transactions(source, { from: '2026-04-07' }))).toEqual([]);
  });
});

describe('a redirect', () => {
  const failureOf = (promise: Promise<unknown>): Promise<LedgerError> =>
    promise.then(
      () => expect.unreachable(),
      (error) => error,
    );

  test('is not followed by any request, and not repeated', async () => {
    await using target = await startProxy();
    await using service = await startProxy(({ path }) => ({
      ...{ status: 307, body: '' },
      headers: { location: target.url + path },
    }));
    const client = new Ledger({ url: service.url, apiKey: account.key });
    const source = account.sources['uk-property'];
    const requests = [
      () => client.me(),
      () => client.sources(),
      () => client.categories(),
      () => Array.fromAsync(client.transactions(source)),
      () => client.push(source, ENTRIES.slice(0, 1)),
    ];
    for (const request of requests) {
      const error = await failureOf(request());
      expect(error).toMatchObject({ code: 'unexpected_response', status: 307 });
      expect(error.message).toContain(`redirects to ${target.url}, `);
    }
    expect([service.requests.length, target.requests]).toEqual([requests.length, []]);
  });

  test('is one too in a browser, which shows neither its status nor its target', async () => {
    const opaque = { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } };
    const fetch = async () => Object.defineProperties(new Response(null), opaque);
    const client = new Ledger({ url: 'https://ledger.example', apiKey: 'x', fetch });
    const { code, status, message } = await failureOf(client.me());
    expect([code, status]).toEqual(['unexpected_response', undefined]);
    expect(message).toContain('The service redirects to another address, ');
  });
});
