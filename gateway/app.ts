/** The HTTP application: hooks, routes, description. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Elysia } from 'elysia';
import type { Logger } from 'pino';
import type { Tracing } from '../platform/tracing.ts';
import { ApiError, serverError } from './api/errors.ts';
import { errorHeaders } from './api/rate-limit-headers.ts';
import { corsFor } from './http/cors.ts';
import { isHost } from './http/host.ts';
import { ClientDisconnected } from './http/request-context.ts';
import { createRequestLog, type RequestObserver } from './http/request-log.ts';
import { categories } from './routes/categories.ts';
import { docsFiles, type Files, files } from './routes/files.ts';
import { type HealthOptions, health } from './routes/health.ts';
import type { RouteDependencies } from './routes/hooks.ts';
import { me } from './routes/me.ts';
import { sources } from './routes/sources.ts';
import { transactions } from './routes/transactions.ts';

export interface AppOptions extends HealthOptions, Omit<RouteDependencies, 'spanOf'> {
  /** False: everything under /api/v1 is 404 not_found, and so is the page that needs it. */
  apiEnabled: boolean;
  /** The files of / and /import: none if they are not served. */
  webFiles: Files;
  corsOrigins: readonly string[];
  bodyTimeoutMs: number;
  /** Whether the gateway itself serves HTTPS. */
  servesHttps: boolean;
  observer: RequestObserver;
  tracing: Tracing | undefined;
  log: Logger;
}

// A browser that has seen it uses HTTPS for a year.
const HSTS = `max-age=${365 * 24 * 60 * 60}`;

export function createApp({
  apiEnabled,
  webFiles,
  corsOrigins,
  bodyTimeoutMs,
  servesHttps,
  draining,
  observer,
  tracing,
  log,
  ...options
}: AppOptions) {
  // Seconds, which Bun checks every 4 s: later than the 408 of a body that does not arrive.
  const idleTimeout = Math.max(30, Math.ceil(bodyTimeoutMs / 1_000) + 6);
  const requests = createRequestLog(log, observer, tracing);
  const dependencies = { ...options, draining, spanOf: requests.spanOf };
  const { admission } = dependencies;
  const origins = apiEnabled ? corsOrigins : [];
  const app = new Elysia({
    // input/body-reader.ts limits bodies: Bun's own 413 lacks the Error shape. Bun's development page would show source code.
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout, development: false },
    normalize: false,
    // Elysia skips so many characters before it looks for the slash of the path: by default 11, which are too many for a short name
    // such as `http://gw/`; with false 7, which are too few for `https://`.
    handler: { standardHostname: servesHttps },
  })
    .onRequest(({ request, set }) => {
      requests.started(request);
      set.headers['x-request-id'] = requestId(request.headers.get('x-request-id'));
      set.headers['x-content-type-options'] = 'nosniff';
      if (servesHttps) set.headers['strict-transport-security'] = HSTS;
      // Neither entries nor errors may be cached.
      set.headers['cache-control'] = 'no-store';
      // After a CONNECT, further requests would be taken for the contents of a tunnel.
      if (request.method === 'CONNECT') set.headers.connection = 'close';
      requireHost(request.headers.get('host'));
      if (origins.length > 0 && request.method === 'OPTIONS') {
        // The CORS plugin responds with 204 and skips the later hooks.
        if (draining.aborted) set.headers.connection = 'close';
        requests.finished({ request, set: { status: 204, headers: set.headers } });
      }
    })
    .use(corsFor(origins))
    .onAfterHandle(({ request, set }) => {
      admission.end(request);
      // Load balancers move on to another gateway.
      if (draining.aborted) set.headers.connection = 'close';
    })
    .onError(async ({ error, code, route, request, set }) => {
      // As in `withoutKey`.
      await nextTurn();
      const reported = await admission.errorFor(request, error);
      admission.end(request);
      const apiError = toApiError(reported, code, String(set.headers['x-request-id']), apiEnabled);
      if (apiError.cause !== undefined && !(error instanceof ClientDisconnected)) {
        // The route, not the path: a client may put its key there by mistake.
        const where = { requestId: set.headers['x-request-id'], method: request.method, route };
        log.error({ err: apiError.cause, ...where }, 'request failed');
      }
      if (error instanceof ClientDisconnected) requests.clientDisconnected(request);
      else requests.failed(request, apiError.code);
      set.status = apiError.status;
      set.headers = { ...errorHeaders(set.headers, apiError), ...apiError.headers };
      if (draining.aborted) set.headers.connection = 'close';
      return apiError.render();
    })
    .onAfterResponse(requests.finished)
    .use(health(dependencies));
  if (!apiEnabled) return app;

  return app
    .use(me(dependencies))
    .use(sources(dependencies))
    .use(categories(dependencies))
    .use(transactions(dependencies))
    .use(files({ ...webFiles, ...docsFiles() }, admission));
}

/**
 * A proxy and the gateway must not read two different hosts from one request.
 * @param host null without the header, which Bun accepts from HTTP/1.0 only
 * @throws ApiError invalid_request
 */
function requireHost(host: string | null): void {
  if (host === null || isHost(host)) return;
  throw new ApiError(
    'invalid_request',
    'Send one Host header with the name or address of the service, and its port if need be: api.example:8443.',
  );
}

/** The client's id if it is safe to log and not an API key, otherwise a new one. */
function requestId(given: string | null): string {
  return given !== null && /^(?!.*_live_)[\w.:-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7();
}

function toApiError(error: unknown, code: string | number, requestId: string, apiEnabled: boolean): ApiError {
  if (error instanceof ApiError) return error;
  if (code === 'NOT_FOUND') {
    const message = apiEnabled
      ? 'No such path: /api/v1/openapi.json describes the API.'
      : 'The API is not enabled in this environment.';
    return new ApiError('not_found', message);
  }
  return serverError(requestId, error);
}
