/** Who is asking: the Authorization header, the key in it, its account (specification: Authentication). */
import { hashApiKey, isWellFormedApiKey } from '../proto/api-key.ts';
import { ApiError } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';

export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' };

export const invalidKey = (message: string) =>
  new ApiError('invalid_key', message, { headers: WWW_AUTHENTICATE });

/**
 * The hash of the key in an Authorization header. Junk is refused by shape and checksum, without asking anyone.
 * @throws ApiError missing_key, invalid_key
 */
export function keyHashOf(authorization: string | null, keyPrefix: string): Buffer {
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(authorization ?? '');
  if (!bearer) {
    throw new ApiError('missing_key', 'Send the API key in the header `Authorization: Bearer <API_KEY>`.', {
      headers: WWW_AUTHENTICATE,
    });
  }
  const key = bearer[1]?.trim() ?? '';
  if (!isWellFormedApiKey(keyPrefix, key)) {
    throw invalidKey('The API key is malformed: copy it whole, or create a new one in the app.');
  }
  return hashApiKey(key);
}

/**
 * Identifies the caller and counts the request against the key's minute.
 * @returns the caller, and how many requests are left in the current minute
 * @throws ApiError missing_key, invalid_key, upgrade_required, rate_limited
 */
export async function admit(
  authorization: string | null,
  { keyPrefix, limits, ledger }: { keyPrefix: string; limits: Limits; ledger: Ledger },
): Promise<{ caller: Caller; remaining: number }> {
  const keyHash = keyHashOf(authorization, keyPrefix);
  const { admitted, identity, remaining, retryAfterMs } = await limits.admit(keyHash, () =>
    ledger.authenticate(keyHash),
  );
  if (!admitted || !identity) throw rateLimited(retryAfterMs);
  return { caller: { keyHash, accountId: identity.accountId }, remaining };
}

function rateLimited(retryAfterMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError(
    'rate_limited',
    `This key has made 120 requests within a minute. The next one is admitted in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), 'x-ratelimit-remaining': '0' } },
  );
}
