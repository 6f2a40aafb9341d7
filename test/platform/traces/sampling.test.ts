/** Which requests are traced, and what is told of none. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { createLedgerClient } from '../../../proto/client.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { entriesJson } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { until } from '../../fixtures/until.ts';
import { hex, lineOf, named, parent, startTraced, startTracedGateway } from './traced.ts';

setDefaultTimeout(60_000);

const { collector, env, worker, gateway, account, me, stop } = await startTraced();
afterAll(stop);

describe('not traced:', () => {
  /** What was asked before a request that is traced has been told once that has been. */
  async function settled(): Promise<void> {
    const client = parent();
    await me({ headers: client.headers });
    await collector.trace(client.traceId, 'GET /api/v1/me');
  }

  test('a request whose client does not sample it', async () => {
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

  test('a question of a gateway that says nothing of traces, as one without a collector', async () => {
    const ledger = createLedgerClient(worker.address, {});
    // What it was not asked for by a gateway that traces.
    const own = () => {
      const told = new Set(collector.spans.map(({ spanId }) => spanId));
      return collector.spans.filter(
        ({ service, parentId }) => service === 'ledger-worker' && !told.has(parentId),
      );
    };
    const keyHash = hashApiKey(account.key);
    const [answer] = await sendRequests(ledger, [{ authenticate: { keyHash } }]);
    ledger.close();
    expect(answer?.authenticate?.identity?.accountId).toBe(account.accountId);
    await settled();
    expect(own()).toEqual([]);
  });

  test('where nobody decided otherwise, all but the share that is asked for', async () => {
    const few = await startTracedGateway('few', worker.address, { ...env, OTEL_TRACES_SAMPLER_ARG: '0' });
    try {
      expect(await lineOf(await me({ url: few.url }), 'few')).not.toHaveProperty('traceId');
      const client = parent();
      const sampled = await lineOf(await me({ url: few.url, headers: client.headers }), 'few');
      expect(sampled.traceId).toBe(client.traceId);
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

test('a malformed traceparent is no error: a new trace begins, without the client’s tracestate', async () => {
  const answers = await Promise.all(
    MALFORMED.map((traceparent) => me({ headers: { traceparent, tracestate: 'vendor=1' } })),
  );
  for (const [n, answer] of answers.entries()) {
    expect(answer.status).toBe(200);
    const { traceId } = await lineOf(answer);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(MALFORMED[n]).not.toContain(traceId);
    const { parentId, traceState } = named(
      await collector.trace(traceId, 'GET /api/v1/me'),
      'GET /api/v1/me',
    );
    expect([parentId, traceState]).toEqual(['', '']);
  }
});

test('nothing that is told holds a key, its hash, an entry, or what a client wrote in a path', async () => {
  const { url } = gateway;
  const text = `canary-${hex(6)}`;
  const owner = await TestAccount.create();
  const clients: { traceId: string }[] = [];
  const sampled = (more: Record<string, string> = {}) => {
    const client = parent(more);
    clients.push(client);
    return { url, headers: client.headers };
  };
  const answers = [
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
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 422, 422, 422, 404, 200, 405]);
  // Refused by the database, which names the values.
  const ledger = createLedgerClient(worker.address, {});
  const caller = { accountId: owner.accountId, keyHash: hashApiKey(owner.key) };
  const refused = { id: Bun.randomUUIDv7(), ...entry({ amountPence: 0, description: text }) };
  const createEntries = {
    caller,
    sourceId: owner.sources['uk-property'],
    entriesJson: entriesJson([refused]),
  };
  await sendRequests(ledger, [{ createEntries, trace: sampled().headers as never }]);
  ledger.close();

  for (const { traceId } of clients) {
    await until('its first process has told', () =>
      collector.spans.some((span) => span.traceId === traceId && span.kind === 'SERVER'),
    );
  }
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
