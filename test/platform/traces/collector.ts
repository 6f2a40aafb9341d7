/** A fake OpenTelemetry collector: an HTTP server that decodes OTLP and keeps the spans. */
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
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
      await mayRespond;
      if (collector.isRejecting) {
        collector.refused++;
        return new Response(null, { status: 400 });
      }
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 });
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...spansIn(Export?.requestDeserialize(body) as ExportRequest));
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
    isRejecting: false,
    refused: 0,
    stop: () => server.stop(true),
  };
  return collector;
}

interface Value {
  value: string;
  [kind: string]: unknown;
}
type Attributes = { key: string; value: Value }[];

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: {
        traceId: Buffer;
        spanId: Buffer;
        parentSpanId: Buffer;
        traceState: string;
        name: string;
        kind: ExportedSpan['kind'];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attributes;
        status: { code: ExportedSpan['status'] } | null;
      }[];
    }[];
  }[];
}

function spansIn({ resourceSpans }: ExportRequest): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const process = plain(resource.attributes);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
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

function plain(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): unknown {
  const held = value[value.value];
  if (value.value === 'intValue') return Number(held);
  if (value.value === 'arrayValue') return (held as { values: Value[] }).values.map(plainValue);
  return held;
}
