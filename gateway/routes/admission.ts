/** What stands before every endpoint: the key, its account, its minute. */
import { Elysia } from 'elysia';
import { admit } from '../auth.ts';
import { ApiError } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import type { Limits } from '../limits.ts';

/** What the routes work with. */
export interface Services {
  keyPrefix: string;
  limits: Limits;
  ledger: Ledger;
}

/** Admits the request, tells how many are left in the minute, and hands the caller to the routes that follow. */
export const admission = (services: Services) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, set }) => {
    const { caller, remaining } = await admit(request.headers.get('authorization'), services);
    set.headers['x-ratelimit-remaining'] = String(remaining);
    return { caller };
  });

/** For the methods that a path does not have. */
export function methodNotAllowed(allow: string) {
  return () => {
    throw new ApiError('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
  };
}

/** Hooks of a route that takes no body of Elysia's reading and is no part of the description. */
export const OTHER_METHODS = { parse: 'none', detail: { hide: true } } as const;
