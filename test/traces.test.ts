/** Traces: a request is followed from its client's traceparent through both processes to its statement, or not at all. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { type Gateway, startGateway } from '../local/gateway.ts';
import { startWorker, type Worker } from '../local/worker.ts';
import { hashApiKey } from '../proto/api-key.ts';
import { type AskRequest__Output, createLedgerClient } from '../proto/ledger.ts';
import { askAll } from './ask.ts';
import { entry, type Json, type RequestOptions, send, TestAccount } from './client.ts';
import { startCollector, type ToldSpan } from './collector.ts';
import { bearer } from './endpoints.ts';
import { startImpostor } from './impostor.ts';
import { backendsWaiting, openLocks } from './locks.ts';
import { system } from './system.ts';
import { until } from './until.ts';

setDefaultTimeout(60_000);

const collector = startCollector();
const directory = mkdtempSync(join(tmpdir(), 'ledger-traces-'));
const logOf = (name: string) => readFileSync(join(directory, name), 'utf8');
const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };

const startTraced = (env: Record<string, string>, name: string, workerAddress: string) =>
  startGateway({ workerAddress, redisUrl: system.redisUrl, env, logFile: join(directory, name) });

let worker: Worker;
let gateway: Gateway;
let account: TestAccount;
beforeAll(async () => {
  const logFile = join(directory, 'worker');
  worker = await startWorker({ databaseUrl: system.databaseUrl, env: TRACED, logFile });
  gateway = await startTraced(TRACED, 'gateway', worker.address);
  account = await TestAccount.create();
});
const locks = openLocks();
afterEach(() => locks.release());
afterAll(async () => {
  await locks.close();
  await gateway.stop();
  await worker.stop();
  await collector.stop();
  rmSync(directory, { recursive: true });
});

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A client's span, and the headers that tell of it. */
function parent({ flags = '01', ...headers }: Record<string, string> = {}) {
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, ...headers } };
}

const me = (options: RequestOptions = {}) => account.request('/api/v1/me', { url: gateway.url, ...options });

/** The line that the request left in a gateway's log. */
async function lineOf(answer: { headers: Headers }, log = 'gateway'): Promise<Json> {
  const id = answer.headers.get('x-request-id') ?? '';
  await until('the request is logged', () => logOf(log).includes(id));
  return JSON.parse(
    logOf(log)
      .split('\n')
      .find((line) => line.includes(id)) ?? '',
  );
}

/** The one span of that name. */
function named(spans: readonly ToldSpan[], name: string): ToldSpan {
  const [span, ...others] = spans.filter((each) => each.name === name);
  expect([name, span !== undefined, others]).toEqual([name, true, []]);
  return span as ToldSpan;
}

const ROUTE = '/api/v1/sources/:id/transactions';

test('one trace goes from the client’s traceparent through both processes to the statement', async () => {
  const client = parent({ tracestate: 'vendor=opaque,other=1' });
  await me();
  const answer = await account.post(entry(), { url: gateway.url, headers: client.headers });
  expect(answer.status).toBe(201);
  const spans = await collector.trace(client.traceId, 7);
  expect(spans.map(({ name }) => name).sort()).toEqual([
    'EVALSHA admit',
    'EVALSHA dayFits',
    `POST ${ROUTE}`,
    'create_batches',
    'group wait',
    'ledger.v1.Ledger/CreateEntries',
    'ledger.v1.Ledger/CreateEntries',
  ]);
  const request = named(spans, `POST ${ROUTE}`);
  const rpc = spans.filter(({ name }) => name === 'ledger.v1.Ledger/CreateEntries');
  const attempt = rpc.find(({ kind }) => kind === 'CLIENT') as ToldSpan;
  const question = rpc.find(({ kind }) => kind === 'SERVER') as ToldSpan;
  const [wait, statement] = [named(spans, 'group wait'), named(spans, 'create_batches')];

  const lineage = [request, attempt, question, wait, statement].map(({ service, kind, parentId }) => [
    service,
    kind,
    parentId,
  ]);
  expect(lineage).toEqual([
    ['gateway', 'SERVER', client.spanId],
    ['gateway', 'CLIENT', request.spanId],
    ['ledger-worker', 'SERVER', attempt.spanId],
    ['ledger-worker', 'INTERNAL', question.spanId],
    ['ledger-worker', 'CLIENT', question.spanId],
  ]);
  for (const script of ['admit', 'dayFits']) {
    expect(named(spans, `EVALSHA ${script}`)).toMatchObject({
      service: 'gateway',
      kind: 'CLIENT',
      parentId: request.spanId,
      attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' },
    });
  }
  for (const span of spans) {
    expect([span.name, span.status, span.traceState, span.links]).toEqual([
      span.name,
      'UNSET',
      'vendor=opaque,other=1',
      [],
    ]);
  }

  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': ROUTE,
    'http.response.status_code': 201,
    'http.response.header.x-request-id': [answer.headers.get('x-request-id')],
    'ledger.account.id': account.accountId,
  });
  const method = { 'rpc.system.name': 'grpc', 'rpc.method': 'ledger.v1.Ledger/CreateEntries' };
  const outcome = { 'rpc.status_code': 'OK' };
  const peer = { 'network.peer.address': worker.address };
  expect(attempt.attributes).toEqual({ ...method, ...outcome, ...peer });
  expect(question.attributes).toEqual({ ...method, ...outcome });
  expect(statement.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': 'create_batches',
    'ledger.group.size': 1,
  });
});

