/** The header fields that tell of the limits: X-RateLimit-Remaining, and those of draft-ietf-httpapi-ratelimit-headers. */
import { LIMITS } from '../../proto/vocabulary.ts';
import type { ApiError } from './errors.ts';

// Requests of the key in a minute, and transactions that the account creates in a day.
export const RATE_LIMIT_POLICY = [
  `"minute";q=${LIMITS.requestsPerMinute};w=${LIMITS.minuteWindowMs / 1000}`,
  `"day";q=${LIMITS.entriesPerDay};w=${LIMITS.dayWindowMs / 1000};qu="transactions"`,
].join(', ');

type Fields = Record<string, string | number | undefined>;

/**
 * What is left of the key's minute.
 * @param retryAfterS where nothing is left: until something is
 */
export function minuteFields(remaining: number, retryAfterS?: number) {
  return {
    'x-ratelimit-remaining': String(remaining),
    'ratelimit-policy': RATE_LIMIT_POLICY,
    ratelimit: item('minute', remaining, retryAfterS),
  };
}

/**
 * `fields` with what is left of the account's day: an item of RateLimit beside that of the minute.
 * @param remaining transactions
 * @param retryAfterS where nothing is left: until something is
 */
export function withDay<Known extends Fields>(fields: Known, remaining: number, retryAfterS?: number): Known {
  return { ...fields, ratelimit: `${fields.ratelimit}, ${item('day', remaining, retryAfterS)}` };
}

/** The fields of an admitted request once it has failed. */
export function afterError<Known extends Fields>(
  fields: Known,
  { status, code, fields: told }: ApiError,
): Known {
  if (code === 'daily_cap') {
    const { remaining, retryAfterSeconds } = told as { remaining: number; retryAfterSeconds: number };
    return withDay(fields, remaining, remaining === 0 ? retryAfterSeconds : undefined);
  }
  if (status !== 401 && status !== 403) return fields;
  // A key that lost its access while a cache still knew it is answered like one that never had any.
  const { 'x-ratelimit-remaining': _, 'ratelimit-policy': __, ratelimit: ___, ...rest } = fields;
  return rest as Known;
}

function item(policy: 'minute' | 'day', remaining: number, retryAfterS?: number): string {
  return `"${policy}";r=${remaining}${retryAfterS === undefined ? '' : `;t=${retryAfterS}`}`;
}
