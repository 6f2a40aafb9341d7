/** The span of one attempt at a request to a worker, by OpenTelemetry's conventions for RPC. */
import { status } from '@grpc/grpc-js';
import type { Span } from '../../platform/tracing.ts';
import { type MethodName, rpcName } from '../../proto/contract.ts';

export function attemptSpanOf(request: Span | undefined, name: MethodName): Span | undefined {
  const method = rpcName(name);
  return request?.child(method, { 'rpc.system.name': 'grpc', 'rpc.method': method });
}

/** Ends the span with the status. */
export function endAttemptSpan(span: Span | undefined, code: status): void {
  span?.set({ 'rpc.status_code': status[code] });
  if (code !== status.OK) span?.fail(status[code]);
  span?.end();
}
