/** Logs each request once it has its response, ends its span, and reports it to the observer. Never logs a key or a body. */
import type { Logger } from 'pino';
import type { Span, Tracing } from '../../platform/tracing.ts';
import type { Caller } from './request-context.ts';

export interface RequestObserver {
  requestFinished(request: FinishedRequest, seconds: number): void;
  errorReturned(code: string): void;
}

interface FinishedRequest {
  /** `other` for a method that the API does not use. */
  method: string;
  /** The route's template, or `none`: never the client's path, which may hold a key. */
  route: string;
  status: number;
  requestId: string;
  /** Of an error. */
  code: string | undefined;
  accountId: string | undefined;
}

interface Completed {
  request: Request;
  /** The template of the path. */
  route?: string;
  set: { status?: number | string; headers: Record<string, unknown> };
  /** Undefined if the request was not admitted. */
  caller?: Caller;
}

// The status that nginx uses: the client closed the connection before the response.
const CLIENT_CLOSED_REQUEST = 499;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
// Of each error code, requests with a line of their own: an error can come at any rate, and further lines say no more.
const ERROR_LINES_PER_SECOND_MAX = 20;
// Logged at level debug, because they are frequent.
const PROBES = new Set(['/healthz', '/readyz']);

export function createRequestLog(log: Logger, observer: RequestObserver, tracing: Tracing | undefined) {
  type State = { startedAt: number; span: Span | undefined; code?: string; clientDisconnected?: boolean };
  const states = new WeakMap<Request, State>();
  /** Of the last second, by code. */
  const errors = new Map<string, number>();

  /** Whether an error gets a line of its own. At the end of the second one line counts the others of its code. */
  function hasLine(code: string): boolean {
    if (errors.size === 0) setTimeout(countOthers, 1_000).unref();
    const count = (errors.get(code) ?? 0) + 1;
    errors.set(code, count);
    return count <= ERROR_LINES_PER_SECOND_MAX;
  }

  function countOthers(): void {
    for (const [code, count] of errors) {
      const others = count - ERROR_LINES_PER_SECOND_MAX;
      if (others > 0) log.warn({ code, count: others }, 'more requests with this error');
    }
    errors.clear();
  }

  return {
    started(request: Request) {
      const span = tracing && startSpan(tracing, request.headers);
      states.set(request, { startedAt: performance.now(), span });
    },

    spanOf: (request: Request) => states.get(request)?.span,

    failed(request: Request, code: string) {
      observer.errorReturned(code);
      const state = states.get(request);
      if (state) state.code = code;
    },

    clientDisconnected(request: Request) {
      const state = states.get(request);
      if (state) state.clientDisconnected = true;
    },

    // Elysia parses this line: for a hook that takes its argument whole, it would always compute headers, cookies and query.
    finished({ request, route = 'none', set, caller }: Completed) {
      const { startedAt = performance.now(), span, code, clientDisconnected } = states.get(request) ?? {};
      const method = METHODS.has(request.method) ? request.method : 'other';
      const status = clientDisconnected ? CLIENT_CLOSED_REQUEST : Number(set.status ?? 200);
      const durationMs = performance.now() - startedAt;
      const isProbe = PROBES.has(route);
      // A span that does not end is not exported.
      const exported = isProbe ? undefined : span;
      const fields = {
        requestId: set.headers['x-request-id'] as string,
        traceId: exported?.traceId,
        method,
        route,
        status,
        code,
        accountId: caller?.accountId,
      };
      observer.requestFinished(fields, durationMs / 1000);
      if (exported) endSpan(exported, fields);
      if (code !== undefined && !isProbe && !hasLine(code)) return;
      log[isProbe ? 'debug' : 'info'](
        { ...fields, durationMs: Math.round(durationMs * 100) / 100 },
        'request',
      );
    },
  };
}

function startSpan(tracing: Tracing, headers: Headers): Span | undefined {
  const [traceparent, tracestate] = [headers.get('traceparent') ?? '', headers.get('tracestate') ?? ''];
  return tracing.startSpan('HTTP', {}, { traceparent, tracestate });
}

function endSpan(span: Span, { requestId, method, route, status, code, accountId }: FinishedRequest): void {
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
}
