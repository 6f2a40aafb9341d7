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
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { Tracing } from '../../platform/tracing.ts';
import type {
  CallContext,
  ExecuteRequest__Output as ExecuteRequest,
  ExecuteResponse,
  LedgerHandlers,
  LedgerRequest__Output as LedgerRequest,
  LedgerResponse,
} from '../../proto/contract.ts';
import { endRpcSpan, rpcSpan } from '../../proto/rpc-span.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { ResponseWriter } from './response-writer.ts';
import { toStatus } from './status.ts';

/** Called for each request of either service. */
export interface RpcObserver {
  rpcFinished(method: string, code: status, seconds: number): void;
}

type ExecuteCall = ServerDuplexStream<ExecuteRequest, ExecuteResponse>;
type Handler = (request: unknown, call: CallContext) => Promise<object>;

// setTimeout fires at once for a longer delay.
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** @returns the handler of the RPC Execute */
export function createMultiplexer(
  handlers: LedgerHandlers,
  limit: ConcurrencyLimit,
  observer: RpcObserver,
  tracing: Tracing | undefined,
  log: Logger,
): (call: ExecuteCall) => void {
  async function execute(request: LedgerRequest, context: CallContext): Promise<LedgerResponse> {
    const { method } = request;
    // A newer gateway may know more methods.
    if (!method) return { failure: { code: status.UNIMPLEMENTED, details: 'unknown method' } };
    const startedAt = performance.now();
    const span = request.trace ? tracing?.startSpan(...rpcSpan(method), request.trace) : undefined;
    if (span) context.span = span;
    const finish = (code: status) => {
      observer.rpcFinished(method, code, (performance.now() - startedAt) / 1000);
      endRpcSpan(span, code, 'server');
    };
    try {
      const handler = handlers[method] as Handler;
      const response = await limit.run(() => handler(request[method], context));
      finish(status.OK);
      return { [method]: response };
    } catch (error) {
      const failure = toStatus(error, method, span ? log.child({ traceId: span.traceId }) : log);
      finish(failure.code);
      return { failure };
    }
  }

  return (call) => {
    const writer = new ResponseWriter(call);
    const inFlight = new Map<number, AbortController>();
    let received = 0;

    function start(request: LedgerRequest): void {
      const index = received++;
      const abort = new AbortController();
      const timeoutMs = Math.min(request.timeoutMs, TIMEOUT_MS_MAX);
      const deadline = Date.now() + timeoutMs;
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      inFlight.set(index, abort);
      writer.expect();
      const context = { signal: abort.signal, remainingMs: () => deadline - Date.now() };
      void execute(request, context).then((response) => {
        clearTimeout(timer);
        inFlight.delete(index);
        writer.add({ index, ...response });
      });
    }

    call.on('data', ({ requests, cancelled }: ExecuteRequest) => {
      for (const request of requests) start(request);
      for (const index of cancelled) inFlight.get(index)?.abort();
    });
    call.on('end', () => writer.end());
    call.on('cancelled', () => {
      for (const abort of inFlight.values()) abort.abort();
    });
  };
}
