/** The header fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): the limits, and what is left. */
import { LIMITS } from '../proto/vocabulary.ts';

/** Both limits: requests of the key in a minute, transactions that the account creates in a day. */
export const RATE_LIMIT_POLICY = [
  `"minute";q=${LIMITS.requestsPerMinute};w=${LIMITS.minuteWindowMs / 1000}`,
  `"day";q=${LIMITS.entriesPerDay};w=${LIMITS.dayWindowMs / 1000};qu="transactions"`,
].join(', ');

/**
 * An item of RateLimit.
 * @param remaining requests of the minute, or transactions of the day
 * @param retryAfterS where nothing is left: until something is
 */
export function rateLimit(policy: 'minute' | 'day', remaining: number, retryAfterS?: number): string {
  return `"${policy}";r=${remaining}${retryAfterS === undefined ? '' : `;t=${retryAfterS}`}`;
}
