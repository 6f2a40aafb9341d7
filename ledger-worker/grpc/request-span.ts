/** The span of a request of a gateway, by OpenTelemetry's conventions for RPC. */
import { status } from '@grpc/grpc-js';
import type { Span, TraceContext, Tracing } from '../../platform/tracing.ts';
import { type MethodName, rpcName } from '../../proto/contract.ts';

/** @param context of the gateway's attempt; without one, the request is not traced */
export function startRequestSpan(
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

/** Ends the span with the status. */
export function endRequestSpan(span: Span | undefined, code: status): void {
  span?.set({ 'rpc.status_code': status[code] });
  if (SERVER_ERRORS.has(code)) span?.fail(status[code]);
  span?.end();
}
