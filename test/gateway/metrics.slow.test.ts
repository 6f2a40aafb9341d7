/** The metrics of a gateway and its worker count what they did. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import type { ExecuteRequest__Output } from '../../proto/contract.ts';
import { batch } from '../fixtures/books.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { startFakeWorker } from '../fixtures/fake-worker.ts';
import { scrape } from '../fixtures/metrics.ts';
import { startOwnGateway, startOwnServices } from '../fixtures/own-services.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

const { worker, gateway } = await startOwnServices();

/** What `work` adds to each metric of both processes. */
async function added(work: () => Promise<void>) {
  const before = [await scrape(gateway.metricsAddress), await scrape(worker.metricsAddress)] as const;
  await work();
  return {
    gateway: (await scrape(gateway.metricsAddress)).since(before[0]),
    worker: (await scrape(worker.metricsAddress)).since(before[1]),
  };
}

const TRANSACTIONS = '/api/v1/sources/:id/transactions';

test('requests by method, route and status, and the codes of errors', async () => {
  const account = await TestAccount.create();
  const path = account.transactions;
  const { url } = gateway;
  const of = await added(async () => {
    await account.post(entry(), { url });
    await account.post([], { url });
    await account.request(path, { url });
    await account.request(path, { url });
    await account.request(path, { url, method: 'PATCH' });
    await send(`/api/v1/${account.key}`, { url });
    await send('/api/v1/me', { url });
    // A request is counted after its response.
    const last = { route: '/api/v1/me', status: '401' };
    const counted = async () =>
      (await scrape(gateway.metricsAddress)).sum('http_request_duration_seconds_count', last);
    await until('the last one is counted', async () => (await counted()) === 1);
  });
  const count = (method: string, route: string, status: number) =>
    of.gateway.value('http_request_duration_seconds_count', { method, route, status: String(status) });
  expect([
    count('POST', TRANSACTIONS, 201),
    count('POST', TRANSACTIONS, 422),
    count('GET', TRANSACTIONS, 200),
    count('PATCH', TRANSACTIONS, 405),
    count('GET', 'none', 404),
    count('GET', '/api/v1/me', 401),
  ]).toEqual([1, 1, 2, 1, 1, 1]);
  const errors = ['empty_body', 'method_not_allowed', 'not_found', 'missing_key'].map((code) =>
    of.gateway.value('ledger_api_errors_total', { code }),
  );
  expect(errors).toEqual([1, 1, 1, 1]);
});

test('decisions of the minute limit, and whether Redis is up', async () => {
  const { key } = await TestAccount.create();
  const of = await added(async () => {
    const me = () => send('/api/v1/me', { url: gateway.url, headers: { authorization: `Bearer ${key}` } });
    await Promise.all(Array.from({ length: 130 }, me));
  });
  const decisions = (decision: string) => of.gateway.sum('ledger_minute_decisions_total', { decision });
  expect([decisions('admitted'), decisions('refused')]).toEqual([120, 10]);
  // Now and then a busy machine keeps Redis from a reply in time.
  const isUp = async () => (await scrape(gateway.metricsAddress)).value('ledger_redis_up');
  await until('Redis is up', async () => (await isUp()) === 1);
});

test('entries created and deduplicated, and requests by their outcome', async () => {
  const account = await TestAccount.create();
  const { url } = gateway;
  const of = await added(async () => {
    await account.post(batch('twice', 7), { url });
    await account.post(batch('twice', 7), { url });
    await account.post(entry({ category: 'noSuchCategory' }), { url });
  });
  expect(of.worker.value('ledger_entries_created_total')).toBe(7);
  expect(of.worker.value('ledger_entries_known_total')).toBe(7);
  expect(of.worker.value('ledger_writes_total', { outcome: 'created' })).toBe(2);
  expect(of.worker.value('ledger_writes_total', { outcome: 'invalidCategories' })).toBe(1);
  const labels = { grpc_method: 'createEntries', grpc_code: 'OK' };
  expect(of.gateway.value('grpc_client_handling_seconds_count', labels)).toBe(3);
  expect(of.worker.value('grpc_server_handling_seconds_count', labels)).toBe(3);
  expect(of.worker.value('ledger_statement_duration_seconds_count', { statement: 'write' })).toBe(3);
  expect(of.worker.value('ledger_group_size_sum', { statement: 'write' })).toBe(3);
});

/** Fails the requests at once, or never responds. */
let isSilent = false;
const away = await startFakeWorker((call) => {
  let index = 0;
  const failure = { code: status.UNAVAILABLE, details: 'the database is unavailable' };
  call.on('data', ({ requests }: ExecuteRequest__Output) => {
    if (!isSilent) call.write({ responses: requests.map(() => ({ index: index++, failure })) });
  });
});
const env = { REQUEST_TIMEOUT_MS: '5000' };
const alone = await startOwnGateway({ workerAddress: away.address, redisUrl: undefined, env });
afterAll(() => away.stop());
const metricsAlone = () => scrape(alone.metricsAddress);

test('an attempt at a worker that failed is counted by its status', async () => {
  const account = await TestAccount.create('pro', alone.url);
  expect((await account.get('/api/v1/me')).status).toBe(503);
  const metrics = await metricsAlone();
  const failed = { grpc_method: 'authenticate', grpc_code: 'UNAVAILABLE' };
  expect(metrics.value('grpc_client_handling_seconds_count', failed)).toBeGreaterThan(0);
  expect(metrics.sum('grpc_client_handling_seconds_count', { grpc_code: 'OK' })).toBe(0);
  // Without REDIS_URL, Redis cannot be away.
  expect(metrics.text).not.toContain('ledger_redis_up');
  expect(metrics.sum('ledger_minute_decisions_total')).toBe(0);
});

test('a client that disconnects before its response is no error of the service', async () => {
  isSilent = true;
  const errors = async () => (await metricsAlone()).sum('ledger_api_errors_total');
  const before = await errors();
  const account = await TestAccount.create('pro', alone.url);
  const disconnect = new AbortController();
  const cancelled = account.request('/api/v1/me', { signal: disconnect.signal });
  const inFlight = async () => (await metricsAlone()).value('http_requests_in_flight');
  await until('the gateway has it', async () => (await inFlight()) === 1);
  disconnect.abort();
  expect(await cancelled.catch(({ name }) => name)).toBe('AbortError');
  const labels = { method: 'GET', route: '/api/v1/me', status: '499' };
  const count = async () => (await metricsAlone()).value('http_request_duration_seconds_count', labels);
  await until('it is counted', async () => (await count()) === 1);
  expect(await errors()).toBe(before);
});

test('both report their version, and the worker its database', async () => {
  for (const [service, address] of [
    ['gateway', gateway.metricsAddress],
    ['ledger-worker', worker.metricsAddress],
  ] as const) {
    const metrics = await scrape(address);
    expect(metrics.value('ledger_build_info', { service, bun: Bun.version, version: '1.0.0' })).toBe(1);
  }
  expect((await scrape(worker.metricsAddress)).value('ledger_database_up')).toBe(1);
});

test('no label holds an id, a key or anything else that a client wrote', async () => {
  const account = await TestAccount.create();
  await account.post(entry({ description: 'a tenant by name', externalRef: 'a-reference' }), {
    url: gateway.url,
  });
  await send(`/api/v1/${account.key}`, { url: gateway.url, method: 'PROPFIND' });
  for (const { metricsAddress } of [gateway, worker]) {
    const { text } = await scrape(metricsAddress);
    for (const secret of [account.key, account.accountId, 'tenant', 'a-reference', 'PROPFIND']) {
      expect(text).not.toContain(secret);
    }
  }
});
