/** The client library against the real service. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Ledger, LedgerError, type NewTransaction } from '../../../clients/typescript/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { RATE_LIMITED, startProxy } from '../proxy.ts';

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

  test('a page waits out the minute limit, and says so', async () => {
    const limited = { ...RATE_LIMITED, headers: { 'retry-after': '0' } };
    await using proxy = await startProxy((_, ordinal) => (ordinal === 1 ? limited : 'pass'));
    const client = new Ledger({ url: proxy.url, apiKey: account.key });
    const pauses: string[] = [];
    const onPause = ({ reason }: { reason: string }) => pauses.push(reason);
    await Array.fromAsync(client.transactions(account.sources['uk-property'], { onPause }));
    expect(pauses).toEqual(['minute_limit']);
  });

  test('an error has the code, the status and the request id of the API', async () => {
    const stranger = new Ledger({ url: system.url, apiKey: 'ledger_live_x' });
    const error = await stranger.me().catch((error) => error);
    expect(error).toBeInstanceOf(LedgerError);
    expect(error).toMatchObject({ code: 'invalid_key', status: 401 });
    expect(error.requestId).toBeString();
  });

  test.each([
    ['a closed port', 'http://127.0.0.1:1', 'unreachable'],
    ['another site', () => `${system.url}/api/v1/docs#`, 'unexpected_response'],
  ])('%s is an error of its own', async (_, url, code) => {
    const address = typeof url === 'string' ? url : url();
    const elsewhere = new Ledger({ url: address, apiKey: account.key, retryTimeoutMs: 300 });
    const message = expect.stringContaining(address);
    expect(await elsewhere.me().catch((error) => error)).toMatchObject({ code, message });
  });
});

describe('a redirect', () => {
  /** A service that redirects everything, and the one that it points to, which would accept it. */
  async function redirecting(status: number, locationOf = (url: string) => url) {
    const target = await startProxy();
    const service = await startProxy(({ path }) => ({
      status,
      headers: { location: locationOf(target.url + path) },
      body: '',
    }));
    const client = new Ledger({ url: service.url, apiKey: account.key });
    return {
      client,
      target,
      service,
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]();
        await target[Symbol.asyncDispose]();
      },
    };
  }
  const failureOf = (promise: Promise<unknown>): Promise<LedgerError> =>
    promise.then(
      () => expect.unreachable(),
      (error) => error,
    );

  test.each([300, 301, 302, 303, 307, 308])(
    'with status %i is not followed, and not repeated',
    async (status) => {
      await using redirect = await redirecting(status);
      const { client, target, service } = redirect;
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
        expect(error).toBeInstanceOf(LedgerError);
        expect(error).toMatchObject({ code: 'unexpected_response', status });
        expect(error.message).toContain(`redirects to ${target.url}, `);
      }
      expect([service.requests.length, target.requests]).toEqual([requests.length, []]);
    },
  );

  test.each([
    ['https://user:s3cret@other.example:8443/path?key=s3cret#s3cret', 'https://other.example:8443'],
    ['https://other.example/\u202e', 'https://other.example'],
    ['//other.example/x', 'http://other.example'],
    ['javascript:alert(1)', 'another address'],
    ['http://', 'another address'],
  ])('to %j names %s', async (location, name) => {
    const fetch = async (request: Request) => {
      expect(request.redirect).toBe('manual');
      const response = new Response('', { status: 307, headers: { location: encodeURI(location) } });
      return Object.defineProperty(response, 'url', { value: 'http://ledger.example/api/v1/me' });
    };
    const client = new Ledger({ url: 'http://ledger.example', apiKey: 'x', fetch });
    const { message } = await failureOf(client.me());
    expect(message).toContain(`The service redirects to ${name}, `);
    expect(message).not.toContain('s3cret');
  });

  test('is one too in a browser, which shows neither its status nor its target', async () => {
    const opaque = { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } };
    const fetch = async () => Object.defineProperties(new Response(null), opaque);
    const client = new Ledger({ url: 'http://ledger.example', apiKey: 'x', fetch });
    const { code, status, message } = await failureOf(client.me());
    expect([code, status]).toEqual(['unexpected_response', undefined]);
    expect(message).toContain('The service redirects to another address, ');
  });
});