test('within a process each span lies within the one above it, and the wait ends where the statement begins', async () => {
  const client = parent();
  await me({ headers: client.headers });
  const spans = await collector.trace(client.traceId, 6);
  expect(spans).toHaveLength(6);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const within = spans.filter((span) => byId.get(span.parentId)?.service === span.service);
  expect(within).toHaveLength(4);
  for (const span of within) {
    const above = byId.get(span.parentId) as ToldSpan;
    expect([above.began <= span.began, span.began <= span.ended, span.ended <= above.ended]).toEqual([
      true,
      true,
      true,
    ]);
  }
  expect(named(spans, 'group wait').ended <= named(spans, 'authenticate').began).toBe(true);
});

test('a process says which it is', async () => {
  const client = parent();
  await me({ headers: client.headers });
  const spans = await collector.trace(client.traceId, 6);
  const instances = ['gateway', 'ledger-worker'].map((service) => {
    const { resource } = spans.find((span) => span.service === service) as ToldSpan;
    expect(resource).toMatchObject({ 'service.version': '1.0.0', 'telemetry.sdk.name': 'opentelemetry' });
    return resource['service.instance.id'];
  });
  expect(instances).toEqual([expect.any(String), expect.any(String)]);
  expect(instances[0]).not.toBe(instances[1]);
});

test('the line of a request in the log names its trace', async () => {
  const client = parent();
  expect((await lineOf(await me({ headers: client.headers }))).traceId).toBe(client.traceId);
  const { traceId } = await lineOf(await me());
  expect(named(await collector.trace(traceId, 6), 'GET /api/v1/me').parentId).toBe('');
});

test('requests that share a statement have it in their traces, linked with each other', async () => {
  const owners = await Promise.all(Array.from({ length: 5 }, () => TestAccount.create()));
  const post = (owner: TestAccount, headers = {}) => owner.post(entry(), { url: gateway.url, headers });
  const clients = [parent(), parent(), parent({ flags: '00' })];
  // From now on the gateway knows them: a write is one question.
  for (const owner of owners) await owner.request('/api/v1/me', { url: gateway.url });
  await locks.table('ledger.source');
  // As many groups as may be under way.
  const before = [];
  for (const [n, owner] of owners.slice(0, 2).entries()) {
    before.push(post(owner, parent({ flags: '00' }).headers));
    await until('a group waits', async () => (await backendsWaiting()).length === n + 1);
  }
  const together = clients.map(({ headers }, n) => post(owners[n + 2] as TestAccount, headers));
  // What has reached the worker cannot be seen from outside: they all have by then.
  await Bun.sleep(300);
  await locks.release();
  for (const { status } of await Promise.all([...before, ...together])) expect(status).toBe(201);

  const [one, other] = (await Promise.all(
    clients.slice(0, 2).map(async ({ traceId }) => {
      const spans = await collector.trace(traceId, 7);
      const statement = named(spans, 'create_batches');
      const question = spans.find(({ spanId }) => spanId === statement.parentId);
      expect([question?.service, question?.kind]).toEqual(['ledger-worker', 'SERVER']);
      // The third is not followed, but it has its part of the statement.
      expect(statement.attributes['ledger.group.size']).toBe(3);
      const wait = named(spans, 'group wait');
      expect(wait.parentId).toBe(statement.parentId);
      // The lock was held while they waited.
      expect(wait.ended - wait.began).toBeGreaterThan(100_000_000n);
      return statement;
    }),
  )) as [ToldSpan, ToldSpan];
  expect([one.links, other.links]).toEqual([[other.spanId], [one.spanId]]);
});

