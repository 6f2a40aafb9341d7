/** A fake OpenTelemetry collector: an HTTP server that decodes OTLP and keeps the spans. */
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Json } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';

export interface ExportedSpan {
  service: string;
  /** The resource attributes of the process. */
  resource: Record<string, unknown>;
  traceId: string;
  spanId: string;
  /** Empty for the root span. */
  parentId: string;
  traceState: string;
  name: string;
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT';
  /** Start and end in ns since the epoch. */
  began: bigint;
  ended: bigint;
  attributes: Record<string, unknown>;
  status: 'UNSET' | 'OK' | 'ERROR';
}

export interface Collector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ExportedSpan[];
  /** The bodies of the export requests. */
  bodies: Buffer[];
  headers: Headers[];
  /**
   * The spans of a trace once it is complete: in each process the server span ends last.
   * @param server the name of the first process's server span
   */
  trace(traceId: string, server: string): Promise<ExportedSpan[]>;
  /** Holds back all responses until the returned function is called. */
  hang(): () => void;
  /** The export requests without a response. */
  pending: number;
  /** While true, refuses export requests with 400 and counts them in `refused`. */
  isRejecting: boolean;
  refused: number;
  stop(): Promise<void>;
}

const { Export } = loadSync(join(import.meta.dir, 'otlp.proto'), {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
})['opentelemetry.proto.collector.trace.v1.TraceService'] as ServiceDefinition;

export function startCollector(): Collector {
  const spans: ExportedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: Headers[] = [];
  let mayRespond = Promise.resolve();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = Buffer.from(await request.bytes());
      collector.pending++;
      await mayRespond;
      collector.pending--;
      if (collector.isRejecting) {
        collector.refused++;
        return new Response(null, { status: 400 });
      }
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 });
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...spansIn(Export?.requestDeserialize(body)));
      return new Response();
    },
  });
  const collector: Collector = {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    bodies,
    headers,
    async trace(traceId, server) {
      const own = () => spans.filter((span) => span.traceId === traceId);
      await until(`all spans below ${server}`, () => {
        const exported = own();
        const rpcs = exported.filter(({ attributes }) => attributes['rpc.status_code'] === 'OK');
        const hasServerSpan = ({ kind, spanId }: ExportedSpan) =>
          kind === 'SERVER' || exported.some(({ parentId }) => parentId === spanId);
        const isRoot = ({ kind, name }: ExportedSpan) => kind === 'SERVER' && name === server;
        return exported.some(isRoot) && rpcs.every(hasServerSpan);
      });
      return own();
    },
    hang() {
      const hanging = Promise.withResolvers<void>();
      mayRespond = hanging.promise;
      return hanging.resolve;
    },
    pending: 0,
    isRejecting: false,
    refused: 0,
    stop: () => server.stop(true),
  };
  return collector;
}

/** The spans of an export request. */
function spansIn({ resourceSpans }: Json): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) => {
    const process = plain(resource.attributes);
    return scopeSpans
      .flatMap(({ spans }: Json) => spans)
      .map((span: Json) => ({
        service: String(process['service.name']),
        resource: process,
        traceId: span.traceId.toString('hex'),
        spanId: span.spanId.toString('hex'),
        parentId: span.parentSpanId.toString('hex'),
        traceState: span.traceState,
        name: span.name,
        kind: span.kind,
        began: BigInt(span.startTimeUnixNano),
        ended: BigInt(span.endTimeUnixNano),
        attributes: plain(span.attributes),
        status: span.status?.code ?? 'UNSET',
      }));
  });
}

function plain(attributes: { key: string; value: Json }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

/** @param value its member `value` names the member that it has */
function plainValue(value: Json): unknown {
  const held = value[value.value];
  if (value.value === 'intValue') return Number(held);
  return value.value === 'arrayValue' ? held.values.map(plainValue) : held;
}
