/** Traces across both processes: parents, attributes, timing and failures. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import type { ExecuteRequest__Output } from '../../../proto/contract.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { statuses } from '../../fixtures/endpoints.ts';
import { startFakeWorker } from '../../fixtures/fake-worker.ts';
import { callerOf, openLedger } from '../../fixtures/ledger.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { sql } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import {
  account,
  collector,
  env,
  gateway,
  lineOf,
  logOf,
  named,
  parent,
  pathTo,
  startTracedGateway,
  worker,
} from './traced.ts';

setDefaultTimeout(60_000);

afterEach(() => locks.release());

const WAITING = { kind: 'requests_waiting' };
const ROUTE = '/api/v1/sources/:id/transactions';

const client = parent({ tracestate: 'vendor=opaque,other=1' });
const response = await account.post(entry(), { url: gateway.url, headers: client.headers });
/** Of one request. */
const spans = await collector.trace(client.traceId, `POST ${ROUTE}`);

test('one trace goes from the client’s traceparent through both processes to the statement, and is in the log', async () => {
  expect(response.status).toBe(201);
  expect((await lineOf(response)).traceId).toBe(client.traceId);
  const { request, attempt, rpc, wait, statement } = pathTo(spans, 'write');
  expect([request.name, attempt.name, rpc.name]).toEqual([
    `POST ${ROUTE}`,
    'ledger.v1.Ledger/CreateEntries',
    'ledger.v1.Ledger/CreateEntries',
  ]);
  const path = [request, attempt, rpc, wait, statement];
  expect(path.map(({ service, kind, parentId }) => [service, kind, parentId])).toEqual([
    ['gateway', 'SERVER', client.spanId],
    ['gateway', 'CLIENT', request.spanId],
    ['ledger-worker', 'SERVER', attempt.spanId],
    ['ledger-worker', 'INTERNAL', rpc.spanId],
    ['ledger-worker', 'CLIENT', rpc.spanId],
  ]);
  const redis = { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' };
  for (const [name, kind, attributes] of [
    ['EVALSHA count', 'CLIENT', redis],
    ['receive body', 'INTERNAL', {}],
  ] as const) {
    const [span] = spans.filter((each) => each.name === name);
    expect(span).toMatchObject({ service: 'gateway', kind, parentId: request.spanId, attributes });
  }
  for (const span of path) {
    expect([span.name, span.status, span.traceState]).toEqual([span.name, 'UNSET', 'vendor=opaque,other=1']);
  }

  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': ROUTE,
    'http.response.status_code': 201,
    'http.response.header.x-request-id': [response.headers.get('x-request-id')],
    'ledger.account.id': account.accountId,
  });
  const method = { 'rpc.system.name': 'grpc', 'rpc.method': 'ledger.v1.Ledger/CreateEntries' };
  const outcome = { 'rpc.status_code': 'OK' };
  const [address, port] = worker.address.split(':');
  const peer = { 'network.peer.address': address, 'network.peer.port': Number(port) };
  expect(attempt.attributes).toEqual({ ...method, ...outcome, ...peer });
  expect(rpc.attributes).toEqual({ ...method, ...outcome });
  expect(statement.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': 'write',
    'ledger.group.size': 1,
  });
});

test('requests that share a statement each have it in their trace, with how many share it', async () => {
  const owners = await Promise.all(Array.from({ length: 5 }, () => TestAccount.create()));
  const clients = [...Array(2).fill({ flags: '00' }), {}, {}, { flags: '00' }].map(parent);
  const post = (n: number) =>
    owners[n]?.post(entry(), { url: gateway.url, headers: clients[n]?.headers ?? {} });
  // Now the gateway has their keys in its cache, so a write is one RPC.
  for (const owner of owners) await owner.request('/api/v1/me', { url: gateway.url });
  await locks.table('ledger.source');
  const posts = [];
  // As many batches as may be in flight.
  for (const n of [0, 1]) {
    posts.push(post(n));
    await until('a waiting batch', async () => (await backendsWaiting()).length === n + 1);
  }
  posts.push(...[2, 3, 4].map(post));
  const inFlight = async () => (await scrape(worker.metricsAddress)).value('ledger_in_flight', WAITING);
  await until('the others wait', async () => (await inFlight()) === 3);
  await locks.release();
  for (const response of await Promise.all(posts)) expect(response?.status).toBe(201);
  for (const { traceId } of clients.slice(2, 4)) {
    const { statement } = pathTo(await collector.trace(traceId, `POST ${ROUTE}`), 'write');
    // The third is not sampled but is in the same batch.
    expect(statement.attributes['ledger.group.size']).toBe(3);
  }
});

