/** Every error of the catalogue, provoked for real (docs/api/errors.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { ERRORS } from '../../../gateway/api/errors.ts';
import { nameless } from '../../fixtures/books.ts';
import { type ApiResponse, entry, type PostOptions, send, TestAccount } from '../../fixtures/client.ts';
import { used } from '../../fixtures/day.ts';
import { bearer, many } from '../../fixtures/endpoints.ts';
import {
  CHALLENGE,
  type ExpectedError,
  expectError,
  RETRY_AFTER,
  UUID,
} from '../../fixtures/expect-error.ts';
import { secondGateway } from '../../fixtures/second-gateway.ts';
import { admin } from '../../fixtures/system.ts';
import { closed, dereference, faults, fetchDescription } from './openapi-document.ts';

const document = dereference(await fetchDescription());
const ERROR_SCHEMA = closed(document.components.schemas.Error);

setDefaultTimeout(60_000);

const account = await TestAccount.create();

type Provoke = (headers: Record<string, string>) => Promise<ApiResponse>;
type Case = Provoke | (Omit<ExpectedError, 'status'> & { provoke: Provoke });

const ISSUES = [{ path: expect.any(String), message: expect.any(String) }];

const get =
  (path: string, own = {}): Provoke =>
  (headers) =>
    account.request(path, { headers: { ...headers, ...own } });
const post =
  (body: unknown, { headers: own, ...options }: PostOptions = {}): Provoke =>
  (headers) =>
    account.post(body, { ...options, headers: { ...headers, ...own } });

const CASES: Record<string, Case> = {
  missing_key: { provoke: (headers) => send('/api/v1/me', { headers }), headers: CHALLENGE },
  invalid_key: { provoke: get('/api/v1/me', bearer(`${account.key}x`)), headers: CHALLENGE },
  async upgrade_required(headers) {
    const { key } = await TestAccount.create('free');
    return send('/api/v1/sources', { headers: { ...headers, ...bearer(key) } });
  },
  async read_only_key(headers) {
    const { key } = await admin.createKey({ accountId: account.accountId, readOnly: true });
    return account.post(entry(), { headers: { ...headers, ...bearer(key) } });
  },
  not_found: get('/api/v1/receipts'),
  source_not_found: post(entry(), { source: Bun.randomUUIDv7() }),
  method_not_allowed: {
    provoke: post(entry(), { method: 'DELETE' }),
    headers: { allow: /^GET, HEAD, POST$/ },
  },
  invalid_request: get('/api/v1/me', { host: 'a b' }),
  invalid_json: post('{"date": "2026-'),
  invalid_idempotency_key: post(entry(), { headers: { 'idempotency-key': 'a b' } }),
  request_timeout(headers) {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
    return account.post(entry(), { url: secondGateway.url, headers, body });
  },
  payload_too_large: post(' '.repeat(5 * 1024 * 1024 + 1)),
  unsupported_encoding: post(entry(), { headers: { 'content-encoding': 'gzip' } }),
  invalid_query: {
    provoke: get(`${account.transactions}?limit=201`),
    fields: { issues: [{ path: '/limit', message: expect.any(String) }] },
  },
  invalid_source_type: get('/api/v1/categories?sourceType=boat'),
  empty_body: post([]),
  too_many: post(Array(501).fill(entry())),
  async idempotency_key_reused(headers) {
    const key = { 'idempotency-key': Bun.randomUUIDv7() };
    await account.post(entry(), { headers: key });
    return account.post(entry({ amountPence: 1 }), { headers: { ...headers, ...key } });
  },
  invalid_transaction: {
    provoke: post([entry(), entry({ amountPence: 1.5 })]),
    fields: { issues: [{ path: '/1/amountPence', message: expect.any(String) }] },
  },
  invalid_category: {
    provoke: post(entry({ category: 'x' }), { source: account.sources['self-employment'] }),
    fields: { validCategories: ['turnover', 'other', 'seTaxDeducted'], issues: ISSUES },
  },
  rate_limited: {
    async provoke(headers) {
      const { key } = await TestAccount.create();
      await many(120, key);
      return send('/api/v1/me', { headers: { ...headers, ...bearer(key) } });
    },
    headers: RETRY_AFTER,
  },
  daily_cap: {
    provoke: async (headers) => (await used(4_999)).post(nameless(2), { headers }),
    fields: { limit: 5000, remaining: 1, index: 1, retryAfterSeconds: expect.any(Number) },
    headers: RETRY_AFTER,
  },
};

// No client can provoke a server_error: ledger/out-of-service.test.ts.
test('the table provokes every code of the catalogue, and the catalogue has every code of the table', () => {
  expect([...Object.keys(CASES), 'server_error'].sort()).toEqual(Object.keys(ERRORS).sort());
});

test.each(Object.entries(CASES))('%s: its status, shape, fields and headers', async (code, each) => {
  const id = `errors.test:${code}`;
  const { provoke, ...expected } = typeof each === 'function' ? { provoke: each } : each;
  const response = await provoke({ 'x-request-id': id });
  // The guide error-codes.md has the same status, and the conformance kit expects it.
  expectError(response, code, { ...expected, status: ERRORS[code as keyof typeof ERRORS] });
  // A member that the description does not name is a fault as well.
  expect(faults(ERROR_SCHEMA, response.body)).toEqual([]);
  expect(response.headers.get('x-request-id')).toBe(id);
});

// The rule requests.own-id of the conformance kit has more.
test.each(['é', `ledger_live_${'a'.repeat(33)}`])(
  'a hostile X-Request-Id does not come back: %s',
  async (id) => {
    for (const path of ['/api/v1/me', '/api/v1/nope']) {
      const { headers } = await account.request(path, { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(UUID);
    }
  },
);
