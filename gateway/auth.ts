/** Who is asking: the Authorization header, the key in it, its account (specification: Authentication). */
import { hashApiKey, isWellFormedApiKey } from '../proto/api-key.ts';
import { ApiError } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';

export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

export interface Auth {
  /**
   * Identifies the caller and counts the request against the key's minute.
   * @returns the caller, and how many requests are left in the current minute
   * @throws ApiError missing_key, invalid_key, upgrade_required, rate_limited
   */
  admit(authorization: string | null): Promise<{ caller: Caller; remaining: number }>;
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' };

// A refusal of the minute does not wait longer than this to learn whether the key still works.
const CONFIRM_MS_MAX = 500;

export function createAuth(keyPrefix: string, limits: Limits, ledger: Ledger): Auth {
  const confirming = new Map<string, Promise<unknown>>();

  /** Asks the worker about a key once, for all the refused requests that come meanwhile: a flood costs one question. */
  function confirm(keyHash: Buffer): Promise<unknown> {
    const key = keyHash.toString('hex');
    const underWay = confirming.get(key);
    if (underWay) return underWay;
    const question = ledger.authenticate(keyHash).finally(() => confirming.delete(key));
    confirming.set(key, question);
    return question;
  }

  return {
    async admit(authorization) {
      const keyHash = keyHashOf(authorization, keyPrefix);
      const admission = await limits.admit(keyHash, () => ledger.authenticate(keyHash));
      if (admission.admitted) {
        const { identity, remaining } = admission;
        return { caller: { keyHash, accountId: identity.accountId }, remaining };
      }
      // Whoever lost the key's access is told so, not to wait for a minute that will not come.
      await Promise.race([confirm(keyHash), Bun.sleep(CONFIRM_MS_MAX)]).catch((error) => {
        if (error instanceof ApiError) throw error;
      });
      throw rateLimited(admission.retryAfterMs);
    },
  };
}

/**
 * The hash of the key in an Authorization header. Junk is refused by shape and checksum, without asking anyone.
 * @throws ApiError missing_key, invalid_key
 */
function keyHashOf(authorization: string | null, keyPrefix: string): Buffer {
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

export function invalidKey(message: string): ApiError {
  return new ApiError('invalid_key', message, { headers: WWW_AUTHENTICATE });
}

function rateLimited(retryAfterMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError(
    'rate_limited',
    `This key has made 120 requests within a minute. The next one is admitted in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), 'x-ratelimit-remaining': '0' } },
  );
}
