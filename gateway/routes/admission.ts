/** What stands before every endpoint: the key, its account, its minute. */
import { Elysia } from 'elysia';
import type { Auth } from '../access/auth.ts';
import type { Limits } from '../access/limits.ts';
import { ApiError, overloaded } from '../api/errors.ts';
import { minuteFields } from '../api/rate-limit-headers.ts';
import type { Traces } from '../http/request-tracing.ts';
import type { Bodies } from '../input/body-reader.ts';
import type { Budget, Ledger } from '../ledger/client.ts';

/** What the routes work with. */
export interface Services {
  auth: Auth;
  limits: Limits;
  ledger: Ledger;
  bodies: Bodies;
  /** For the work on one request, without the arrival of its body. */
  requestTimeoutMs: number;
  /** More are refused at once, with 503. */
  requestsInFlightMax: number;
  /** Undefined: no request is traced. */
  traces: Traces | undefined;
}

/** Admits the request, tells how many are left in the minute, and hands the caller to the routes that follow. */
export const admission = ({ auth, requestTimeoutMs, requestsInFlightMax, traces }: Services) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, server, set }) => {
    if ((server?.pendingRequests ?? 0) > requestsInFlightMax) throw overloaded();
    const budget: Budget = {
      deadline: Date.now() + requestTimeoutMs,
      gone: request.signal,
      span: traces?.spanOf(request),
    };
    const { caller, remaining } = await auth.admit(request.headers.get('authorization'), budget);
    Object.assign(set.headers, minuteFields(remaining));
    return { caller, budget };
  });

/**
 * For the methods that a path does not have. Stands before `admission` in a route's chain: hooks apply to what follows
 * them, and no key is needed to learn what a path answers.
 */
export function methodNotAllowed(allow: string) {
  return () => {
    throw new ApiError('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
  };
}

/** Hooks of a route that takes no body of Elysia's reading and is no part of the description. */
export const OTHER_METHODS = { parse: 'none', detail: { hide: true } } as const;
