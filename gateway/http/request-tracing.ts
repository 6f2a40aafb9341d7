/** The span of each request that is sampled: from its head to its answer. */
import type { Span, Tracing } from '../../platform/tracing.ts';
import type { ErrorCode } from '../api/errors.ts';

/** As the log has it. */
interface Answered {
  requestId: string;
  method: string;
  /** `none` where there is nothing. */
  route: string;
  status: number;
  code: ErrorCode | undefined;
  accountId: string | undefined;
}

export type Traces = ReturnType<typeof createTraces>;

/** To be told when a request begins, and when it is answered: one that never is told of as answered leaves no span. */
export function createTraces(tracing: Tracing) {
  const spans = new WeakMap<Request, Span>();
  return {
    begun(request: Request): void {
      const { headers } = request;
      const [traceparent, tracestate] = [headers.get('traceparent') ?? '', headers.get('tracestate') ?? ''];
      const span = tracing.startSpan('HTTP', {}, { traceparent, tracestate });
      if (span) spans.set(request, span);
    },

    spanOf(request: Request): Span | undefined {
      return spans.get(request);
    },

    /** @returns the id of its trace */
    answered(request: Request, { requestId, method, route, status, code, accountId }: Answered) {
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
