/** Creates spans with the OpenTelemetry SDK. All settings are passed here; the SDK reads no environment variables. */
import { hostname } from 'node:os';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import {
  AnchoredClock,
  ExportResultCode,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  createOtlpHttpExportDelegate,
  httpAgentFactoryFromOptions,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Span, TraceContext, Tracing, TracingOptions } from './tracing.ts';

// A few megabytes. The library drops further spans, and reports their number.
const QUEUED_SPANS_MAX = 2_048;
const BATCH_MAX = 512;
const BATCH_EVERY_MS = 1_000;
// The limit of a batch, including its retries.
const EXPORT_MS_MAX = 5_000;
const CLOSE_MS_MAX = 1_000;

/** @param endpoint the collector's address: OTLP over HTTP, at `/v1/traces` below it */
export function createTracing(
  { service, version, endpoint, ratio }: TracingOptions & { endpoint: string },
  log: Logger,
): Tracing {
  const warn = (message: string) => log.warn(message);
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  // The exporter itself reports failures, without repeating them.
  setGlobalErrorHandler(ignore);
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
        exporter: exporterTo(endpoint, log),
        maxQueueSize: QUEUED_SPANS_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_EVERY_MS,
        exportTimeoutMillis: EXPORT_MS_MAX + 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('bookkeeping-ledger-api', version);
  return {
    startSpan(name, attributes, caller) {
      const clock = new AnchoredClock(Date, performance);
      const begun = clock.now();
      const options = { kind: SpanKind.SERVER, startTime: begun, attributes };
      const span = tracer.startSpan(name, options, contextOf(caller));
      return span.isRecording() ? new SampledSpan(span, { tracer, clock }, begun) : undefined;
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(CLOSE_MS_MAX)]),
  };
}

const propagator = new W3CTraceContextPropagator();

/** The context that continues the caller's trace, or starts a new one when the caller sends none. */
function contextOf({ traceparent, tracestate = '' }: TraceContext = {}): Context {
  // A client may put its key there by mistake.
  const headers = { traceparent, tracestate: tracestate.includes('_live_') ? '' : tracestate };
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
}

interface Origin {
  tracer: Tracer;
  /** The same for all spans of a request, so that they nest. */
  clock: AnchoredClock;
}

class SampledSpan implements Span {
  readonly #span: OtelSpan;
  readonly #origin: Origin;
  readonly #parent: SampledSpan | undefined;
  /** When it began, or when its last child ended, in ms since the epoch. */
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
    return this.#startChild(name, SpanKind.CLIENT, attributes, this.#origin.clock.now());
  }

  recordWait(name: string): void {
    this.#startChild(name, SpanKind.INTERNAL, {}, this.#idleSince).end();
  }

  #startChild(name: string, kind: SpanKind, attributes: Attributes, begun: number): SampledSpan {
    const options = { kind, startTime: begun, attributes };
    const span = this.#origin.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
    return new SampledSpan(span, this.#origin, begun, this);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    const now = this.#origin.clock.now();
    if (this.#parent) this.#parent.#idleSince = now;
    this.#span.end(now);
  }
}

/** Exports spans to the collector. Logs when failures begin and when they end. */
function exporterTo(endpoint: string, log: Logger): SpanExporter {
  // The library's own exporter reads headers, certificates and more from the environment.
  const delegate = createOtlpHttpExportDelegate(
    {
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: async () => ({ 'Content-Type': 'application/x-protobuf' }),
      timeoutMillis: EXPORT_MS_MAX,
      concurrencyLimit: 1 + QUEUED_SPANS_MAX / BATCH_MAX,
      compression: 'none',
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    ProtobufTraceSerializer,
    'otlp_http_span_exporter',
    TraceExporterMetricsHelper,
    undefined,
  );
  let isAccepted = true;
  return {
    export(spans, done) {
      delegate.export(spans, (result) => {
        const wasAccepted = isAccepted;
        isAccepted = result.code === ExportResultCode.SUCCESS;
        if (isAccepted && !wasAccepted) log.info('the collector takes traces again');
        if (!isAccepted && wasAccepted) {
          const { code, message } = (result.error ?? {}) as { code?: unknown; message?: string };
          const reason = [code, message].filter(Boolean).join(' ');
          log.warn({ reason }, 'the collector does not take traces');
        }
        done(result);
      });
    },
    forceFlush: () => delegate.forceFlush(),
    shutdown: () => delegate.shutdown(),
  };
}
