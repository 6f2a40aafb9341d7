/** A gateway and a worker that export traces, for all files of this folder, and the trace headers of a client. */
import { expect } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { type Json, type RequestOptions, TestAccount } from '../../fixtures/client.ts';
import { atEndOfRun } from '../../fixtures/end-of-run.ts';
import { logsDir, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { type ExportedSpan, startCollector } from './collector.ts';

const logFile = (name: string) => join(logsDir, `traced-${name}.log`);

type Environment = Record<string, string>;

export const [collector, elsewhere] = [startCollector(), startCollector()];
export const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };

// Variables that the library reads by default, and that no process of these tests may follow.
const LIBRARY_VARIABLES = {
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${elsewhere.url}/v1/traces`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-elsewhere=1',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_SERVICE_NAME: 'elsewhere',
  OTEL_RESOURCE_ATTRIBUTES: 'elsewhere=1',
  OTEL_TRACES_SAMPLER: 'always_off',
};

const optionsOf = (name: string, own: Environment) => ({
  env: { ...LIBRARY_VARIABLES, ...own },
  logFile: logFile(name),
});

/** `name` is the name of its log. */
export const startTracedGateway = (name: string, workerAddress: string, own: Environment) =>
  startGateway({ workerAddress, redisUrl: system.redisUrl, ...optionsOf(name, own) });

/** Likewise. */
export const startTracedWorker = (name: string, own: Environment) =>
  startWorker({ databaseUrl: system.databaseUrl, ...optionsOf(name, own) });

/** Its log is `worker`. */
export const worker = await startTracedWorker('worker', env);
/** Its log is `gateway`. */
export const gateway = await startTracedGateway('gateway', worker.address, env);
atEndOfRun.push(async () => {
  for (const each of [gateway, worker, collector, elsewhere]) await each.stop();
});

/** The gateway knows its key. */
export const account = await TestAccount.create();
/** GET /me with that key. */
export const me = (options: RequestOptions = {}) =>
  account.request('/api/v1/me', { url: gateway.url, ...options });
await me();

export const logOf = (name: string) => readFileSync(logFile(name), 'utf8');

/** The line of a request in a gateway's log. */
export async function lineOf(response: { headers: Headers }, log = 'gateway'): Promise<Json> {
  const id = response.headers.get('x-request-id') ?? '';
  await until('the request is logged', () => logOf(log).includes(id));
  const lines = logOf(log).split('\n');
  return JSON.parse(lines.find((line) => line.includes(id)) ?? '');
}

export const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A client's span, and its trace headers together with `others`. */
export function parent({ flags = '01', ...others }: Record<string, string> = {}) {
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, ...others } };
}

/** The one span of a statement of that name, its ancestors up to the request, and the span of its wait. */
export function pathTo(spans: readonly ExportedSpan[], statementName: string) {
  const above = ({ parentId }: ExportedSpan) =>
    spans.find(({ spanId }) => spanId === parentId) as ExportedSpan;
  const statement = named(spans, statementName);
  const rpc = above(statement);
  const attempt = above(rpc);
  const wait = named(
    spans.filter(({ parentId }) => parentId === rpc.spanId),
    'group wait',
  );
  return { request: above(attempt), attempt, rpc, wait, statement };
}

/** The one span of that name. */
export function named(spans: readonly ExportedSpan[], name: string): ExportedSpan {
  const [span, ...others] = spans.filter((each) => each.name === name);
  expect([name, span !== undefined, others]).toEqual([name, true, []]);
  return span as ExportedSpan;
}
