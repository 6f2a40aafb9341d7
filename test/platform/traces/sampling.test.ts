/** Which requests are traced, and what no span contains. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { newEntry, openLedger, writeOf } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { until } from '../../fixtures/until.ts';
import {
  account,
  collector,
  env,
  gateway,
  hex,
  lineOf,
  me,
  named,
  parent,
  startTracedGateway,
  worker,
} from './traced.ts';

setDefaultTimeout(60_000);

test('not traced: what its client does not sample, health checks, and an RPC without a trace context', async () => {
  const since = BigInt(Date.now()) * 1_000_000n;
  const clients = [parent({ flags: '00' }), parent()] as const;
  const [unsampled, probe] = clients;
  const response = await account.post(entry(), { url: gateway.url, headers: unsampled.headers });
  expect(response.status).toBe(201);
  expect(await lineOf(response)).not.toHaveProperty('traceId');
  for (const path of ['/readyz', '/healthz']) {
    expect((await send(path, { url: gateway.url, headers: probe.headers })).status).toBe(200);
  }
  const ledger = openLedger(worker.address);
  const { identity } = await ledger.authenticate({ keyHash: hashApiKey(account.key) });
  ledger.close();
  expect(identity?.accountId).toBe(account.accountId);

  // Once the trace of a later request is complete, the spans of earlier ones have been exported too.
  const later = parent();
  await me({ headers: later.headers });
  await collector.trace(later.traceId, 'GET /api/v1/me');
  const traceIds: string[] = clients.map(({ traceId }) => traceId);
  expect(collector.spans.filter(({ traceId }) => traceIds.includes(traceId))).toEqual([]);
  const exported = new Set(collector.spans.map(({ spanId }) => spanId));
  const orphans = collector.spans.filter(
    ({ service, parentId, began }) => service === 'ledger-worker' && began > since && !exported.has(parentId),
  );
  expect(orphans).toEqual([]);
});

test('requests without a trace context are not traced, except for the share OTEL_TRACES_SAMPLER_ARG', async () => {
  const few = await startTracedGateway('few', worker.address, { ...env, OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(await lineOf(await me({ url: few.url }), 'few')).not.toHaveProperty('traceId');
  const client = parent();
  const sampled = await lineOf(await me({ url: few.url, headers: client.headers }), 'few');
  expect(sampled.traceId).toBe(client.traceId);
  await few.stop();
});

const MALFORMED = [
  '',
  `00-${hex(16)}-${hex(8)}`,
  `00-${'0'.repeat(32)}-${hex(8)}-01`,
  `00-${hex(16)}-${'0'.repeat(16)}-01`,
  `ff-${hex(16)}-${hex(8)}-01`,
  `00-${hex(16)}-${hex(8)}-01, 00-${hex(16)}-${hex(8)}-01`,
];

test('a malformed traceparent is ignored: a new trace begins, without the client’s tracestate', async () => {
  const responses = await Promise.all(
    MALFORMED.map((traceparent) => me({ headers: { traceparent, tracestate: 'vendor=1' } })),
  );
  for (const [n, response] of responses.entries()) {
    expect(response.status).toBe(200);
    const { traceId } = await lineOf(response);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(MALFORMED[n]).not.toContain(traceId);
    const spans = await collector.trace(traceId, 'GET /api/v1/me');
    expect(named(spans, 'GET /api/v1/me')).toMatchObject({ parentId: '', traceState: '' });
  }
});

test('no exported span contains a key, its hash, an entry, or text of a client’s path', async () => {
  const { url } = gateway;
  const text = `canary-${hex(6)}`;
  const owner = await TestAccount.create();
  const clients: { traceId: string }[] = [];
  const sampled = (more: Record<string, string> = {}) => {
    const client = parent(more);
    clients.push(client);
    return { url, headers: client.headers };
  };
  const responses = [
    await owner.post(entry({ description: text, externalRef: text }), sampled({ 'idempotency-key': text })),
    await owner.post(entry({ description: text, externalRef: text, amountPence: 1 }), sampled()),
    await owner.post(entry({ category: text }), sampled()),
    await owner.post(entry({ [text]: text }), sampled()),
    await owner.request(`/api/v1/sources/${owner.key}/transactions?cursor=${text}`, sampled()),
    await owner.request(`/api/v1/${owner.key}?key=${owner.key}`, sampled({ 'user-agent': text })),
    await owner.request(
      '/api/v1/me',
      sampled({ tracestate: `vendor=${owner.key}`, 'x-request-id': owner.key }),
    ),
    await owner.request('/api/v1/me', { ...sampled(), method: 'PROPFIND' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 422, 422, 422, 404, 200, 405]);
  // The database rejects this entry, with the values in its error.
  const ledger = openLedger(worker.address);
  const write = writeOf(owner, [newEntry({ amountPence: 0, description: text })]);
  await sendRequests(ledger, [{ ...write, trace: sampled().headers as never }]);
  ledger.close();

  for (const { traceId } of clients) {
    await until('its server span', () =>
      collector.spans.some((span) => span.traceId === traceId && span.kind === 'SERVER'),
    );
  }
  const exported = Buffer.concat(collector.bodies);
  expect(exported.includes(owner.accountId)).toBe(true);
  const hash = hashApiKey(owner.key);
  const hashes = [hash, hash.toString('hex'), hash.toString('base64')];
  const secrets = [text, owner.key, owner.key.slice(-33), ...hashes];
  for (const secret of secrets) expect([secret, exported.includes(secret)]).toEqual([secret, false]);
});
