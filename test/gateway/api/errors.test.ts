/** Every error of the catalogue, provoked for real (docs/api/errors.md). */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ERRORS } from '../../../gateway/api/errors.ts';
import { nameless } from '../../fixtures/books.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, many, statuses } from '../../fixtures/endpoints.ts';
import {
  CHALLENGE,
  type ExpectedError,
  expectError,
  RETRY_AFTER,
  UUID,
} from '../../fixtures/expect-error.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';
import { closed, dereference, faults, fetchDescription } from './openapi-document.ts';

const document = dereference(await fetchDescription());
const ERROR_SCHEMA = closed(document.components.schemas.Error);

setDefaultTimeout(60_000);

const account = await TestAccount.create();
/** Its worker does not implement the service that it calls. */
const failing = await startOwnGateway({ workerAddress: system.adminAddress });
/** It does not wait long for a body. */
const impatient = await startOwnGateway({ env: { BODY_TIMEOUT_MS: '300' } });

interface Case extends Omit<ExpectedError, 'status'> {
  provoke(headers: Record<string, string>): Promise<ApiResponse>;
}

const ISSUES = [{ path: expect.any(String), message: expect.any(String) }];

const get = (path: string, headers: Record<string, string>) => account.request(path, { headers });

const CASES: Record<string, Case> = {
  missing_key: { provoke: (headers) => send('/api/v1/me', { headers }), headers: CHALLENGE },
  invalid_key: {
    provoke: (headers) => get('/api/v1/me', { ...headers, ...bearer(`${account.key}x`) }),
    headers: CHALLENGE,
  },
  upgrade_required: {
    async provoke(headers) {
      const { key } = await TestAccount.create('free');
      return get('/api/v1/sources', { ...headers, ...bearer(key) });
    },
  },
  not_found: { provoke: (headers) => get('/api/v1/receipts', headers) },
  source_not_found: {
    provoke: (headers) => account.post(entry(), { source: Bun.randomUUIDv7(), headers }),
  },
  method_not_allowed: {
    provoke: (headers) => account.post(entry(), { method: 'DELETE', headers }),
    headers: { allow: /^GET, HEAD, POST$/ },
  },
  invalid_request: {
    provoke: (headers) => get('/api/v1/me', { ...headers, host: 'a b' }),
  },
  invalid_json: { provoke: (headers) => account.post('{"date": "2026-', { headers }) },
  invalid_idempotency_key: {
    provoke: (headers) => account.post(entry(), { headers: { ...headers, 'idempotency-key': 'a b' } }),
  },
  request_timeout: {
    provoke: (headers) => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
      return account.post(entry(), { url: impatient.url, headers, body });
    },
  },
  payload_too_large: {
    provoke: (headers) => account.post(' '.repeat(5 * 1024 * 1024 + 1), { headers }),
  },
  unsupported_encoding: {
    provoke: (headers) => account.post(entry(), { headers: { ...headers, 'content-encoding': 'gzip' } }),
  },
  invalid_query: {
    provoke: (headers) =>
      get(`/api/v1/sources/${account.sources['uk-property']}/transactions?limit=201`, headers),
    fields: { issues: [{ path: '/limit', message: expect.any(String) }] },
  },
  invalid_source_type: {
    provoke: (headers) => get('/api/v1/categories?sourceType=boat', headers),
  },
  empty_body: { provoke: (headers) => account.post([], { headers }) },
  too_many: { provoke: (headers) => account.post(Array(501).fill(entry()), { headers }) },
  idempotency_key_reused: {
    async provoke(headers) {
      const key = { 'idempotency-key': Bun.randomUUIDv7() };
      await account.post(entry(), { headers: key });
      return account.post(entry({ amountPence: 1 }), { headers: { ...headers, ...key } });
    },
  },
  invalid_transaction: {
    provoke: (headers) => account.post([entry(), entry({ amountPence: 1.5 })], { headers }),
    fields: { issues: [{ path: '/1/amountPence', message: expect.any(String) }] },
  },
  invalid_category: {
    provoke: (headers) =>
      account.post(entry({ category: 'x' }), { source: account.sources['self-employment'], headers }),
    fields: { validCategories: ['turnover', 'other', 'seTaxDeducted'], issues: ISSUES },
  },
  rate_limited: {
    async provoke(headers) {
      const { key } = await TestAccount.create();
      await many(120, key);
      return get('/api/v1/me', { ...headers, ...bearer(key) });
    },
    headers: RETRY_AFTER,
  },
  daily_cap: {
    async provoke(headers) {
      const busy = await TestAccount.create();
      const batches = Array.from({ length: 10 }, (_, index) => busy.post(nameless(index < 9 ? 500 : 499)));
      expect(statuses(await Promise.all(batches))).toEqual({ 201: 10 });
      return busy.post(nameless(2), { headers });
    },
    fields: { limit: 5000, remaining: 1, retryAfterSeconds: expect.any(Number) },
    headers: RETRY_AFTER,
  },
  server_error: {
    provoke: (headers) =>
      send('/api/v1/me', { url: failing.url, headers: { ...bearer(account.key), ...headers } }),
  },
};

test('the table provokes every code of the catalogue, and the catalogue has every code of the table', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(ERRORS).sort());
});

test.each(Object.entries(CASES))('%s: its status, shape, fields and headers', async (code, expected) => {
  const id = `errors.test:${code}`;
  const response = await expected.provoke({ 'x-request-id': id });
  // The guide error-codes.md has the same status, and the conformance kit expects it.
  expectError(response, code, { ...expected, status: ERRORS[code as keyof typeof ERRORS] });
  // A member that the description does not name is a fault as well.
  expect(faults(ERROR_SCHEMA, response.body)).toEqual([]);
  expect(response.headers.get('x-request-id')).toBe(id);
});

describe('X-Request-Id', () => {
  test.each([
    ['too long', 'x'.repeat(129)],
    ['a space', 'two words'],
    ['markup', '<script>alert(1)</script>'],
    ['a header', 'a; set-cookie: b'],
    ['a letter beyond ASCII', 'é'],
    ['an API key', `ledger_live_${'a'.repeat(33)}`],
  ])('a hostile one does not come back: %s', async (_, id) => {
    for (const path of ['/api/v1/me', '/api/v1/nope']) {
      const { headers } = await account.request(path, { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(UUID);
    }
  });
});
