/** A collector of traces: an HTTP server that understands OTLP, and keeps what it is told. */
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { until } from '../../fixtures/until.ts';

export interface ToldSpan {
  service: string;
  /** Of the process. */
  resource: Record<string, unknown>;
  traceId: string;
  spanId: string;
  /** Empty: the trace begins here. */
  parentId: string;
  traceState: string;
  name: string;
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT';
  /** Ends of the time that it took, in ns since the epoch. */
  began: bigint;
  ended: bigint;
  attributes: Record<string, unknown>;
  /** Ids of spans. */
  links: string[];
  status: 'UNSET' | 'OK' | 'ERROR';
}

export interface Collector {
  /** What the service is given. */
  url: string;
  spans: ToldSpan[];
  /** What arrived, in bytes. */
  bodies: Buffer[];
  headers: Headers[];
  /**
   * The spans of a trace, once it is whole: of a process the one that covers the others ends last.
   * @param server the name of the first process's span
   */
  trace(traceId: string, server: string): Promise<ToldSpan[]>;
  /** From now on it answers nobody, until the returned function is called. */
  hang(): () => void;
  /** It refuses what arrives as long as `isWilling` is false, and counts that. */
  isWilling: boolean;
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
  const spans: ToldSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: Headers[] = [];
  let answering = Promise.resolve();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = Buffer.from(await request.bytes());
      await answering;
      if (!collector.isWilling) {
        collector.refused++;
        return new Response(null, { status: 400 });
      }
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 });
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...spansIn(Export?.requestDeserialize(body) as Told));
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
      await until(`${server} is told`, () => {
        const told = own();
        const asked = told.filter(({ attributes }) => attributes['rpc.status_code'] === 'OK');
        const isAnswered = ({ kind, spanId }: ToldSpan) =>
          kind === 'SERVER' || told.some(({ parentId }) => parentId === spanId);
        return told.some(({ kind, name }) => kind === 'SERVER' && name === server) && asked.every(isAnswered);
      });
      return own();
    },
    hang() {
      const hanging = Promise.withResolvers<void>();
      answering = hanging.promise;
      return hanging.resolve;
    },
    isWilling: true,
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

interface Told {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: {
        traceId: Buffer;
        spanId: Buffer;
        parentSpanId: Buffer;
        traceState: string;
        name: string;
        kind: ToldSpan['kind'];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attributes;
        links: { spanId: Buffer }[];
        status: { code: ToldSpan['status'] } | null;
      }[];
    }[];
  }[];
}

function spansIn({ resourceSpans }: Told): ToldSpan[] {
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
        links: span.links.map(({ spanId }) => spanId.toString('hex')),
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
