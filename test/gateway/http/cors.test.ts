/** CORS: pages of the origins that CORS_ORIGINS names may call the API from a browser, and no others. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  type ApiResponse,
  entry,
  type Json,
  type RequestOptions,
  send,
  TestAccount,
} from '../../fixtures/client.ts';
import { secondGateway as gateway, LISTED_ORIGINS } from '../../fixtures/second-gateway.ts';
import { fetchDescription } from '../api/openapi-document.ts';

setDefaultTimeout(60_000);

const [ORIGIN = ''] = LISTED_ORIGINS;

const account = await TestAccount.create();
const transactions = account.transactions;

const allowedOrigin = ({ headers }: ApiResponse) => headers.get('access-control-allow-origin');
const names = (list: string | null) => (list ?? '').split(', ').map((name) => name.toLowerCase());

/** The preflight of a browser, before a request that needs one. */
function preflight(path: string, origin = ORIGIN, own = {}): Promise<ApiResponse> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
    ...own,
  };
  return send(path, { url: gateway.url, method: 'OPTIONS', headers });
}

describe('a preflight of a listed origin', () => {
  test.each(LISTED_ORIGINS)('gets 204, without a key: %s', async (origin) => {
    // At an unknown path too, so that a page can read the 404.
    for (const path of ['/api/v1/me', transactions, '/api/v1/nowhere']) {
      const response = await preflight(path, origin);
      expect([response.status, response.body]).toEqual([204, '']);
      expect(allowedOrigin(response)).toBe(origin);
      expect(names(response.headers.get('access-control-allow-methods'))).toEqual(['get', 'head', 'post']);
      expect(response.headers.get('access-control-max-age')).toMatch(/^[1-9]\d*$/);
      expect(response.headers.get('vary')).toBe('Origin');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('allows the headers that clients send: those of the description, the key, and what traces a request', async () => {
    const { paths } = await fetchDescription();
    const parameters: Json[] = paths['/api/v1/sources/{id}/transactions'].post.parameters;
    const described = parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : []));
    expect(described).toEqual(['Idempotency-Key']);
    const allowed = names((await preflight(transactions)).headers.get('access-control-allow-headers'));
    const sent = ['authorization', 'content-type', 'x-request-id', 'traceparent', 'tracestate'];
    expect(allowed.sort()).toEqual([...described.map((name) => name.toLowerCase()), ...sent].sort());
  });
});

const request = (path: string, options: RequestOptions = {}) =>
  account.request(path, {
    url: gateway.url,
    ...options,
    headers: { origin: ORIGIN, ...options.headers },
  });

const RESPONSES: [name: string, status: number, request: () => Promise<ApiResponse>][] = [
  ['an account, by HEAD', 200, () => request('/api/v1/me', { method: 'HEAD' })],
  ['a page in chunks', 200, () => largePage('identity', null)],
  ['a compressed page', 200, () => largePage('gzip', 'gzip')],
  ['a creation', 201, () => request(transactions, { method: 'POST', body: JSON.stringify(entry()) })],
  ['a script of the docs page', 200, () => request('/api/v1/docs/scalar.js')],
  ['no key', 401, () => send('/api/v1/me', { url: gateway.url, headers: { origin: ORIGIN } })],
  ['no path', 404, () => request('/api/v1/nowhere')],
  ['no method', 405, () => request('/api/v1/me', { method: 'DELETE' })],
  ['no JSON', 400, () => request(transactions, { method: 'POST', body: '{' })],
];

async function largePage(accepted: string, encoding: string | null): Promise<ApiResponse> {
  const entries = Array.from({ length: 200 }, () => entry({ description: 'x'.repeat(200) }));
  expect((await account.post(entries)).status).toBe(201);
  const headers = { 'accept-encoding': accepted };
  const response = await request(`${transactions}?limit=200`, { headers });
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.has('content-length')).toBe(encoding !== null);
  return response;
}

describe('a listed origin', () => {
  test.each(RESPONSES)('may read the response with %s', async (_, status, request) => {
    const response = await request();
    expect(response.status).toBe(status);
    expect(allowedOrigin(response)).toBe(ORIGIN);
    // A page sends the key itself.
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('vary')).toMatch(/^Origin(, Accept-Encoding)?$/);
  });

  test('may read every header that the description has', async () => {
    const { components } = await fetchDescription();
    const described = Object.keys(components.headers).map((name) => name.toLowerCase());
    const { headers } = await request('/api/v1/me');
    expect(names(headers.get('access-control-expose-headers')).sort()).toEqual(described.sort());
  });
});

const NOT_LISTED = [
  ...'https://evil.example http://books.example https://books.example:8443 books.example'.split(' '),
  ...'https://a.books.example https://books.example.evil.example https://books.example/'.split(' '),
  ...['HTTPS://BOOKS.EXAMPLE', 'null', '', '*', `${ORIGIN}, ${ORIGIN}`, undefined],
];

describe('an origin that is not listed', () => {
  test.each(NOT_LISTED)('is not allowed, in a response or a preflight: %j', async (origin) => {
    const headers = origin === undefined ? {} : { origin };
    const responses = [
      await account.request('/api/v1/me', { url: gateway.url, headers }),
      await account.request('/api/v1/nowhere', { url: gateway.url, headers }),
      ...(origin === undefined ? [] : [await preflight('/api/v1/me', origin)]),
    ];
    for (const response of responses) {
      expect(allowedOrigin(response)).toBeNull();
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });
});

test.each(['/healthz', '/readyz', '/', '/nowhere', '/api/v1x', '/api'])(
  '%s is not of the API: no page may read it',
  async (path) => {
    for (const response of [await request(path), await preflight(path)])
      expect(allowedOrigin(response)).toBeNull();
  },
);
