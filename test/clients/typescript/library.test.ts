/** The client library against the real service. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Ledger, LedgerError, type NewTransaction, PushError } from '../../../clients/typescript/index.ts';
import { rowsOf } from '../../fixtures/books.ts';
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

const newEntry = (fields: Partial<NewTransaction> = {}): NewTransaction => ({
  date: '2026-04-06',
  type: 'income',
  amountPence: 45_000,
  ...fields,
});
const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => newEntry({ amountPence: n + 1, externalRef: `${prefix}-${n}` }));

/** A fetch that passes requests on, and lets a test fail some of them. */
function interceptedFetch(intercept: (request: Request, pass: () => Promise<Response>) => Promise<Response>) {
  const requests: { method: string; path: string; key: string | null; entries: number }[] = [];
  const intercepted = async (request: Request) => {
    const text = request.method === 'POST' ? await request.clone().text() : '[]';
    requests.push({
      method: request.method,
      path: new URL(request.url).pathname,
      key: request.headers.get('idempotency-key'),
      entries: JSON.parse(text).length,
    });
    return intercept(request, () => fetch(request));
  };
  return { requests, fetch: intercepted };
}

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
    const { created } = await ledger.push(source, numbered(450, 'pages'));
    expect(created).toBe(450);
    const read = await Array.fromAsync(ledger.transactions(source));
    expect(read.map(({ externalRef }) => externalRef).sort()).toEqual(
      numbered(450, 'pages')
        .map(({ externalRef }) => externalRef ?? null)
        .sort(),
    );
    expect(await Array.fromAsync(ledger.transactions(source, { from: '2026-04-07' }))).toEqual([]);
  });

  test('a page waits out the minute limit, and says so', async () => {
    let failures = 1;
    const { fetch } = interceptedFetch(async (_, pass) => {
      if (failures-- <= 0) return pass();
      const error = { code: 'rate_limited', message: 'wait' };
      return Response.json({ error }, { status: 429, headers: { 'retry-after': '0' } });
    });
    const limited = new Ledger({ url: system.url, apiKey: account.key, fetch });
    const pauses: string[] = [];
    const onPause = ({ reason }: { reason: string }) => pauses.push(reason);
    await Array.fromAsync(limited.transactions(account.sources['uk-property'], { onPause }));
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

describe('push', () => {
  const source = () => account.sources['uk-property'];

  test('cuts into requests of at most 500 entries and reports an outcome for each', async () => {
    const { requests, fetch } = interceptedFetch((_, pass) => pass());
    const client = new Ledger({ url: system.url, apiKey: account.key, fetch });
    const entries = numbered(1_201, 'cut');
    const progress: number[] = [];
    const result = await client.push(source(), entries, { onProgress: ({ sent }) => progress.push(sent) });
    expect(requests.map(({ entries }) => entries)).toEqual([500, 500, 201]);
    expect(progress).toEqual([500, 1_000, 1_201]);
    expect(result).toMatchObject({ created: 1_201, deduplicated: 0, remaining: 0 });
    expect(result.outcomes.every(({ status }) => status === 'created')).toBe(true);

    const again = await client.push(source(), [...entries.slice(0, 2), newEntry({ externalRef: 'cut-2' })]);
    expect(again.outcomes).toEqual([
      { status: 'known', id: result.outcomes[0]?.id ?? '' },
      { status: 'known', id: result.outcomes[1]?.id ?? '' },
      { status: 'conflict', id: result.outcomes[2]?.id ?? '', fields: ['amountPence'] },
    ]);
  });

  test('of one reference twice, the first is created and the second is known', async () => {
    const twice = newEntry({ externalRef: 'twice' });
    const { outcomes } = await ledger.push(source(), [newEntry(), twice, newEntry(), twice]);
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'known']);
    expect(outcomes[3]?.id).toBe(outcomes[1]?.id ?? '');
  });

  test.each([500, 502, 503])('status %i is repeated', async (status) => {
    let failures = 0;
    const { requests, fetch } = interceptedFetch(async (_, pass) =>
      failures++ < 2 ? new Response('<html>', { status, headers: { 'retry-after': '0' } }) : pass(),
    );
    const client = new Ledger({ url: system.url, apiKey: account.key, fetch });
    expect((await client.push(source(), [newEntry()])).created).toBe(1);
    expect(requests).toHaveLength(3);
  });

  test('an error points at the entry that was passed in, and has what was sent before', async () => {
    const entries = [...numbered(500, 'point'), newEntry(), newEntry({ amountPence: 0.5 })];
    const error = await ledger.push(source(), entries).catch((error) => error);
    expect(error).toBeInstanceOf(PushError);
    expect(error).toMatchObject({ code: 'invalid_transaction', status: 422 });
    expect(error.issues).toMatchObject([{ path: '/501/amountPence', index: 501 }]);
    expect(error.result).toMatchObject({ created: 500, remaining: 2 });
  });

  test('at the daily cap it fills what fits, and without `wait` it stops and says when to go on', async () => {
    const other = await TestAccount.create();
    const client = new Ledger({ url: system.url, apiKey: other.key });
    const entries = numbered(5_200, 'cap');
    const result = await client.push(other.sources['uk-property'], entries, { wait: false });
    expect(result).toMatchObject({ created: 5_000, remaining: 200, stoppedBy: 'daily_cap', fitsNow: 0 });
    expect(result.retryAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1_000);
    expect(await rowsOf(other.accountId)).toHaveLength(5_000);
  });

  test('at the daily cap, known entries are still reported as known', async () => {
    const other = await TestAccount.create();
    const client = new Ledger({ url: system.url, apiKey: other.key });
    const source = other.sources['uk-property'];
    await client.push(source, numbered(5_000, 'full'));
    const entries = [...numbered(130, 'full'), ...numbered(200, 'new')];
    const result = await client.push(source, entries, { wait: false });
    expect(result).toMatchObject({ created: 0, deduplicated: 130, remaining: 200, stoppedBy: 'daily_cap' });
  });

  test('an abort lets the running request finish, and sends no other', async () => {
    const abort = new AbortController();
    const { requests, fetch } = interceptedFetch((_, pass) => {
      abort.abort();
      return pass();
    });
    const client = new Ledger({ url: system.url, apiKey: account.key, fetch });
    const result = await client.push(source(), numbered(900, 'abort'), { signal: abort.signal });
    expect(result).toMatchObject({ created: 500, remaining: 400, stoppedBy: 'interrupted' });
    expect(requests).toHaveLength(1);
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
        () => client.push(source, [newEntry({ externalRef: `redirect-${status}` })]),
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
