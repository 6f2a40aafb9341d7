/** Logs each request once it has its response, and reports it to the observer. Never logs a key or a body. */
import type { Logger } from 'pino';
import type { Caller } from './context.ts';
import type { RequestTracing } from './request-tracing.ts';

/** Called for each response. */
export interface RequestObserver {
  requestFinished(request: FinishedRequest): void;
  errorReturned(code: string): void;
}

export interface FinishedRequest {
  /** `other` for a method that the API does not use. */
  method: string;
  /** The route's template, or `none`: never the client's path, which may hold a key. */
  route: string;
  status: number;
  seconds: number;
}

interface RequestState {
  startedAt: number;
  code?: string;
  clientDisconnected?: boolean;
}

/** What Elysia knows of a request after its response. */
interface Completed {
  request: Request;
  /** The template of the path. */
  route?: string;
  set: { status?: number | string; headers: Record<string, unknown> };
  /** Undefined if the request was not admitted. */
  caller?: Caller;
}

// As in nginx: the client closed the connection before the response.
const CLIENT_CLOSED_REQUEST = 499;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
// Logged at level debug, because they are frequent.
const PROBES = new Set(['/healthz', '/readyz']);

/** Hooks for the life of a request. */
export function createRequestLog(
  log: Logger,
  observer: RequestObserver,
  tracing: RequestTracing | undefined,
) {
  const states = new WeakMap<Request, RequestState>();
  return {
    started(request: Request) {
      states.set(request, { startedAt: performance.now() });
      tracing?.started(request);
    },

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
      const { startedAt = performance.now(), code, clientDisconnected } = states.get(request) ?? {};
      const method = METHODS.has(request.method) ? request.method : 'other';
      const status = clientDisconnected ? CLIENT_CLOSED_REQUEST : Number(set.status ?? 200);
      const durationMs = performance.now() - startedAt;
      observer.requestFinished({ method, route, status, seconds: durationMs / 1000 });
      const requestId = set.headers['x-request-id'] as string;
      const isProbe = PROBES.has(route);
      const traceId = isProbe
        ? undefined
        : tracing?.finished(request, {
            requestId,
            method,
            route,
            status,
            code,
            accountId: caller?.accountId,
          });
      log[isProbe ? 'debug' : 'info'](
        {
          requestId,
          ...(traceId && { traceId }),
          method,
          route,
          status,
          ...(code && { code }),
          ...(caller && { accountId: caller.accountId }),
          durationMs: Math.round(durationMs * 100) / 100,
        },
        'request',
      );
    },
  };
}
