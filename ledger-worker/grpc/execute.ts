/**
 * The server side of the RPC Execute: many requests in one stream, each executed as if it came alone.
 *
 *   message of requests ──▶ one handler each, all at once ──▶ results ── end of the event loop's turn ──▶ messages of responses
 *
 *   a request   received ──▶ executing ──▶ response | failure
 *                               │ its timeout, its index in `cancelled` or the end of the stream by the client aborts its signal
 *
 *   a stream    open ── client ends its side ──▶ draining ── last response sent ──▶ ended
 */
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { InFlightObserver } from '../../platform/metrics.ts';
import type { Span, TraceContext, Tracing } from '../../platform/tracing.ts';
import {
  type ExecuteRequest__Output as ExecuteRequest,
  type ExecuteResponse,
  type LedgerRequest__Output as LedgerRequest,
  type LedgerResponse,
  type MethodName,
  messagesOf,
  rpcName,
} from '../../proto/contract.ts';
import type { LedgerHandlers, RpcContext } from '../handler-types.ts';
import { toStatus } from '../status.ts';

/** Called for each request of either service. */
export interface RpcObserver extends InFlightObserver {
  rpcFinished(method: string, code: status, seconds: number): void;
}

/** Where a server reports its requests. */
export interface Telemetry {
  observer: RpcObserver;
  tracing: Tracing | undefined;
  log: Logger;
}

type ExecuteStream = ServerDuplexStream<ExecuteRequest, ExecuteResponse>;

type Handler = (request: unknown, context: RpcContext) => Promise<object>;

// A newer gateway may have more methods.
const UNKNOWN_METHOD = { code: status.UNIMPLEMENTED, details: 'unknown method' };

// setTimeout fires at once for a longer delay.
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** @returns the handler of the RPC Execute */
export function createExecute(
  handlers: LedgerHandlers,
  { observer, tracing, log }: Telemetry,
): (stream: ExecuteStream) => void {
  async function execute(
    method: MethodName,
    request: LedgerRequest,
    context: RpcContext,
  ): Promise<LedgerResponse> {
    const startedAt = performance.now();
    const span = startRequestSpan(tracing, method, request.trace);
    if (span) context.span = span;
    const finish = (code: status) => {
      observer.rpcFinished(method, code, (performance.now() - startedAt) / 1000);
      endRequestSpan(span, code);
    };
    try {
      const handler = handlers[method] as Handler;
      const response = await handler(request[method], context);
      finish(status.OK);
      return { [method]: response };
    } catch (error) {
      const failure = toStatus(error, method, span ? log.child({ traceId: span.traceId }) : log);
      finish(failure.code);
      return { failure };
    }
  }

  let streams = 0;
  let requestsInStreams = 0;
  observer.registerInFlight({
    streams: () => streams,
    requests: () => requestsInStreams,
  });

  return (stream) => {
    streams++;
    const writer = new ResponseWriter(stream);
    const inFlight = new Map<number, AbortController>();
    let received = 0;

    function receive(request: LedgerRequest): void {
      const index = received++;
      const { method } = request;
      writer.expect();
      if (method) start(index, method, request);
      else writer.add({ index, failure: UNKNOWN_METHOD });
    }

    function start(index: number, method: MethodName, request: LedgerRequest): void {
      const abort = new AbortController();
      const timeoutMs = Math.min(request.timeoutMs, TIMEOUT_MS_MAX);
      const deadline = performance.now() + timeoutMs;
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      inFlight.set(index, abort);
      requestsInStreams++;
      const context = { signal: abort.signal, remainingMs: () => deadline - performance.now() };
      void execute(method, request, context).then((response) => {
        clearTimeout(timer);
        inFlight.delete(index);
        requestsInStreams--;
        writer.add({ index, ...response });
      });
    }

    stream.on('data', ({ requests, cancelled }: ExecuteRequest) => {
      requests.forEach(receive);
      for (const index of cancelled) inFlight.get(index)?.abort();
    });
    stream.on('end', () => writer.end());
    // At every end of a stream, also after a cancellation or the loss of the connection.
    stream.once('cancelled', () => {
      streams--;
      for (const abort of inFlight.values()) abort.abort();
    });
  };
}

/** The span of a request, by OpenTelemetry's conventions for RPC. @param context of the gateway's attempt; null: it is not traced */
function startRequestSpan(
  tracing: Tracing | undefined,
  name: MethodName,
  context: TraceContext | null,
): Span | undefined {
  if (!context) return undefined;
  const method = rpcName(name);
  return tracing?.startSpan(method, { 'rpc.system.name': 'grpc', 'rpc.method': method }, context);
}

// The codes that are errors of the server. Any other code is the client's mistake, or its cancellation.
const SERVER_ERRORS = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

function endRequestSpan(span: Span | undefined, code: status): void {
  span?.set({ 'rpc.status_code': status[code] });
  if (SERVER_ERRORS.has(code)) span?.fail(status[code]);
  span?.end();
}

/** Writes the responses of a stream. The responses of one turn of the event loop share a message. */
class ResponseWriter {
  readonly #stream: ExecuteStream;
  #ready: LedgerResponse[] = [];
  #expectedCount = 0;
  #isEnding = false;

  constructor(stream: ExecuteStream) {
    this.#stream = stream;
  }

  /** Must precede each call of `add`. */
  expect(): void {
    this.#expectedCount++;
  }

  add(response: LedgerResponse): void {
    this.#expectedCount--;
    if (this.#ready.push(response) === 1) setImmediate(() => this.#flush());
  }

  /** Ends the stream after the last expected response. */
  end(): void {
    this.#isEnding = true;
    if (this.#expectedCount === 0 && this.#ready.length === 0) this.#stream.end();
  }

  #flush(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const responses of messagesOf(ready, RESPONSES_BYTES_MAX, sizeOf)) {
      if (this.#stream.cancelled || this.#stream.destroyed) return;
      this.#stream.write({ responses });
    }
    if (this.#isEnding && this.#expectedCount === 0) this.#stream.end();
  }
}

// Several large responses stay below the limit of a message, 8 MiB. A single page can have nearly this size.
const RESPONSES_BYTES_MAX = 1024 * 1024;

// In memory, without its texts.
const OBJECT_BYTES = 256;

/** The result of a write does not count: it has at most 86 KB, so the results in a message have 5.5 MB. */
function sizeOf({ listEntries, listSources }: LedgerResponse): number {
  const sources = listSources?.sources?.sources?.length ?? 0;
  return (1 + sources) * OBJECT_BYTES + (listEntries?.page?.entriesJson?.length ?? 0);
}
