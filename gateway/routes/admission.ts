/** Runs before every endpoint: the limit of requests in flight, the deadline, authentication, and the key's minute limit. */
import { Elysia } from 'elysia';
import type { Auth } from '../access/auth.ts';
import type { DailyCap } from '../access/daily-cap.ts';
import { ApiError, overloaded } from '../api/errors.ts';
import { minuteHeaders } from '../api/rate-limit-headers.ts';
import type { Caller, RequestContext } from '../http/context.ts';
import type { RequestTracing } from '../http/request-tracing.ts';
import type { BodyReader } from '../input/body-reader.ts';
import type { Ledger } from '../ledger/client.ts';

/** The dependencies of the routes. */
export interface Services {
  auth: Auth;
  dailyCap: DailyCap;
  ledger: Ledger;
  bodyReader: BodyReader;
  /** For the work on one request, without the arrival of its body. */
  requestTimeoutMs: number;
  /** More get an immediate 503. */
  requestsInFlightMax: number;
  /** Undefined: no request is traced. */
  tracing: RequestTracing | undefined;
}

/**
 * Admits the request and passes its caller, its context and what is left of the day to the route's handler.
 * @param early starts a read while Redis counts the request; the handler gets the promise. It is wasted on a refused request
 */
export const admission = <Early = undefined>(
  { auth, requestTimeoutMs, requestsInFlightMax, tracing }: Services,
  early?: (caller: Caller, context: RequestContext) => Promise<Early>,
) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, server, set }) => {
    if ((server?.pendingRequests ?? 0) > requestsInFlightMax) throw overloaded();
    const context: RequestContext = {
      deadline: Date.now() + requestTimeoutMs,
      signal: request.signal,
      span: tracing?.spanOf(request),
    };
    let reading: Promise<Early> | undefined;
    const { caller, remaining, entriesLeft } = await auth.admit(request, context, (caller) => {
      reading = early?.(caller, context);
      // If the request is refused, its handler does not run.
      reading?.catch(() => {});
    });
    Object.assign(set.headers, minuteHeaders(remaining));
    return { caller, context, entriesLeft, reading: reading as Promise<Early> };
  });

/**
 * Handles the methods that a path does not support. Must precede `admission` in a route's chain: Elysia's hooks apply to what
 * follows them, and this needs no key.
 */
export function methodNotAllowed(allow: string) {
  return () => {
    throw new ApiError('method_not_allowed', `This path supports ${allow}.`, { headers: { allow } });
  };
}

/** Route options: Elysia does not read the body, and the description omits the route. */
export const OTHER_METHODS = { parse: 'none', detail: { hide: true } } as const;
