/** The HTTP application: hooks in their order, then the routes, then the description. */
import { Elysia } from 'elysia';
import type { Logger } from 'pino';
import { ApiError, serverError } from './api/errors.ts';
import { description } from './api/openapi.ts';
import { afterError } from './api/rate-limit-headers.ts';
import { corsFor } from './http/cors.ts';
import { requireHost } from './http/host.ts';
import { createRequestLog } from './http/request-log.ts';
import { ClientGone } from './ledger/client.ts';
import type { Metrics } from './metrics.ts';
import type { Services } from './routes/admission.ts';
import { categories } from './routes/categories.ts';
import { docs } from './routes/docs.ts';
import { health } from './routes/health.ts';
import { me } from './routes/me.ts';
import { sources } from './routes/sources.ts';
import { transactions } from './routes/transactions.ts';

export interface AppOptions extends Services {
  /** False: everything under /api/v1 is 404 not_found. */
  apiEnabled: boolean;
  /** Origins whose pages may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Aborted once the process is about to end: every answer then closes its connection, and /readyz says so. */
  draining: AbortSignal;
  metrics: Metrics;
  log: Logger;
}

/** @returns an app that listens nowhere yet */
export function createApp({ apiEnabled, corsOrigins, draining, metrics, log, ...services }: AppOptions) {
  const requests = createRequestLog(log, metrics, services.traces);
  const origins = apiEnabled ? corsOrigins : [];
  const app = new Elysia({
    // Bodies are read, bounded and validated by input/; Bun's own refusal would not have the shape of an error.
    // Never Bun's page for developers: it shows source.
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30, development: false },
    normalize: false,
    // A host name may be shorter than the public ones that Elysia assumes: `http://gw/…`.
    handler: { standardHostname: false },
  })
    .onRequest(({ request, set }) => {
      requests.begun(request);
      set.headers['x-request-id'] = requestId(request.headers.get('x-request-id'));
      set.headers['x-content-type-options'] = 'nosniff';
      // Somebody's books are nothing for a cache to keep, and neither is an error.
      set.headers['cache-control'] = 'no-store';
      // After a CONNECT, whatever follows would be taken for the contents of a tunnel.
      if (request.method === 'CONNECT') set.headers.connection = 'close';
      requireHost(request.headers.get('host'));
      if (origins.length > 0 && request.method === 'OPTIONS') {
        // The plugin answers it with 204, and no later hook is called.
        if (draining.aborted) set.headers.connection = 'close';
        requests.answered({ request, set: { status: 204, headers: set.headers } });
      }
    })
    .use(corsFor(origins))
    .onAfterHandle(({ set }) => {
      if (draining.aborted) set.headers.connection = 'close';
    })
    .onError(({ error, code, route, request, set }) => {
      const failure = toApiError(error, code, String(set.headers['x-request-id']), apiEnabled);
      if (failure.cause !== undefined && !(error instanceof ClientGone)) {
        // The route, not the path: what a client puts there by mistake may be its key.
        const where = { requestId: set.headers['x-request-id'], method: request.method, route };
        log.error({ err: failure.cause, ...where }, 'request failed');
      }
      if (error instanceof ClientGone) requests.left(request);
      else requests.failed(request, failure.code);
      set.status = failure.status;
      set.headers = { ...afterError(set.headers, failure), ...failure.headers };
      if (draining.aborted) set.headers.connection = 'close';
      return failure.render();
    })
    .onAfterResponse(requests.answered)
    .use(health({ ...services, draining }));
  if (!apiEnabled) return app;

  return app
    .use(me(services))
    .use(sources(services))
    .use(categories(services))
    .use(transactions(services))
    .use(description())
    .use(docs());
}

/** The client's own id where it is fit for a log line and no API key, otherwise a new one. */
function requestId(given: string | null): string {
  return given !== null && /^(?!.*_live_)[\w.:-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7();
}

function toApiError(error: unknown, code: string | number, requestId: string, apiEnabled: boolean): ApiError {
  if (error instanceof ApiError) return error;
  if (code === 'NOT_FOUND') {
    const message = apiEnabled
      ? 'There is nothing at this path: /api/v1/openapi.json describes what there is.'
      : 'The API is not enabled in this environment.';
    return new ApiError('not_found', message);
  }
  return serverError(requestId, error);
}
