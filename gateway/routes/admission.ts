/** Runs before every endpoint: the limit of requests in flight, the deadline, authentication, and the key's minute limit. */
import { Elysia } from 'elysia';
import type { Span } from '../../platform/tracing.ts';
import type { Auth } from '../access/auth.ts';
import type { DailyCap } from '../access/daily-cap.ts';
import { ApiError, overloaded } from '../api/errors.ts';
import { minuteHeaders } from '../api/rate-limit-headers.ts';
import type { Limits } from '../http/limits.ts';
import { nextTurn, type RequestContext } from '../http/request-context.ts';
import type { BodyReader } from '../input/body-reader.ts';
import type { Ledger } from '../ledger/client.ts';

/** The dependencies of the routes. */
export interface Services {
  auth: Auth;
  dailyCap: DailyCap;
  ledger: Ledger;
  bodyReader: BodyReader;
  limits: Limits;
  /** For the work on one request, without the arrival of its body. */
  requestTimeoutMs: number;
  /** Undefined: the request is not traced. */
  spanOf(request: Request): Span | undefined;
}

/** Admits the request, and passes its caller, its context and the rest of the day to the route's handler. */
export const admission = ({ auth, requestTimeoutMs, limits, spanOf }: Services) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, set }) => {
    if (!limits.requests.begin(request)) throw overloaded();
    const context: RequestContext = {
      deadline: Date.now() + requestTimeoutMs,
      signal: request.signal,
      span: spanOf(request),
    };
    const { caller, remaining, entriesLeft } = await auth.admit(request, context);
    Object.assign(set.headers, minuteHeaders(remaining));
    // Only now: 429 comes before 503.
    if (!limits.requests.assign(request, caller.accountId)) throw overloaded();
    return { caller, context, entriesLeft };
  });

/**
 * Runs before the paths that need no key. They have a limit of their own, on responses that their clients have not read, so that
 * clients without a key cannot block callers with one.
 */
export const withoutKey = (limits: Limits) =>
  new Elysia().onBeforeHandle({ as: 'scoped' }, async ({ server }) => {
    if (!limits.requests.admitsUnauthenticated(server)) throw overloaded({ connection: 'close' });
    await nextTurn();
  });

/**
 * Handles the methods that a path does not support. Must precede `admission` in a route's chain: Elysia's hooks apply to what
 * follows them, and this needs no key.
 * @param hint added to the message
 */
export function methodNotAllowed(allow: string, hint = '') {
  return () => {
    throw new ApiError('method_not_allowed', `This path supports ${allow}.${hint}`, { headers: { allow } });
  };
}

/** Route options: Elysia does not read the body. */
export const OTHER_METHODS = { parse: 'none' } as const;
