/** Export of traces to the collector: settings, failures, limits, and the rest at exit. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import pino from 'pino';
import { startTracing } from '../../../platform/process.ts';
import { entry, type Json, TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { startCollector } from './collector.ts';
import {
  collector,
  elsewhere,
  env,
  lineOf,
  logOf,
  me,
  parent,
  startTracedGateway,
  startTracedWorker,
  worker,
} from './traced.ts';

setDefaultTimeout(60_000);

test('a process exports its remaining spans before it ends, and its library reads no environment variables', async () => {
  const worker = await startTracedWorker('worker-ending', env);
  const gateway = await startTracedGateway('ending', worker.address, env);
  const client = parent();
  expect((await me({ url: gateway.url, headers: client.headers })).status).toBe(200);
  await gateway.stop();
  await worker.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === client.traceId);
  const names = ['GET /api/v1/me', 'ledger.v1.Ledger/Authenticate', 'authenticate'];
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['gateway', 'ledger-worker']));
  expect(JSON.stringify(spans.map(({ resource }) => resource))).not.toContain('elsewhere');
  for (const headers of collector.headers) {
    expect([headers.get('x-elsewhere'), headers.get('content-encoding')]).toEqual([null, null]);
  }
  expect(elsewhere.headers).toEqual([]);
});

test('without OTEL_EXPORTER_OTLP_ENDPOINT nothing is exported, whatever other variables are set', async () => {
  const off = await startTracedGateway('off', worker.address, {});
  const client = parent();
  const response = await me({ url: off.url, headers: client.headers });
  expect(await lineOf(response, 'off')).not.toHaveProperty('traceId');
  await off.stop();
  expect(collector.spans.filter(({ traceId }) => traceId === client.traceId)).toEqual([]);
  expect(elsewhere.headers).toEqual([]);
});

test('an unavailable or silent collector changes no response and is logged once', async () => {
  const [unavailable, silent] = [startCollector(), startCollector()];
  await unavailable.stop();
  const resume = silent.hang();
  const warning = 'the collector does not take traces';
  const own = await startTracedWorker('unavailable', { OTEL_EXPORTER_OTLP_ENDPOINT: unavailable.url });
  const gateway = await startTracedGateway('silent', own.address, {
    OTEL_EXPORTER_OTLP_ENDPOINT: silent.url,
  });
  const owner = await TestAccount.create();
  const post = async () => expect((await owner.post(entry(), { url: gateway.url })).status).toBe(201);
  for (let n = 0; n < 10; n++) await post();
  for (const log of ['silent', 'unavailable']) {
    await until(`a warning in the log of ${log}`, () => logOf(log).includes(warning), 40_000);
  }
  for (let n = 0; n < 10; n++) await post();
  await gateway.stop();
  await own.stop();
  for (const log of ['silent', 'unavailable']) {
    expect(logOf(log).split(warning)).toHaveLength(2);
    expect(logOf(log)).toContain('"msg":"stopped"');
  }
  resume();
  await silent.stop();
});

/** Tracing in this process, and its log lines. */
async function tracingTo({ url }: { url: string }) {
  const lines: Json[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
  return {
    tracing: await startTracing({ service: 'gateway', version: '1.0.0', endpoint: url, ratio: 1 }, log),
    lines,
  };
}

test('a rejecting collector is logged once, and again only after it has accepted spans', async () => {
  const rejecting = startCollector();
  rejecting.isRejecting = true;
  const { tracing, lines } = await tracingTo(rejecting);
  const exportSpan = () => tracing?.startSpan('one', {}, undefined)?.end();
  for (let batches = 1; batches <= 2; batches++) {
    exportSpan();
    await until(`${batches} rejections`, () => rejecting.refused === batches);
  }
  rejecting.isRejecting = false;
  exportSpan();
  await until('an accepted span', () => rejecting.spans.length === 1);
  await tracing?.close();
  await rejecting.stop();
  expect(lines).toMatchObject([
    { level: 40, msg: 'the collector does not take traces', reason: '400 Bad Request' },
    { level: 30, msg: 'the collector takes traces again' },
  ]);
});

test('the number of queued spans is limited; spans over the limit are dropped and counted in the log', async () => {
  const slow = startCollector();
  const resume = slow.hang();
  const { tracing, lines } = await tracingTo(slow);
  // One batch in flight and a full queue.
  const kept = 512 + 2_048;
  const all = 4_000;
  for (let n = 0; n < all; n++) {
    tracing?.startSpan(String(n), {}, undefined)?.end();
    if (n === 600) await until('the first batch', () => slow.pending === 1);
  }
  resume();
  await until('the queued spans', () => slow.spans.length === kept);
  expect(slow.spans).toHaveLength(kept);
  tracing?.startSpan('after', {}, undefined)?.end();
  await tracing?.close();
  expect(lines).toMatchObject([
    { level: 40, msg: `Dropped ${all - kept} spans because maxQueueSize reached` },
  ]);
  await slow.stop();
});
