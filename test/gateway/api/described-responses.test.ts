/** Every response of the service is as its description says: status, schema, headers. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mintApiKey } from '../../../ledger-worker/admin/mint-key.ts';
import { startGateway, startWorker } from '../../../local/system.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';
import { type ApiResponse, entry, type Json, send, TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';
import { closed, dereference, faults, fetchDescription, operationsOf } from './openapi-document.ts';

// Each test waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const raw = await fetchDescription();
const document = dereference(raw);
const account = await TestAccount.create();
const uk = account.sources['uk-property'];

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';
const OPERATIONS = operationsOf(raw).map(({ method, path }) => [method.toUpperCase(), path] as const);

/** Fails unless the description has this response: its status, the schema of its body, its headers. */
function expectDescribed(method: string, path: string, response: ApiResponse): void {
  const described: Json = responseOf(method, path, response.status);
  expect(described, `${method} ${path} ${response.status} is in the description`).toBeObject();
  const { schema } = described.content['application/json'];
  expect(response.headers.get('content-type')).toStartWith('application/json');
  // Closed: a member that the description does not name is a fault as well.
  expect(faults(closed(schema), response.body)).toEqual([]);
  for (const [name, header] of Object.entries<Json>(described.headers)) {
    const text = response.headers.get(name);
    expect(text, `${name} is sent`).not.toBeNull();
    expect(faults(header.schema, header.schema.type === 'integer' ? Number(text) : text)).toEqual([]);
  }
}

/** OpenAPI knows a status, a range of statuses such as 5XX, and a default. */
function responseOf(method: string, path: string, status: number): Json {
  const { responses } = document.paths[path][method.toLowerCase()];
  return responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default;
}

/** A well-formed request of an operation, by this key, to this gateway. */
function request(
  method: string,
  path: string,
  key: string | undefined,
  url = system.url,
): Promise<ApiResponse> {
  return send(path.replace('{id}', uk), {
    method,
    url,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    ...(method === 'POST' && { body: JSON.stringify(entry()) }),
  });
}

describe('successes are as described:', () => {
  test('the account of the key', async () => {
    const response = await account.get('/api/v1/me');
    expect(response.status).toBe(200);
    expectDescribed('GET', '/api/v1/me', response);
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
    expectDescribed('GET', '/api/v1/sources', response);
  });

  test.each(['', '?sourceType=uk-property', '?sourceType=foreign-property', '?sourceType=self-employment'])(
    'categories%s',
    async (query) => {
      const response = await account.get(`/api/v1/categories${query}`);
      expect(response.status).toBe(200);
      expectDescribed('GET', '/api/v1/categories', response);
    },
  );

  test('a creation, a repetition with conflicts, and the pages of what is recorded', async () => {
    const full = { category: 'periodAmount', description: 'Rent', externalRef: 'described-1' };
    const created = await account.post([entry(full), entry()]);
    expect(created.status).toBe(201);
    expectDescribed('POST', TRANSACTIONS, created);

    const repeated = await account.post(entry({ ...full, amountPence: 1 }));
    expect(repeated.status).toBe(200);
    expect(repeated.body.conflicts).toHaveLength(1);
    expectDescribed('POST', TRANSACTIONS, repeated);

    const first = await account.page({ limit: 1 });
    expect(first.body.nextCursor).toBeString();
    expectDescribed('GET', TRANSACTIONS, first);
    const last = await account.page({ limit: 1, cursor: first.body.nextCursor });
    expect(last.body.nextCursor).toBeNull();
    expectDescribed('GET', TRANSACTIONS, last);
  });
});

describe.each(OPERATIONS)('%s %s fails as described', (method, path) => {
  test('without a key', async () => {
    const response = await request(method, path, undefined);
    expect([response.status, response.body.error.code]).toEqual([401, 'missing_key']);
    expectDescribed(method, path, response);
  });

  test('with an unknown key', async () => {
    const response = await request(method, path, mintApiKey('ledger'));
    expect([response.status, response.body.error.code]).toEqual([401, 'invalid_key']);
    expectDescribed(method, path, response);
  });

  test('with a key of a plan without API access', async () => {
    const free = await TestAccount.create('free');
    const response = await request(method, path, free.key);
    expect([response.status, response.body.error.code]).toEqual([403, 'upgrade_required']);
    expectDescribed(method, path, response);
  });

  test('by a method that its path does not have', async () => {
    const response = await request('DELETE', path, account.key);
    expect([response.status, response.body.error.code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')?.split(', ')).toContain(method);
    expectDescribed(method, path, response);
  });

  test('with a query parameter that it does not have', async () => {
    const response = await request(method, `${path}?colour=red`, account.key);
    expect([response.status, response.body.error.code]).toEqual([422, 'invalid_query']);
    expectDescribed(method, path, response);
  });

  test('when the minute of the key is full', async () => {
    const { key } = await admin.createKey({ accountId: account.accountId });
    await Promise.all(
      Array.from({ length: LIMITS.requestsPerMinute }, () => request('GET', '/api/v1/me', key)),
    );
    const response = await request(method, path, key);
    expect([response.status, response.body.error.code]).toEqual([429, 'rate_limited']);
    expectDescribed(method, path, response);
  });
});

describe('failures of the service are as described:', () => {
  let off: Awaited<ReturnType<typeof startGateway>>;
  let cutOff: Awaited<ReturnType<typeof startGateway>>;
  /** Its worker does not implement the RPC that it calls. */
  let misled: Awaited<ReturnType<typeof startGateway>>;

  beforeAll(async () => {
    const worker = await startWorker({ databaseUrl: system.databaseUrl });
    off = await startGateway({ workerAddress: worker.address, env: { API_ENABLED: 'false' } });
    cutOff = await startGateway({ workerAddress: worker.address, env: { REQUEST_TIMEOUT_MS: '300' } });
    misled = await startGateway({ workerAddress: system.adminAddress });
    await worker.stop();
  });
  afterAll(async () => {
    await Promise.all([off, cutOff, misled].map((gateway) => gateway?.stop()));
  });

  test.each(OPERATIONS)('%s %s while the API is switched off', async (method, path) => {
    const response = await request(method, path, account.key, off.url);
    expect([response.status, response.body.error.code]).toEqual([404, 'not_found']);
    expectDescribed(method, path, response);
  });

  test.each(OPERATIONS)('%s %s when the service fails', async (method, path) => {
    const response = await request(method, path, account.key, misled.url);
    expect([response.status, response.body.error.code]).toEqual([500, 'server_error']);
    expectDescribed(method, path, response);
  });

  test.each(OPERATIONS)('%s %s while no worker is available', async (method, path) => {
    const response = await request(method, path, account.key, cutOff.url);
    expect(response.body.error.code).toBe('server_error');
    expectDescribed(method, path, response);
  });
});

test('a response that differs from the description is found', () => {
  const { schema } = responseOf('GET', '/api/v1/me', 200).content['application/json'];
  const example: Json = responseOf('GET', '/api/v1/me', 200).content['application/json'].example;
  expect(faults(closed(schema), example)).toEqual([]);
  expect(faults(closed(schema), { ...example, extra: 1 })).not.toEqual([]);
  expect(faults(closed(schema), { ...example, plan: 'gold' })).not.toEqual([]);
  expect(faults(closed(schema), { ...example, accountId: 'no uuid' })).not.toEqual([]);
  expect(responseOf('GET', '/api/v1/me', 418)).toBeUndefined();
});
