/** What stands before every endpoint: the key, its account, its minute. */
import { Elysia } from 'elysia';
import type { Auth } from '../auth.ts';
import { ApiError } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import type { Limits } from '../limits.ts';

/** What the routes work with. */
export interface Services {
  auth: Auth;
  limits: Limits;
  ledger: Ledger;
}

/** Admits the request, tells how many are left in the minute, and hands the caller to the routes that follow. */
export const admission = ({ auth }: Services) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, set }) => {
    // Somebody's books are nothing for a cache to keep.
    set.headers['cache-control'] = 'no-store';
    const { caller, remaining } = await auth.admit(request.headers.get('authorization'));
    set.headers['x-ratelimit-remaining'] = String(remaining);
    return { caller };
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
