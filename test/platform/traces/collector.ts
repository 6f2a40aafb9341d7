/** A fake OpenTelemetry collector: an HTTP server that decodes OTLP and keeps the spans. */
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Json } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';

type Texts = 'service' | 'traceId' | 'spanId' | 'parentId' | 'traceState' | 'name' | 'kind' | 'status';
/** `parentId` is empty for the root span. `resource` has the attributes of the process. */
export type ExportedSpan = Record<Texts, string> & { resource: Json; attributes: Json; began: bigint };

const { Export } = loadSync(join(import.meta.dir, 'otlp.proto'), {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
})['opentelemetry.proto.collector.trace.v1.TraceService'] as ServiceDefinition;

export function startCollector() {
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
      collector.bodies.push(body);
      collector.headers.push(request.headers);
      collector.spans.push(...spansIn(Export?.requestDeserialize(body)));
      return new Response();
    },
  });
  const collector = {
    /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: `http://127.0.0.1:${server.port}`,
    spans: [] as ExportedSpan[],
    /** The bodies of the export requests. */
    bodies: [] as Buffer[],
    headers: [] as Headers[],
    /**
     * The spans of a trace once it is complete: in each process the server span ends last.
     * @param server the name of the first process's server span
     */
    async trace(traceId: string, server: string): Promise<ExportedSpan[]> {
      const own = () => collector.spans.filter((span) => span.traceId === traceId);
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
    /** Holds back all responses until the returned function is called. */
    hang() {
      const hanging = Promise.withResolvers<void>();
      mayRespond = hanging.promise;
      return hanging.resolve;
    },
    /** The export requests without a response. */
    pending: 0,
    /** While true, refuses export requests with 400 and counts them in `refused`. */
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
        service: process['service.name'],
        resource: process,
        traceId: span.traceId.toString('hex'),
        spanId: span.spanId.toString('hex'),
        parentId: span.parentSpanId.toString('hex'),
        traceState: span.traceState,
        name: span.name,
        kind: span.kind,
        began: BigInt(span.startTimeUnixNano),
        attributes: plain(span.attributes),
        status: span.status?.code ?? 'UNSET',
      }));
  });
}

function plain(attributes: { key: string; value: Json }[]): Json {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

/** @param value its member `value` names the member that it has */
function plainValue(value: Json): unknown {
  const held = value[value.value];
  if (value.value === 'intValue') return Number(held);
  return value.value === 'arrayValue' ? held.values.map(plainValue) : held;
}
