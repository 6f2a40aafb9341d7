/**
 * The server side of the RPC Execute: many requests in one call, each executed as if it came alone.
 *
 *   message of requests ──▶ one handler each, all at once ──▶ results ── end of the event loop's turn ──▶ messages of responses
 *
 *   a request   received ──▶ executing ──▶ response | failure
 *                               │ its timeout, its index in `cancelled` or the end of the call by the client aborts its signal
 *
 *   a call      open ── client ends its side ──▶ draining ── last response sent ──▶ ended
 */
import { status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { HeldCounts } from '../../platform/metrics.ts';
import type { Span, TraceContext, Tracing } from '../../platform/tracing.ts';
import {
  type ExecuteRequest__Output as ExecuteRequest,
  type LedgerRequest__Output as LedgerRequest,
  type LedgerResponse,
  type MethodName,
  rpcName,
} from '../../proto/contract.ts';
import type { CallContext, LedgerHandlers } from '../handlers.ts';
import { type ExecuteCall, ResponseWriter } from './response-writer.ts';
import { toStatus } from './status.ts';

/** Called for each request of either service. */
export interface RpcObserver {
  rpcFinished(method: string, code: status, seconds: number): void;
  /** Called once by each service, with what it holds for calls in progress. */
  registerHeld(counts: HeldCounts): void;
}

type Handler = (request: unknown, call: CallContext) => Promise<object>;

// A newer gateway may know more methods.
const UNKNOWN_METHOD = { code: status.UNIMPLEMENTED, details: 'unknown method' };

// setTimeout fires at once for a longer delay.
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** @returns the handler of the RPC Execute */
export function createMultiplexer(
  handlers: LedgerHandlers,
  observer: RpcObserver,
  tracing: Tracing | undefined,
  log: Logger,
): (call: ExecuteCall) => void {
  async function execute(
    method: MethodName,
    request: LedgerRequest,
    context: CallContext,
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

  let calls = 0;
  let requestsInCalls = 0;
  observer.registerHeld({
    calls: () => calls,
    requests: () => requestsInCalls,
  });

  return (call) => {
    calls++;
    const writer = new ResponseWriter(call);
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
      const deadline = Date.now() + timeoutMs;
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      inFlight.set(index, abort);
      requestsInCalls++;
      const context = { signal: abort.signal, remainingMs: () => deadline - Date.now() };
      void execute(method, request, context).then((response) => {
        clearTimeout(timer);
        inFlight.delete(index);
        requestsInCalls--;
        writer.add({ index, ...response });
      });
    }

    call.on('data', ({ requests, cancelled }: ExecuteRequest) => {
      requests.forEach(receive);
      for (const index of cancelled) inFlight.get(index)?.abort();
    });
    call.on('end', () => writer.end());
    // At every end of a call, also after a cancellation or the loss of the connection.
    call.once('cancelled', () => {
      calls--;
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
