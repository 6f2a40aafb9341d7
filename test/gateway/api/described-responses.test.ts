/** Every response of the service is as its description says: status, schema, headers. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mintApiKey } from '../../../ledger-worker/admin/mint-key.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { type ApiResponse, entry, type Json, send, TestAccount } from '../../fixtures/client.ts';
import { failure, many } from '../../fixtures/endpoints.ts';
import { admin } from '../../fixtures/system.ts';
import {
  closed,
  dereference,
  expectDescribed,
  faults,
  fetchDescription,
  operationsOf,
  responseOf,
} from './openapi-document.ts';

setDefaultTimeout(60_000);

const raw = await fetchDescription();
const document = dereference(raw);
const account = await TestAccount.create();
const uk = account.sources['uk-property'];

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';
const OPERATIONS = operationsOf(raw).map(({ method, path }) => [method.toUpperCase(), path] as const);

/** A well-formed request of an operation, by this key. */
function request(method: string, path: string, key?: string): Promise<ApiResponse> {
  return send(path.replace('{id}', uk), {
    method,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    ...(method === 'POST' && { body: JSON.stringify(entry()) }),
  });
}

describe('successes are as described:', () => {
  test('the account of the key', async () => {
    const response = await account.get('/api/v1/me');
    expect(response.status).toBe(200);
    expectDescribed(document, 'GET', '/api/v1/me', response);
  });

  test('sources, with and without a country, owned and shared', async () => {
    await admin.createSource({
      accountId: account.accountId,
      type: 'foreign-property',
      name: 'Casa',
      countryCode: 'PT',
      role: 'sharer',
      sharePercent: 33.3,
    });
    const response = await account.get('/api/v1/sources');
    expect(response.body.sources).toHaveLength(4);
    expect(response.body.sources[3]).toMatchObject({ countryCode: 'PT', role: 'sharer', sharePercent: 33.3 });
    expectDescribed(document, 'GET', '/api/v1/sources', response);
  });

  test.each(['', '?sourceType=uk-property', '?sourceType=foreign-property', '?sourceType=self-employment'])(
    'categories%s',
    async (query) => {
      const response = await account.get(`/api/v1/categories${query}`);
      expect(response.status).toBe(200);
      expectDescribed(document, 'GET', '/api/v1/categories', response);
    },
  );

  test('a creation, a repetition with conflicts, and the pages of what is recorded', async () => {
    const full = { category: 'periodAmount', description: 'Rent', externalRef: 'described-1' };
    const created = await account.post([entry(full), entry()]);
    expect(created.status).toBe(201);
    expectDescribed(document, 'POST', TRANSACTIONS, created);

    const repeated = await account.post(entry({ ...full, amountPence: 1 }));
    expect(repeated.status).toBe(200);
    expect(repeated.body.conflicts).toHaveLength(1);
    expectDescribed(document, 'POST', TRANSACTIONS, repeated);

    const first = await account.page({ limit: 1 });
    expect(first.body.nextCursor).toBeString();
    expectDescribed(document, 'GET', TRANSACTIONS, first);
    const last = await account.page({ limit: 1, cursor: first.body.nextCursor });
    expect(last.body.nextCursor).toBeNull();
    expectDescribed(document, 'GET', TRANSACTIONS, last);
  });
});

type Send = (method: string, path: string) => Promise<ApiResponse>;

const FAILURES: [when: string, status: number, code: string, send: Send][] = [
  ['without a key', 401, 'missing_key', (method, path) => request(method, path)],
  ['with an unknown key', 401, 'invalid_key', (method, path) => request(method, path, mintApiKey('ledger'))],
  [
    'with a key of a plan without API access',
    403,
    'upgrade_required',
    async (method, path) => request(method, path, (await TestAccount.create('free')).key),
  ],
  [
    'by a method that its path does not have',
    405,
    'method_not_allowed',
    (_, path) => request('DELETE', path, account.key),
  ],
  [
    'with a query parameter that it does not have',
    422,
    'invalid_query',
    (method, path) => request(method, `${path}?colour=red`, account.key),
  ],
  [
    'when the minute of the key is full',
    429,
    'rate_limited',
    async (method, path) => {
      const { key } = await admin.createKey({ accountId: account.accountId });
      await many(LIMITS.requestsPerMinute, key);
      return request(method, path, key);
    },
  ],
];

describe.each(OPERATIONS)('%s %s fails as described', (method, path) => {
  test.each(FAILURES)('%s', async (_, status, code, send) => {
    const response = await send(method, path);
    expect(failure(response)).toEqual([status, code]);
    expect(response.headers.get('allow')?.split(', ') ?? [method]).toContain(method);
    expectDescribed(document, method, path, response);
  });
});

test('a response that differs from the description is found', () => {
  const { schema } = responseOf(document, 'GET', '/api/v1/me', 200).content['application/json'];
  const example: Json = responseOf(document, 'GET', '/api/v1/me', 200).content['application/json'].example;
  expect(faults(closed(schema), example)).toEqual([]);
  expect(faults(closed(schema), { ...example, extra: 1 })).not.toEqual([]);
  expect(faults(closed(schema), { ...example, plan: 'gold' })).not.toEqual([]);
  expect(faults(closed(schema), { ...example, accountId: 'no uuid' })).not.toEqual([]);
  expect(responseOf(document, 'GET', '/api/v1/me', 418)).toBeUndefined();
});
