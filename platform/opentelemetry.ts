/** Spans by the OpenTelemetry SDK, which gets all of its settings here: it reads nothing of the environment. */
import { hostname } from 'node:os';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type HrTime,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  createOtlpHttpExportDelegate,
  httpAgentFactoryFromOptions,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Span, TraceContext, Tracing, TracingOptions } from './tracing.ts';

// Some megabytes. What ends while so many wait for the collector is left out.
const WAITING_MAX = 2_048;
const BATCH_MAX = 512;
const BATCH_EVERY_MS = 1_000;
// For a batch, its repetitions included.
const EXPORT_MS_MAX = 5_000;
const CLOSE_MS_MAX = 1_000;
const TOLD_EVERY_MS = 60_000;

/** @param endpoint the collector's address: OTLP over HTTP, at `/v1/traces` below it */
export function createTracing(
  { service, version, endpoint, ratio }: TracingOptions & { endpoint: string },
  log: Logger,
): Tracing {
  const outbox = new Outbox(endpoint, log);
  // What fails is told by the outbox, once.
  setGlobalErrorHandler(() => {});
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': crypto.randomUUID(),
        'host.name': hostname(),
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: outbox,
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_EVERY_MS,
        exportTimeoutMillis: EXPORT_MS_MAX + 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('bookkeeping-ledger-api', version);
  let clock = 0;
  /** Date.now() is cut to whole ms: the largest difference is the truest, until the machine's clock is set back. */
  const adjust = (now: number) => {
    const difference = Date.now() - now;
    if (difference > clock || difference < clock - 1) clock = difference;
    return clock;
  };
  return {
    startSpan(name, attributes, caller) {
      const begun = performance.now();
      const clock = adjust(begun);
      const options = { kind: SpanKind.SERVER, startTime: timeOf(clock + begun), attributes };
      const span = tracer.startSpan(name, options, contextOf(caller));
      return span.isRecording() ? new SampledSpan(span, { tracer, clock, outbox }, begun) : undefined;
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(CLOSE_MS_MAX)]),
  };
}

const propagator = new W3CTraceContextPropagator();

/** Where the caller's trace goes on; a new one where it names none. */
function contextOf({ traceparent, tracestate = '' }: TraceContext = {}): Context {
  // What stands there by mistake may be a key.
  const headers = { traceparent, tracestate: tracestate.includes('_live_') ? '' : tracestate };
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
}

/** @param ms since the epoch */
function timeOf(ms: number): HrTime {
  const seconds = Math.trunc(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}

interface Origin {
  tracer: Tracer;
  /** What performance.now() lacks to be the time: the same for all spans of a request, so that they fit into each other. */
  clock: number;
  outbox: Outbox;
}

class SampledSpan implements Span {
  readonly #span: OtelSpan;
  readonly #origin: Origin;
  readonly #parent: SampledSpan | undefined;
  /** When it began, or its last part ended, by performance.now(). */
  #idleSince: number;

  constructor(span: OtelSpan, origin: Origin, begun: number, parent?: SampledSpan) {
    this.#span = span;
    this.#origin = origin;
    this.#parent = parent;
    this.#idleSince = begun;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  context(): TraceContext {
    const headers: TraceContext = {};
    propagator.inject(trace.setSpan(ROOT_CONTEXT, this.#span), headers, defaultTextMapSetter);
    return headers;
  }

  child(name: string, attributes: Attributes): SampledSpan {
    return this.#part(name, SpanKind.CLIENT, attributes, performance.now());
  }

  recordWait(name: string): void {
    this.#part(name, SpanKind.INTERNAL, {}, this.#idleSince).end();
  }

  #part(name: string, kind: SpanKind, attributes: Attributes, begun: number): SampledSpan {
    const { tracer, clock } = this.#origin;
    const options = { kind, startTime: timeOf(clock + begun), attributes };
    const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
    return new SampledSpan(span, this.#origin, begun, this);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  link(other: Span): void {
    // There is no other kind.
    this.#span.addLink({ context: (other as SampledSpan).#span.spanContext() });
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    // What has ended is counted as waiting, once.
    if (!this.#span.isRecording()) return;
    const now = performance.now();
    if (this.#parent) this.#parent.#idleSince = now;
    if (this.#origin.outbox.admits()) this.#span.end(timeOf(this.#origin.clock + now));
  }
}

/** What waits for the collector: bounded, and its losses told in the log, once in a while. */
class Outbox implements SpanExporter {
  readonly #delegate;
  readonly #log: Logger;
  #waiting = 0;
  #lost = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isTaken = true;

  constructor(endpoint: string, log: Logger) {
    this.#log = log;
    // Not the library's exporter, which takes headers, certificates and more from the environment.
    this.#delegate = createOtlpHttpExportDelegate(
      {
        url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
        headers: async () => ({ 'Content-Type': 'application/x-protobuf' }),
        timeoutMillis: EXPORT_MS_MAX,
        concurrencyLimit: 1 + WAITING_MAX / BATCH_MAX,
        compression: 'none',
        agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
      },
      ProtobufTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    );
  }

  /** Whether there is room for one more. */
  admits(): boolean {
    if (this.#waiting === WAITING_MAX) {
      this.#lost++;
      return false;
    }
    this.#waiting++;
    return true;
  }

  export: SpanExporter['export'] = (spans: ReadableSpan[], done) => {
    this.#waiting -= spans.length;
    this.#delegate.export(spans, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS;
      if (!isTaken) this.#lost += spans.length;
      this.#tell(isTaken, result.error);
      done(result);
    });
  };

  forceFlush = () => this.#delegate.forceFlush();
  shutdown = () => this.#delegate.shutdown();

  /** Once when it begins, once when it ends; what a collector that takes them is too slow for, once in a while. */
  #tell(isTaken: boolean, error: (Error & { code?: unknown }) | undefined): void {
    const wasTaken = this.#isTaken;
    this.#isTaken = isTaken;
    if (!isTaken) {
      const reason = [error?.code, error?.message].filter(Boolean).join(' ');
      if (wasTaken) this.#log.warn({ reason }, 'the collector does not take traces');
      return;
    }
    if (wasTaken && (this.#lost === 0 || performance.now() < this.#toldAt + TOLD_EVERY_MS)) return;
    const lost = { spansLost: this.#lost };
    if (wasTaken) this.#log.warn(lost, 'traces are not whole: there are more spans than the collector takes');
    else this.#log.info(lost, 'the collector takes traces again');
    this.#lost = 0;
    this.#toldAt = performance.now();
  }
}
