/** Response headers about the limits: X-RateLimit-Remaining, and the headers of draft-ietf-httpapi-ratelimit-headers. */
import { LIMITS } from '../../proto/domain.ts';
import type { ApiError } from './errors.ts';

// Requests per minute and key, and transactions created per day and account.
export const RATE_LIMIT_POLICY = [
  `"minute";q=${LIMITS.requestsPerMinute};w=${LIMITS.minuteWindowMs / 1000}`,
  `"day";q=${LIMITS.entriesPerDay};w=${LIMITS.dayWindowMs / 1000};qu="transactions"`,
].join(', ');

type Headers = Record<string, string | number | undefined>;

/**
 * The headers about the key's minute.
 * @param remaining requests
 * @param retryAfterS seconds until a request is admitted; only when none remains
 */
export function minuteHeaders(remaining: number, retryAfterS?: number) {
  return {
    'x-ratelimit-remaining': String(remaining),
    'ratelimit-policy': RATE_LIMIT_POLICY,
    ratelimit: item('minute', remaining, retryAfterS),
  };
}

/**
 * `headers` with an item about the account's day in RateLimit.
 * @param remaining transactions
 * @param retryAfterS seconds until a transaction fits; only when none remains
 */
export function withDailyCap<Known extends Headers>(
  headers: Known,
  remaining: number,
  retryAfterS?: number,
): Known {
  return { ...headers, ratelimit: `${headers.ratelimit}, ${item('day', remaining, retryAfterS)}` };
}

/** The headers of an admitted request that failed. */
export function errorHeaders<Known extends Headers>(
  headers: Known,
  { status, code, fields }: ApiError,
): Known {
  if (code === 'daily_cap') {
    const { remaining, retryAfterSeconds } = fields as { remaining: number; retryAfterSeconds: number };
    return withDailyCap(headers, remaining, remaining === 0 ? retryAfterSeconds : undefined);
  }
  if (status !== 401 && status !== 403) return headers;
  // A key that was revoked while its account was remembered gets the same response as one that never existed.
  const { 'x-ratelimit-remaining': _, 'ratelimit-policy': __, ratelimit: ___, ...rest } = headers;
  return rest as Known;
}

/** Whole seconds, at least 1, for Retry-After. */
export const retryAfterSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function item(policy: 'minute' | 'day', remaining: number, retryAfterS?: number): string {
  return `"${policy}";r=${remaining}${retryAfterS === undefined ? '' : `;t=${retryAfterS}`}`;
}
