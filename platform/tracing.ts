/**
 * Traces: what was done for a request, as spans of OpenTelemetry that go to a collector. A request that is not sampled has
 * no span at all, and without a collector nothing of the library is even loaded.
 */
import { status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { QuestionName, TraceContext } from '../proto/client.ts';

/**
 * A part of what is done for a request. It is told once it has ended. Its attributes have the names of the semantic
 * conventions of OpenTelemetry where there are some. None is a key, an entry, or a parameter of a statement.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  context(): TraceContext;
  /** Begins a part of this one, in which somebody else is asked. */
  child(name: string, attributes: Attributes): Span;
  /** Tells of the time since it began, or since its last part ended, as of a part of its own: nothing was done. */
  waited(name: string): void;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Of another trace, or of another part of this one. */
  link(other: Span): void;
  /** @param type what went wrong, as one of few words */
  fail(type: string): void;
  end(): void;
}

export interface Tracing {
  /**
   * Begins what this process does for a request. Undefined where it is not sampled: its caller says so, or, without a
   * caller that says anything, the ratio.
   * @param caller what cannot be understood counts as nothing
   */
  startSpan(name: string, attributes: Attributes, caller: TraceContext | undefined): Span | undefined;
  /** Tells the collector what it has not been told, for a second at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** As in the log. */
  service: string;
  /** The collector's address, `http://host:port`; undefined: nothing is sampled. */
  endpoint: string | undefined;
  /** The share of requests that are sampled where the caller says nothing, 0 to 1. */
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