test('each attempt is a span of its own, and failures are marked', async () => {
  let attempts = 0;
  const contexts: (string | undefined)[] = [];
  const failing = await startImpostor((call) => {
    let index = 0;
    call.on('data', ({ questions }: AskRequest__Output) => {
      for (const { trace } of questions) contexts.push(trace?.traceparent);
      attempts += questions.length;
      const failure = { code: status.UNAVAILABLE, details: 'the database is out of reach' };
      call.write({ answers: questions.map(() => ({ index: index++, failure })) });
    });
  });
  const env = { ...TRACED, REQUEST_TIMEOUT_MS: '700' };
  const alone = await startTraced(env, 'alone', failing.address);
  try {
    const client = parent();
    const { key } = await TestAccount.create();
    const answer = await send('/api/v1/me', {
      url: alone.url,
      headers: { ...bearer(key), ...client.headers },
    });
    expect(answer.status).toBe(503);
    const spans = await collector.trace(client.traceId, attempts + 2);
    const request = named(spans, 'GET /api/v1/me');
    expect(request.status).toBe('ERROR');
    expect(request.attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': '503',
      'ledger.error.code': 'server_error',
    });
    const asked = spans.filter(({ name }) => name === 'ledger.v1.Ledger/Authenticate');
    expect(asked.length).toBe(attempts);
    expect(asked.length).toBeGreaterThan(1);
    for (const { parentId, kind, status, attributes } of asked) {
      expect([parentId, kind, status]).toEqual([request.spanId, 'CLIENT', 'ERROR']);
      expect(attributes).toMatchObject({ 'rpc.status_code': 'UNAVAILABLE', 'error.type': 'UNAVAILABLE' });
    }
    const told = asked.map(({ spanId }) => `00-${client.traceId}-${spanId}-01`);
    expect(contexts.toSorted()).toEqual(told.toSorted());
  } finally {
    await alone.stop();
    failing.stop();
  }
});

test('a statement that fails is marked by its SQLSTATE, and the worker’s log names the trace', async () => {
  const ledger = createLedgerClient(worker.address, {});
  const owner = await TestAccount.create();
  const caller = { accountId: owner.accountId, keyHash: hashApiKey(owner.key) };
  const { traceId, headers } = parent();
  const entries = [{ id: Bun.randomUUIDv7(), ...entry({ amountPence: 0 }) }];
  const createEntries = { caller, sourceId: owner.sources['uk-property'], entries };
  await askAll(ledger, [{ createEntries, trace: headers }]);
  const spans = await collector.trace(traceId, 3);
  expect(named(spans, 'create_batches')).toMatchObject({
    status: 'ERROR',
    attributes: { 'error.type': '23514' },
  });
  // The caller's fault and not the worker's.
  expect(named(spans, 'ledger.v1.Ledger/CreateEntries')).toMatchObject({
    status: 'UNSET',
    attributes: { 'rpc.status_code': 'INVALID_ARGUMENT' },
  });

  await locks.table('ledger.source');
  const late = parent();
  const listSources = { caller };
  await askAll(ledger, [{ listSources, trace: late.headers, timeoutMs: 5_000 }]);
  ledger.close();
  const failed = await collector.trace(late.traceId, 3);
  expect(named(failed, 'list_sources').status).toBe('ERROR');
  expect(named(failed, 'ledger.v1.Ledger/ListSources')).toMatchObject({
    status: 'ERROR',
    attributes: { 'rpc.status_code': 'DEADLINE_EXCEEDED' },
  });
  await until('it is logged', () => logOf('worker').includes(`"traceId":"${late.traceId}"`));
});

