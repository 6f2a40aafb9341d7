/** Spans of OpenTelemetry: the interfaces that the rest of the code uses. */
import type { Attributes } from '@opentelemetry/api';

/** The headers of W3C Trace Context. */
export interface TraceContext {
  traceparent?: string;
  tracestate?: string;
}

/**
 * A sampled span. A request that is not sampled has none. Attributes use the names of OpenTelemetry's semantic
 * conventions where one exists. None holds an API key, an entry or a parameter of a statement.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  context(): TraceContext;
  /** Starts a child span of kind CLIENT: a request to another process. */
  child(name: string, attributes: Attributes): Span;
  /** Records the time since this span started, or since its last child ended, as a child span of its own. */
  recordWait(name: string): void;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Sets the status to error. @param type a value of low cardinality for `error.type` */
  fail(type: string): void;
  end(): void;
}

export interface Tracing {
  /**
   * Starts a span of kind SERVER. Undefined when the request is not sampled. The caller's trace context decides that; without
   * one, the ratio does.
   * @param caller a malformed context counts as absent
   */
  startSpan(name: string, attributes: Attributes, caller: TraceContext | undefined): Span | undefined;
  /** Exports the spans that are still buffered, for at most one second. */
  close(): Promise<void>;
}

export interface TracingOptions {
  service: string;
  version: string;
  /** The collector's address, `http://host:port`; undefined: nothing is sampled. */
  endpoint: string | undefined;
  /** The share of requests without a trace context that are sampled, 0 to 1. */
  ratio: number;
}
