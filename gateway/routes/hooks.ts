/** Runs before the endpoints: the admission of requests with a key and without, and the methods that a path does not support. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Elysia } from 'elysia';
import type { Span } from '../../platform/tracing.ts';
import type { Admission } from '../access/admission.ts';
import type { Limits } from '../access/limits.ts';
import { ApiError, overloaded } from '../api/errors.ts';
import { minuteHeaders } from '../api/rate-limit-headers.ts';
import type { Quotas } from '../http/quotas.ts';
import type { BodyReader } from '../input/body-reader.ts';
import type { Ledger } from '../ledger/client.ts';

export interface RouteDependencies {
  admission: Admission;
  limits: Limits;
  ledger: Ledger;
  bodyReader: BodyReader;
  quotas: Quotas;
  /** Undefined: the request is not traced. */
  spanOf(request: Request): Span | undefined;
}

export const withKey = ({ admission, spanOf }: RouteDependencies) =>
  new Elysia().resolve({ as: 'scoped' }, async ({ request, set }) => {
    const { caller, context, remaining, entriesLeft } = await admission.admit(request, spanOf(request));
    Object.assign(set.headers, minuteHeaders(remaining));
    return { caller, context, entriesLeft };
  });

export type Unauthenticated = Pick<Admission, 'admitsUnauthenticated'>;

/**
 * Runs before the files that need no key. They have a limit of their own, on responses that their clients have not read, so that
 * clients without a key cannot block callers with one.
 */
export const withoutKey = (admission: Unauthenticated) =>
  new Elysia().onBeforeHandle({ as: 'scoped' }, async ({ server }) => {
    if (!admission.admitsUnauthenticated(server)) throw overloaded({ connection: 'close' });
    // Bun handles requests that a client has sent ahead in one turn of the event loop if they have their responses in it, and frees nothing
    // until its end: 5 GB for 20 connections in 25 s. After a turn, Bun closes a connection that sends ahead.
    await nextTurn();
  });

/**
 * Handles the methods that a path does not support. Must precede `withKey` in a route's chain: Elysia's hooks apply to what
 * follows them, and this needs no key.
 * @param hint added to the message
 */
export function methodNotAllowed(allow: string, hint = '') {
  return () => {
    throw new ApiError('method_not_allowed', `This path supports ${allow}.${hint}`, { headers: { allow } });
  };
}

export const UNPARSED_BODY = { parse: 'none' } as const;