describe('not followed:', () => {
  /** What was asked before a request that is followed has been told once that has been. */
  async function settled(): Promise<void> {
    const client = parent();
    await me({ headers: client.headers });
    await collector.trace(client.traceId, 6);
  }

  test('a request whose client does not follow it', async () => {
    const client = parent({ flags: '00' });
    const answer = await account.post(entry(), { url: gateway.url, headers: client.headers });
    expect(answer.status).toBe(201);
    await settled();
    expect(collector.spans.filter(({ traceId }) => traceId === client.traceId)).toEqual([]);
    expect(await lineOf(answer)).not.toHaveProperty('traceId');
  });

  test('probes of health', async () => {
    for (const path of ['/readyz', '/healthz']) {
      const client = parent();
      expect((await send(path, { url: gateway.url, headers: client.headers })).status).toBe(200);
      await settled();
      expect(collector.spans.filter(({ traceId }) => traceId === client.traceId)).toEqual([]);
    }
  });

  test('a question of a gateway that says nothing of traces, as one of the version before', async () => {
    const ledger = createLedgerClient(worker.address, {});
    const roots = () =>
      collector.spans.filter(({ service, parentId }) => service === 'ledger-worker' && parentId === '');
    const keyHash = hashApiKey(account.key);
    const [answer] = await askAll(ledger, [{ authenticate: { keyHash } }]);
    ledger.close();
    expect(answer?.authenticate?.identity?.accountId).toBe(account.accountId);
    await settled();
    expect(roots()).toEqual([]);
  });

  test('where nobody decided otherwise, all but the share that is asked for', async () => {
    const few = await startTraced({ ...TRACED, OTEL_TRACES_SAMPLER_ARG: '0' }, 'few', worker.address);
    try {
      expect(await lineOf(await me({ url: few.url }), 'few')).not.toHaveProperty('traceId');
      const client = parent();
      const followed = await lineOf(await me({ url: few.url, headers: client.headers }), 'few');
      expect(followed.traceId).toBe(client.traceId);
    } finally {
      await few.stop();
    }
  });
});

const MALFORMED = [
  'nonsense',
  '',
  `00-${hex(16)}-${hex(8)}`,
  `00-${hex(16)}-${hex(8)}-01-more`,
  `00-${'0'.repeat(32)}-${hex(8)}-01`,
  `00-${hex(16)}-${'0'.repeat(16)}-01`,
  `ff-${hex(16)}-${hex(8)}-01`,
  `00-${hex(16).toUpperCase()}A-${hex(8)}-01`,
  `00-${hex(16)}-${hex(8)}-01, 00-${hex(16)}-${hex(8)}-01`,
  'x'.repeat(4_000),
];

test.each(MALFORMED)(
  'the traceparent "%s" begins a new trace, without the client’s tracestate',
  async (traceparent) => {
    const answer = await me({ headers: { traceparent, tracestate: 'vendor=1' } });
    expect(answer.status).toBe(200);
    const { traceId } = await lineOf(answer);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceparent).not.toContain(traceId);
    const { parentId, traceState } = named(await collector.trace(traceId, 6), 'GET /api/v1/me');
    expect([parentId, traceState]).toEqual(['', '']);
  },
);

