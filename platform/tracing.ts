/**
 * Traces of requests as OpenTelemetry spans, sent to a collector. A request that is not sampled has no span. Without a
 * collector the library is not even loaded.
 */
import { status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { QuestionName, TraceContext } from '../proto/client.ts';

/**
 * A step of a request. It is exported after its end. Attributes are named by the OpenTelemetry semantic conventions where
 * these have a name. No attribute holds a key, an entry or a parameter of a statement.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  context(): TraceContext;
  /** Starts a child span for a request to another service. */
  child(name: string, attributes: Attributes): Span;
  /** Records the time since this span began, or since its last child ended, as a child span of its own: it waited. */
  waited(name: string): void;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Links a span of another trace, or another span of this one. */
  link(other: Span): void;
  /** @param type the kind of failure, from a small set */
  fail(type: string): void;
  end(): void;
}

export interface Tracing {
  /**
   * Starts this process's span of a request. Undefined when the request is not sampled. The caller's trace context decides
   * that; without one, the ratio does.
   * @param caller a malformed context counts as none
   */
  startSpan(name: string, attributes: Attributes, caller: TraceContext | undefined): Span | undefined;
  /** Exports the remaining spans, for at most one second. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The same name as in the log. */
  service: string;
  /** The collector's address, `http://host:port`; undefined: nothing is sampled. */
  endpoint: string | undefined;
  /** The share of requests that are sampled when the caller sends no trace context, 0 to 1. */
  ratio: number;
}

/** Undefined without a collector. */
export async function startTracing(
  { endpoint, ...options }: TracingOptions,
  log: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing({ endpoint, ...options }, log);
}

/** The span of a question, on either side of it. */
export function rpcSpan(name: QuestionName): [method: string, attributes: Attributes] {
  const method = `ledger.v1.Ledger/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [method, { 'rpc.system.name': 'grpc', 'rpc.method': method }];
}

// For who answers: what its caller can be blamed for is no failure.
const FAILURES_OF_SERVERS = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

/** Ends the span of a question. */
export function endRpc(span: Span | undefined, code: status, side: 'client' | 'server'): void {
  if (span === undefined) return;
  span.set({ 'rpc.status_code': status[code] });
  const isFailure = side === 'client' ? code !== status.OK : FAILURES_OF_SERVERS.has(code);
  if (isFailure) span.fail(status[code]);
  span.end();
}
