/** Who is asking: the Authorization header, the key in it, its account (specification: Authentication). */
import { hashApiKey, isWellFormedApiKey } from '../../proto/api-key.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError } from '../api/errors.ts';
import { minuteFields } from '../api/rate-limit-headers.ts';
import type { Budget, Ledger } from '../ledger/client.ts';
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
  admit(authorization: string | null, budget: Budget): Promise<{ caller: Caller; remaining: number }>;
  /**
   * Does what precedes the question to the worker. When that refuses the request, a key that lost its access
   * meanwhile is told so instead: the identity it was admitted by may be an old one.
   * @throws ApiError invalid_key, upgrade_required, and what `work` throws
   */
  prepare<Result>(caller: Caller, work: () => Result | Promise<Result>): Promise<Result>;
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' };

// A refusal does not wait longer than this to learn whether the key still works.
const CONFIRM_MS_MAX = 500;
// Its askers are many: none of them may give it up for the others.
const NEVER = new AbortController().signal;

/**
 * @param keyPrefix what the keys of this service begin with
 */
export function createAuth(keyPrefix: string, limits: Limits, ledger: Ledger): Auth {
  const confirming = new Map<string, Promise<unknown>>();

  /**
   * Throws if the worker says that the key has no access. Requests that are refused at the same time share one
   * question; without an answer in time the refusal stands.
   */
  async function requireAccess(keyHash: Buffer): Promise<void> {
    const key = keyHash.toString('hex');
    let question = confirming.get(key);
    if (!question) {
      const budget = { deadline: Date.now() + CONFIRM_MS_MAX, gone: NEVER };
      question = ledger.authenticate(keyHash, budget).finally(() => confirming.delete(key));
      confirming.set(key, question);
    }
    await question.catch((error) => {
      if (error instanceof ApiError) throw error;
    });
  }

  return {
    async admit(authorization, budget) {
      const keyHash = keyHashOf(authorization, keyPrefix);
      const identify = async () => (await ledger.authenticate(keyHash, budget)).accountId;
      const admission = await limits.admit(keyHash, identify, budget.span);
      if (admission.admitted) {
        const { accountId, remaining } = admission;
        return { caller: { keyHash, accountId }, remaining };
      }
      await requireAccess(keyHash);
      throw rateLimited(admission.retryAfterMs);
    },

    async prepare(caller, work) {
      try {
        return await work();
      } catch (error) {
        await requireAccess(caller.keyHash);
        throw error;
      }
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
    `This key has made ${LIMITS.requestsPerMinute} requests within a minute. The next one is admitted in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), ...minuteFields(0, seconds) } },
  );
}