test('a write whose account is locked waits for the lock in a statement of its own', async () => {
  const client = parent();
  await locks.account(account.accountId);
  const response = account.post(entry(), { url: gateway.url, headers: client.headers });
  await until('a waiting statement', async () => (await backendsWaiting()).length === 1);
  await locks.release();
  expect((await response).status).toBe(201);
  const spans = await collector.trace(client.traceId, `POST ${ROUTE}`);
  const rpc = spans.find(({ name, kind }) => name.endsWith('/CreateEntries') && kind === 'SERVER');
  const inOrder = spans
    .filter(({ parentId }) => parentId === rpc?.spanId)
    .toSorted((one, other) => Number(one.began - other.began));
  expect(inOrder.map(({ name }) => name)).toEqual(['group wait', 'write', 'group wait', 'write']);
});

test('each attempt has its own span, and failures are marked', async () => {
  const identity = { accountId: account.accountId, plan: 'pro' };
  const failure = { code: status.UNAVAILABLE, details: 'the database is unavailable' };
  const outcomes: object[] = [
    ...Array(2).fill({ failure }),
    ...Array(2).fill({ authenticate: { identity } }),
    { failure: { ...failure, code: status.INTERNAL } },
  ];
  const contexts: (string | undefined)[] = [];
  const failing = await startFakeWorker((call) => {
    let index = 0;
    call.on('data', ({ requests }: ExecuteRequest__Output) => {
      for (const { trace } of requests) contexts.push(trace?.traceparent);
      call.write({ responses: requests.map(() => ({ index: index++, ...outcomes.shift() })) });
    });
  });
  const alone = await startTracedGateway('alone', failing.address, env);
  const request = async () => {
    const client = parent();
    const response = await account.request('/api/v1/me', { url: alone.url, headers: client.headers });
    const exported = () => collector.spans.filter(({ traceId }) => traceId === client.traceId);
    await until('its spans', () => exported().some(({ kind }) => kind === 'SERVER'));
    const attempts = exported().filter(({ name }) => name === 'ledger.v1.Ledger/Authenticate');
    const inOrder = attempts.toSorted((one, other) => Number(one.began - other.began));
    expect(contexts.splice(0)).toEqual(inOrder.map(({ spanId }) => `00-${client.traceId}-${spanId}-01`));
    const root = named(exported(), 'GET /api/v1/me');
    for (const { parentId, kind } of inOrder) expect([parentId, kind]).toEqual([root.spanId, 'CLIENT']);
    const outcomes = inOrder.map(({ status, attributes }) => `${status} ${attributes['rpc.status_code']}`);
    return { code: response.status, root, outcomes };
  };
  try {
    // The account of the key, and then the response.
    expect(await request()).toMatchObject({
      code: 200,
      root: { status: 'UNSET' },
      outcomes: ['ERROR UNAVAILABLE', 'ERROR UNAVAILABLE', 'UNSET OK', 'UNSET OK'],
    });
    const attributes = { 'error.type': '500', 'ledger.error.code': 'server_error' };
    const root = { status: 'ERROR', attributes };
    expect(await request()).toMatchObject({ code: 500, root, outcomes: ['ERROR INTERNAL'] });
  } finally {
    await alone.stop();
    failing.stop();
  }
});

test('a failed statement is marked with its SQLSTATE, and the worker’s log has the trace id', async () => {
  const ledger = openLedger(worker.address);
  const caller = callerOf(account);
  await locks.table('ledger.source');
  const { traceId, headers } = parent();
  const listSources = sendRequests(ledger, [{ listSources: { caller }, trace: headers }]);
  const waiting = () => backendsWaiting('ledger.list_sources');
  await until('it waits', async () => (await waiting()).length === 1);
  // As at the end of its time.
  await sql`select pg_cancel_backend(${(await waiting())[0]?.pid ?? 0})`;
  await listSources;
  ledger.close();
  const spans = await collector.trace(traceId, 'ledger.v1.Ledger/ListSources');
  expect(named(spans, 'list_sources')).toMatchObject({
    status: 'ERROR',
    attributes: { 'error.type': '57014' },
  });
  const rpc = { status: 'ERROR', attributes: { 'rpc.status_code': 'DEADLINE_EXCEEDED' } };
  expect(named(spans, 'ledger.v1.Ledger/ListSources')).toMatchObject(rpc);
  await until('the log line', () => logOf('worker').includes(`"traceId":"${traceId}"`));
});

test('each request has its span, also where the log only counts the requests with its error', async () => {
  const parents = Array.from({ length: 50 }, () => parent());
  const responses = await Promise.all(
    parents.map(({ headers }) => send('/api/v1/me', { url: gateway.url, headers })),
  );
  expect(statuses(responses)).toEqual({ 401: 50 });
  for (const { traceId } of parents) expect(await collector.trace(traceId, 'GET /api/v1/me')).toHaveLength(1);
  await until('the log has the number of the others', () =>
    logOf('gateway').includes('more requests with this error'),
  );
});
