/** Traces across both processes: parents, attributes, timing and failures. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { hashApiKey } from '../../../proto/api-key.ts';
import { createLedgerClient } from '../../../proto/client.ts';
import type { ExecuteRequest__Output } from '../../../proto/contract.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { startFakeWorker } from '../../fixtures/fake-worker.ts';
import { entriesJson } from '../../fixtures/ledger.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { sql } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import type { ExportedSpan } from './collector.ts';
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

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

const WAITING = { kind: 'requests_waiting' };
const ROUTE = '/api/v1/sources/:id/transactions';

const client = parent({ tracestate: 'vendor=opaque,other=1' });
const response = await account.post(entry(), { url: gateway.url, headers: client.headers });
/** Of one request. */
const spans = await collector.trace(client.traceId, `POST ${ROUTE}`);

test('one trace goes from the client’s traceparent through both processes to the statement', () => {
  expect(response.status).toBe(201);
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
    ['EVALSHA admit', 'CLIENT', redis],
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

test('within a process each span lies within its parent, and the wait ends before the statement begins', () => {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const within = spans.filter((span) => byId.get(span.parentId)?.service === span.service);
  expect(within.length).toBeGreaterThanOrEqual(4);
  for (const span of within) {
    const above = byId.get(span.parentId) as ExportedSpan;
    const order = [above.began <= span.began, span.began <= span.ended, span.ended <= above.ended];
    expect([span.name, order]).toEqual([span.name, [true, true, true]]);
  }
  const { wait, statement } = pathTo(spans, 'write');
  expect(wait.ended <= statement.began).toBe(true);
});

test('a process exports its version and a unique instance id', () => {
  const instances = ['gateway', 'ledger-worker'].map((service) => {
    const { resource } = spans.find((span) => span.service === service) as ExportedSpan;
    expect(resource).toMatchObject({ 'service.version': '1.0.0', 'telemetry.sdk.name': 'opentelemetry' });
    return resource['service.instance.id'];
  });
  expect(instances).toEqual([expect.any(String), expect.any(String)]);
  expect(instances[0]).not.toBe(instances[1]);
});

test('the log line of a request has its trace id', async () => {
  expect((await lineOf(response)).traceId).toBe(client.traceId);
});

test('requests that share a statement each have it in their trace, with how many share it', async () => {
  const owners = await Promise.all(Array.from({ length: 5 }, () => TestAccount.create()));
  const post = (owner: TestAccount, headers = {}) => owner.post(entry(), { url: gateway.url, headers });
  const clients = [parent(), parent(), parent({ flags: '00' })];
  // Now the gateway has their keys in its cache, so a write is one RPC.
  for (const owner of owners) await owner.request('/api/v1/me', { url: gateway.url });
  await locks.table('ledger.source');
  // As many batches as may be in flight.
  const before = [];
  for (const [n, owner] of owners.slice(0, 2).entries()) {
    before.push(post(owner, parent({ flags: '00' }).headers));
    await until('a waiting batch', async () => (await backendsWaiting()).length === n + 1);
  }
  const batched = clients.map(({ headers }, n) => post(owners[n + 2] as TestAccount, headers));
  const held = async () => (await scrape(worker.metricsAddress)).value('ledger_held', WAITING);
  await until('the others wait', async () => (await held()) === batched.length);
  const released = BigInt(Date.now()) * 1_000_000n;
  await locks.release();
  for (const { status } of await Promise.all([...before, ...batched])) expect(status).toBe(201);

  for (const { traceId } of clients.slice(0, 2)) {
    const spans = await collector.trace(traceId, `POST ${ROUTE}`);
    const { statement, wait } = pathTo(spans, 'write');
    // The third is not sampled but is in the same batch.
    expect(statement.attributes['ledger.group.size']).toBe(3);
    // They waited while the lock was held. Their clock is another process's, truncated to whole ms.
    expect(wait.began).toBeLessThan(released);
    expect(wait.ended).toBeGreaterThan(released - 2_000_000n);
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
  for (const [n, span] of inOrder.entries()) {
    const before = inOrder[n - 1];
    if (before) expect(before.ended <= span.began).toBe(true);
  }
});

test('each attempt has its own span, and failures are marked', async () => {
  const identity = { accountId: account.accountId, plan: 'pro' };
  const failure = { code: status.UNAVAILABLE, details: 'the database is unavailable' };
  const outcomes: object[] = [
    { failure },
    { failure },
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
    const spans = exported();
    const attempts = spans.filter(({ name }) => name === 'ledger.v1.Ledger/Authenticate');
    const inOrder = attempts.toSorted((one, other) => Number(one.began - other.began));
    expect(contexts.splice(0)).toEqual(inOrder.map(({ spanId }) => `00-${client.traceId}-${spanId}-01`));
    const root = named(spans, 'GET /api/v1/me');
    expect(inOrder.map(({ parentId, kind }) => [parentId, kind])).toEqual(
      inOrder.map(() => [root.spanId, 'CLIENT']),
    );
    const outcomes = inOrder.map(({ status, attributes }) => [status, attributes['rpc.status_code']]);
    return { response, root, outcomes };
  };
  try {
    const repeated = await request();
    expect([repeated.response.status, repeated.root.status]).toEqual([200, 'UNSET']);
    // The account of the key, and then the response.
    const [failed, succeeded] = [
      ['ERROR', 'UNAVAILABLE'],
      ['UNSET', 'OK'],
    ];
    expect(repeated.outcomes).toEqual([failed, failed, succeeded, succeeded]);

    const { response, root, outcomes } = await request();
    expect([response.status, root.status]).toEqual([500, 'ERROR']);
    expect(root.attributes).toMatchObject({
      'http.response.status_code': 500,
      'error.type': '500',
      'ledger.error.code': 'server_error',
    });
    expect(outcomes).toEqual([['ERROR', 'INTERNAL']]);
  } finally {
    await alone.stop();
    failing.stop();
  }
});

test('a failed statement is marked with its SQLSTATE, and the worker’s log has the trace id', async () => {
  const ledger = createLedgerClient(worker.address, {});
  const owner = await TestAccount.create();
  const caller = { accountId: owner.accountId, keyHash: hashApiKey(owner.key) };
  const { traceId, headers } = parent();
  const entries = [{ id: Bun.randomUUIDv7(), ...entry({ amountPence: 0 }) }];
  const createEntries = { caller, sourceId: owner.sources['uk-property'], entriesJson: entriesJson(entries) };
  await sendRequests(ledger, [{ createEntries, trace: headers }]);
  const spans = await collector.trace(traceId, 'ledger.v1.Ledger/CreateEntries');
  expect(named(spans, 'write')).toMatchObject({
    status: 'ERROR',
    attributes: { 'error.type': '23514' },
  });
  // A client error is no failure of the worker.
  expect(named(spans, 'ledger.v1.Ledger/CreateEntries')).toMatchObject({
    status: 'UNSET',
    attributes: { 'rpc.status_code': 'INVALID_ARGUMENT' },
  });

  await locks.table('ledger.source');
  const late = parent();
  const listSources = sendRequests(ledger, [{ listSources: { caller }, trace: late.headers }]);
  const waiting = () => backendsWaiting('ledger.list_sources');
  await until('it waits', async () => (await waiting()).length === 1);
  // As at the end of its time.
  await sql`select pg_cancel_backend(${(await waiting())[0]?.pid ?? 0})`;
  await listSources;
  ledger.close();
  const failed = await collector.trace(late.traceId, 'ledger.v1.Ledger/ListSources');
  expect(named(failed, 'list_sources').status).toBe('ERROR');
  expect(named(failed, 'ledger.v1.Ledger/ListSources')).toMatchObject({
    status: 'ERROR',
    attributes: { 'rpc.status_code': 'DEADLINE_EXCEEDED' },
  });
  await until('the log line', () => logOf('worker').includes(`"traceId":"${late.traceId}"`));
});
