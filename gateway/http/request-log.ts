/** What became of each request: a line in the log, and the metrics. */
import type { Logger } from 'pino';
import type { Caller } from '../access/auth.ts';
import type { ErrorCode } from '../api/errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Traces } from './request-tracing.ts';

interface Seen {
  begun: number;
  code?: ErrorCode;
  /** Nobody waited for the answer any more. */
  isLeft?: boolean;
}

/** What Elysia knows of a request once it is answered. */
interface Answered {
  request: Request;
  /** The template of the path. */
  route?: string;
  set: { status?: number | string; headers: Record<string, unknown> };
  /** Once the request was admitted. */
  caller?: Caller;
}

// As nginx has it: the client closed the connection, and was told nothing.
const CLIENT_CLOSED_REQUEST = 499;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
// Asked all the time, by machines.
const PROBES = new Set(['/healthz', '/readyz']);

/** To be told when a request begins, fails, is left by its client, and is answered. No key and nothing of a body is written. */
export function createRequestLog(log: Logger, metrics: Metrics, traces: Traces | undefined) {
  const seen = new WeakMap<Request, Seen>();
  return {
    begun(request: Request) {
      seen.set(request, { begun: performance.now() });
      traces?.begun(request);
    },

    failed(request: Request, code: ErrorCode) {
      metrics.errorAnswered(code);
      const own = seen.get(request);
      if (own) own.code = code;
    },

    left(request: Request) {
      const own = seen.get(request);
      if (own) own.isLeft = true;
    },

    // Elysia reads this line: of a hook that takes its argument whole it believes that it needs header, cookies and query.
    answered({ request, route = 'none', set, caller }: Answered) {
      const { begun = performance.now(), code, isLeft } = seen.get(request) ?? {};
      const method = METHODS.has(request.method) ? request.method : 'other';
      const status = isLeft ? CLIENT_CLOSED_REQUEST : Number(set.status ?? 200);
      const durationMs = performance.now() - begun;
      metrics.requestAnswered({ method, route, status, seconds: durationMs / 1000 });
      const requestId = set.headers['x-request-id'] as string;
      const isProbe = PROBES.has(route);
      const traceId = isProbe
        ? undefined
        : traces?.answered(request, { requestId, method, route, status, code, accountId: caller?.accountId });
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
