/** The span of an RPC, on the client's side and on the server's. */
import { status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { Span } from '../platform/tracing.ts';
import type { MethodName } from './contract.ts';

/** Name and attributes of the span of one request, by OpenTelemetry's conventions for RPC. */
export function rpcSpan(name: MethodName): [method: string, attributes: Attributes] {
  const method = `ledger.v1.Ledger/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [method, { 'rpc.system.name': 'grpc', 'rpc.method': method }];
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

/** Ends the span of an RPC with its status. */
export function endRpcSpan(span: Span | undefined, code: status, side: 'client' | 'server'): void {
  if (span === undefined) return;
  span.set({ 'rpc.status_code': status[code] });
  const isError = side === 'client' ? code !== status.OK : SERVER_ERRORS.has(code);
  if (isError) span.fail(status[code]);
  span.end();
}