test('nothing that is told holds a key, its hash, an entry, or what a client wrote in a path', async () => {
  const { url } = gateway;
  const text = `canary-${hex(6)}`;
  const owner = await TestAccount.create();
  const clients: { traceId: string }[] = [];
  const followed = (more: Record<string, string> = {}) => {
    const client = parent(more);
    clients.push(client);
    return { url, headers: client.headers };
  };
  const answers = [
    await owner.post(entry({ description: text, externalRef: text }), followed({ 'idempotency-key': text })),
    await owner.post(entry({ description: text, externalRef: text, amountPence: 1 }), followed()),
    await owner.post(entry({ category: text }), followed()),
    await owner.post(entry({ [text]: text }), followed()),
    await owner.request(`/api/v1/sources/${owner.key}/transactions?cursor=${text}`, followed()),
    await owner.request(`/api/v1/${owner.key}?key=${owner.key}`, followed({ 'user-agent': text })),
    await owner.request(
      '/api/v1/me',
      followed({ tracestate: `vendor=${owner.key}`, 'x-request-id': owner.key }),
    ),
    await owner.request('/api/v1/me', { ...followed(), method: 'PROPFIND' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 422, 422, 422, 404, 200, 405]);
  // Refused by the database, which names the values.
  const ledger = createLedgerClient(worker.address, {});
  const caller = { accountId: owner.accountId, keyHash: hashApiKey(owner.key) };
  const refused = { id: Bun.randomUUIDv7(), ...entry({ amountPence: 0, description: text }) };
  const createEntries = { caller, sourceId: owner.sources['uk-property'], entries: [refused] };
  await askAll(ledger, [{ createEntries, trace: followed().headers as never }]);
  ledger.close();

  for (const { traceId } of clients) await collector.trace(traceId, 1);
  await until('the last are told', () => {
    const last = collector.spans.filter(({ traceId }) => traceId === clients.at(-1)?.traceId);
    return last.some(({ kind, service }) => kind === 'SERVER' && service === 'ledger-worker');
  });
  const told = Buffer.concat(collector.bodies);
  expect(told.includes(owner.accountId)).toBe(true);
  const hash = hashApiKey(owner.key);
  const secrets = [
    text,
    owner.key,
    owner.key.slice(-33),
    hash,
    hash.toString('hex'),
    hash.toString('base64'),
  ];
  for (const secret of secrets) expect([secret, told.includes(secret)]).toEqual([secret, false]);
});

test('what was not told yet is told before a process ends', async () => {
  const own = await startWorker({ databaseUrl: system.databaseUrl, env: TRACED });
  const alone = await startTraced(TRACED, 'ending', own.address);
  const client = parent();
  expect((await me({ url: alone.url, headers: client.headers })).status).toBe(200);
  await alone.stop();
  await own.stop();
  expect(collector.spans.filter(({ traceId }) => traceId === client.traceId)).toHaveLength(6);
});

// What the library would listen to, had it been left to itself.
const OF_THE_LIBRARY = {
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-elsewhere=1',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_SERVICE_NAME: 'elsewhere',
  OTEL_RESOURCE_ATTRIBUTES: 'elsewhere=1',
  OTEL_TRACES_SAMPLER: 'always_off',
};

test('without OTEL_EXPORTER_OTLP_ENDPOINT nothing is told, whatever else the environment says', async () => {
  const env = { ...OF_THE_LIBRARY, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const own = await startWorker({ databaseUrl: system.databaseUrl, env });
  const alone = await startTraced(env, 'off', own.address);
  const client = parent();
  const answer = await me({ url: alone.url, headers: client.headers });
  expect(answer.status).toBe(200);
  expect(await lineOf(answer, 'off')).not.toHaveProperty('traceId');
  await alone.stop();
  await own.stop();
  expect(collector.spans.filter(({ traceId }) => traceId === client.traceId)).toEqual([]);
});

test('the library reads nothing of the environment', async () => {
  const other = startCollector();
  const env = { ...OF_THE_LIBRARY, OTEL_EXPORTER_OTLP_ENDPOINT: other.url };
  const alone = await startTraced(env, 'elsewhere', worker.address);
  const client = parent();
  expect((await me({ url: alone.url, headers: client.headers })).status).toBe(200);
  await alone.stop();
  const spans = await other.trace(client.traceId, 3);
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['gateway']));
  expect(JSON.stringify(spans[0]?.resource)).not.toContain('elsewhere');
  for (const headers of other.headers) {
    expect([headers.get('x-elsewhere'), headers.get('content-encoding')]).toEqual([null, null]);
  }
  await other.stop();
});

test.each(['away', 'silent'])(
  'a collector that is %s changes no answer, and is told of once',
  async (how) => {
    const gone = startCollector();
    const answerAgain = gone.hang();
    if (how === 'away') await gone.stop();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: gone.url };
    const own = await startWorker({
      databaseUrl: system.databaseUrl,
      env,
      logFile: join(directory, `worker-${how}`),
    });
    const alone = await startTraced(env, how, own.address);
    const owner = await TestAccount.create();
    for (let n = 0; n < 40; n++) {
      expect((await owner.post(entry(), { url: alone.url })).status).toBe(201);
    }
    const complaint = 'the collector does not take traces';
    for (const log of [how, `worker-${how}`]) {
      await until('it is told of', () => logOf(log).includes(complaint), 20_000);
    }
    for (let n = 0; n < 40; n++) {
      expect((await owner.post(entry(), { url: alone.url })).status).toBe(201);
    }
    await alone.stop();
    await own.stop();
    for (const log of [how, `worker-${how}`]) {
      expect(logOf(log).split(complaint)).toHaveLength(2);
      expect(logOf(log)).toContain('"msg":"stopped"');
    }
    answerAgain();
    if (how === 'silent') await gone.stop();
  },
);
