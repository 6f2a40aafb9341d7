/** API8: what every response reveals to browsers, caches and others, and what it does not. */
import { expect, test } from 'bun:test';
import { entry, type RequestOptions, send, TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { requestText, sendBytes } from '../fixtures/wire.ts';

const account = await TestAccount.create();
const transactions = account.transactions;
const authorized = { headers: bearer(account.key) };

/** One response of every kind. */
const REQUESTS: [name: string, path: string, options: RequestOptions][] = [
  ['an account', '/api/v1/me', authorized],
  ['a page', transactions, authorized],
  ['a creation', transactions, { ...authorized, method: 'POST', body: JSON.stringify(entry()) }],
  ['a body refused', transactions, { ...authorized, method: 'POST', body: '{' }],
  ['no key', '/api/v1/me', {}],
  ['a bad key', '/api/v1/me', { headers: bearer('x') }],
  ['no source', '/api/v1/sources/x/transactions', authorized],
  ['no path', '/nope', {}],
  ['no method', '/api/v1/me', { method: 'DELETE' }],
  ['the home page', '/', {}],
  ['the description', '/api/v1/openapi.json', {}],
  ['the docs page', '/api/v1/docs', {}],
  ['its script', '/api/v1/docs/scalar.js', { method: 'HEAD' }],
  ['health', '/healthz', {}],
  ['readiness', '/readyz', {}],
];

const ORIGIN = { origin: 'https://evil.example' };

test.each(REQUESTS)(
  'the response with %s has no CORS headers, product, version or cookie, and a browser must not guess its type',
  async (_, path, { headers: own, ...options }) => {
    const { headers } = await send(path, { ...options, headers: { ...own, ...ORIGIN } });
    const telling = /^(access-control-.*|server|x-powered-by|via|x-runtime|x-aspnet-version|set-cookie)$/;
    expect([...headers.keys()].filter((name) => telling.test(name))).toEqual([]);
    const values = [...headers.values()].join('\n');
    expect(values).not.toMatch(/\b(bun|elysia|node|express|postgres|redis|grpc)\b/i);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test.each(['TRACE', 'TRACK', 'DEBUG'])('%s is off: nothing of a request comes back', async (method) => {
  for (const path of ['/', '/api/v1/me', '/readyz', '/api/v1/docs', transactions]) {
    const headers = ['X-Canary: tell-tale', `Authorization: Bearer ${account.key}`];
    const response = await sendBytes(requestText(`${method} ${path}`, headers));
    // Bun closes the connection on an unknown method.
    expect(response).toMatch(/^(HTTP\/1\.1 (400|404|405|501) |$)/);
    expect(response).not.toContain('tell-tale');
    expect(response).not.toContain(account.key);
  }
});

test('no file of the host is served, however the path is written', async () => {
  const steps = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '%252e%252e%252f'];
  for (const step of steps) {
    for (const file of ['package.json', 'etc/passwd', 'gateway/main.ts']) {
      for (const base of ['/', '/api/v1/docs/', '/api/v1/docs/scalar.js/']) {
        const response = await sendBytes(requestText(`GET ${base}${step.repeat(8)}${file}`));
        expect([base, step, response]).toEqual([base, step, expect.stringMatching(/^HTTP\/1\.1 40[04] /)]);
      }
    }
  }
});
