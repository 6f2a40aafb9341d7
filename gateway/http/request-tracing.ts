/** The server span of each sampled request, from its head to its response. */
import type { Span, Tracing } from '../../platform/tracing.ts';

/** The fields of the request's log line. */
interface Finished {
  requestId: string;
  method: string;
  /** `none` without a route. */
  route: string;
  status: number;
  code: string | undefined;
  accountId: string | undefined;
}

export type RequestTracing = ReturnType<typeof createRequestTracing>;

/** Hooks for the life of a request. A span is exported only if `finished` is called. */
export function createRequestTracing(tracing: Tracing) {
  const spans = new WeakMap<Request, Span>();
  return {
    started(request: Request): void {
      const { headers } = request;
      const [traceparent, tracestate] = [headers.get('traceparent') ?? '', headers.get('tracestate') ?? ''];
      const span = tracing.startSpan('HTTP', {}, { traceparent, tracestate });
      if (span) spans.set(request, span);
    },

    spanOf(request: Request): Span | undefined {
      return spans.get(request);
    },

    /** @returns the trace id */
    finished(request: Request, { requestId, method, route, status, code, accountId }: Finished) {
      const span = spans.get(request);
      if (!span) return undefined;
      const isKnown = method !== 'other';
      const isRouted = route !== 'none';
      span.rename([isKnown ? method : 'HTTP', ...(isRouted ? [route] : [])].join(' '));
      span.set({
        'http.request.method': isKnown ? method : '_OTHER',
        ...(isRouted && { 'http.route': route }),
        'http.response.status_code': status,
        'http.response.header.x-request-id': [requestId],
        ...(code && { 'ledger.error.code': code }),
        ...(accountId && { 'ledger.account.id': accountId }),
      });
      if (status >= 500) span.fail(String(status));
      span.end();
      return span.traceId;
    },
  };
}
