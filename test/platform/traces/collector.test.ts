/** The collector of traces: told by whoever is given its address, until its end, and nobody waits for it. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import pino from 'pino';
import { startTracing } from '../../../platform/start-tracing.ts';
import { entry, type Json, TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { startCollector } from './collector.ts';
import { lineOf, logOf, parent, startTraced, startTracedGateway, startTracedWorker } from './traced.ts';

setDefaultTimeout(60_000);

const { collector, env, worker, me, stop } = await startTraced();
afterAll(stop);

test('what was not told yet is told before a process ends', async () => {
  const own = await startTracedWorker('worker-ending', env);
  const alone = await startTracedGateway('ending', own.address, env);
  const client = parent();
  expect((await me({ url: alone.url, headers: client.headers })).status).toBe(200);
  await alone.stop();
  await own.stop();
  const told = collector.spans.filter(({ traceId }) => traceId === client.traceId);
  const names = ['GET /api/v1/me', 'ledger.v1.Ledger/Authenticate', 'authenticate'];
  expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(new Set(told.map(({ service }) => service))).toEqual(new Set(['gateway', 'ledger-worker']));
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
  const none = { ...OF_THE_LIBRARY, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const own = await startTracedWorker('worker-off', none);
  const alone = await startTracedGateway('off', own.address, none);
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
  const misleading = { ...OF_THE_LIBRARY, OTEL_EXPORTER_OTLP_ENDPOINT: other.url };
  const alone = await startTracedGateway('elsewhere', worker.address, misleading);
  const client = parent();
  expect((await me({ url: alone.url, headers: client.headers })).status).toBe(200);
  await alone.stop();
  const spans = other.spans.filter(({ traceId }) => traceId === client.traceId);
  expect(spans.length).toBeGreaterThan(2);
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['gateway']));
  expect(JSON.stringify(spans[0]?.resource)).not.toContain('elsewhere');
  for (const headers of other.headers) {
    expect([headers.get('x-elsewhere'), headers.get('content-encoding')]).toEqual([null, null]);
  }
  await other.stop();
});

test('a collector that is away, or silent, changes no answer, and is complained of', async () => {
  const [away, silent] = [startCollector(), startCollector()];
  await away.stop();
  const answerAgain = silent.hang();
  const complaint = 'the collector does not take traces';
  await Promise.all(
    Object.entries({ away, silent }).map(async ([how, { url }]) => {
      const to = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
      const own = await startTracedWorker(`worker-${how}`, to);
      const alone = await startTracedGateway(how, own.address, to);
      const owner = await TestAccount.create();
      const post = async () => expect((await owner.post(entry(), { url: alone.url })).status).toBe(201);
      for (let n = 0; n < 40; n++) await post();
      const logs = [how, `worker-${how}`];
      for (const log of logs) {
        await until(`${log} complains`, () => logOf(log).includes(complaint), 20_000);
      }
      for (let n = 0; n < 40; n++) await post();
      await alone.stop();
      await own.stop();
      for (const log of logs) {
        expect(logOf(log).split(complaint)).toHaveLength(2);
        expect(logOf(log)).toContain('"msg":"stopped"');
      }
    }),
  );
  answerAgain();
  await silent.stop();
});

/** Traces of this process, and its log. */
async function tracingTo({ url }: { url: string }) {
  const lines: Json[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
  return {
    tracing: await startTracing({ service: 'gateway', version: '1.0.0', endpoint: url, ratio: 1 }, log),
    lines,
  };
}

test('a collector that refuses is complained of once, and again only after it took some', async () => {
  const refusing = startCollector();
  refusing.isWilling = false;
  const { tracing, lines } = await tracingTo(refusing);
  const tell = () => tracing?.startSpan('one', {}, undefined)?.end();
  for (let batches = 1; batches <= 3; batches++) {
    tell();
    await until(`${batches} are refused`, () => refusing.refused === batches);
  }
  refusing.isWilling = true;
  tell();
  await until('one is taken', () => refusing.spans.length === 1);
  await tracing?.close();
  await refusing.stop();
  expect(lines).toMatchObject([
    { level: 40, msg: 'the collector does not take traces', reason: '400 Bad Request' },
    { level: 30, msg: 'the collector takes traces again', spansLost: 3 },
  ]);
});

test('what waits for the collector is bounded: beyond, spans are left out, and counted in the log', async () => {
  const slow = startCollector();
  const answerAgain = slow.hang();
  const { tracing, lines } = await tracingTo(slow);
  // Those that are on their way, and those that wait.
  const kept = 512 + 2_048;
  const all = 10_000;
  for (let n = 0; n < all; n++) {
    tracing?.startSpan(String(n), {}, undefined)?.end();
    // So that the first are on their way.
    if (n === 600) await Bun.sleep(100);
  }
  answerAgain();
  await until('the others are told', () => slow.spans.length === kept);
  await tracing?.close();
  expect(slow.spans).toHaveLength(kept);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 40, spansLost: all - kept });
  await slow.stop();
});
