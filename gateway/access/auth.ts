/** Authentication: from the Authorization header to the caller (docs/api/requests.md). */
import { LRUCache } from 'lru-cache';
import type { InFlightCounts } from '../../platform/metrics.ts';
import type { Quota } from '../../platform/quota.ts';
import { hashApiKey, isWellFormedApiKey } from '../../proto/api-key.ts';
import { LIMITS } from '../../proto/domain.ts';
import { ApiError, invalidKey, missingKey, overloaded } from '../api/errors.ts';
import { minuteHeaders, retryAfterSeconds } from '../api/rate-limit-headers.ts';
import type { Caller, RequestContext } from '../http/request-context.ts';
import type { Ledger } from '../ledger/client.ts';
import type { MinuteLimit } from './minute-limit.ts';

export interface Auth {
  /**
   * Identifies the caller and counts the request against the key's minute.
   * @returns the caller, the requests left in the current minute, and for a write the entries that fit the day, if known
   * @throws ApiError missing_key, invalid_key, upgrade_required, rate_limited; server_error (503) at the limit of unknown keys
   */
  admit(
    request: Request,
    context: RequestContext,
  ): Promise<{ caller: Caller; remaining: number; entriesLeft: number | undefined }>;
  /**
   * Runs a check that can refuse the request. Before a refusal is returned, the worker checks the key again: it
   * may have been revoked, and a caller without access must see that error only.
   * @param recheck a request to the worker that also finds errors which come before that of `check`
   * @throws ApiError invalid_key, upgrade_required, and the errors of `check` and `recheck`
   */
  withKeyRecheck<Result>(
    caller: Caller,
    check: () => Result | Promise<Result>,
    recheck?: (context: RequestContext) => Promise<unknown>,
  ): Promise<Result>;
  inFlight: InFlightCounts;
}

// A refusal waits no longer than this for a check of the key, and for an earlier one.
const RECHECK_MS_MAX = 500;
// Requests share a check, so none of them may cancel it.
const NEVER_ABORTED = new AbortController().signal;

/**
 * @param keyPrefix the prefix of this service's keys
 * @param lookups in progress
 */
export function createAuth(
  keyPrefix: string,
  keyAccounts: KeyAccounts,
  minuteLimit: MinuteLimit,
  ledger: Ledger,
  lookups: Quota,
): Auth {
  const pendingChecks = new Map<string, Promise<unknown>>();

  /**
   * Throws if the worker refuses the key. Passes without a response in time. Concurrent checks of a key share one request, which
   * begins after all of them: an earlier response may be older than a revocation.
   */
  async function requireAccess(keyHash: Buffer): Promise<void> {
    const key = keyHash.toString('hex');
    await pendingChecks.get(key)?.catch(() => {});
    let check = pendingChecks.get(key);
    if (!check) {
      check = ledger.authenticate(keyHash, recheckContext()).finally(() => pendingChecks.delete(key));
      pendingChecks.set(key, check);
    }
    await check.catch(passUnlessRefused);
  }

  /** The account of an unknown key, from the worker. */
  async function lookUp(keyHash: Buffer, context: RequestContext): Promise<string> {
    // These requests are in flight, and do not count towards an account yet.
    const slot = lookups.open();
    if (!slot.raise(1)) throw overloaded();
    try {
      return (await ledger.authenticate(keyHash, context)).accountId;
    } finally {
      slot.close();
    }
  }

  return {
    async admit({ headers, method }, context) {
      const keyHash = keyHashOf(headers.get('authorization'), keyPrefix);
      const isWrite = method === 'POST';
      const accountId = await keyAccounts.accountOf(keyHash, () => lookUp(keyHash, context));
      const caller = { keyHash, accountId };
      const admission = await minuteLimit.admit(caller, { isWrite, span: context.span });
      if (admission.admitted) return { caller, ...admission };
      // 401 and 403 come before 429.
      await requireAccess(keyHash);
      throw rateLimited(admission.retryAfterMs);
    },

    async withKeyRecheck(caller, check, recheck) {
      try {
        return await check();
      } catch (error) {
        // A refusal must not hide that access was lost. A fault of the service is reported at once.
        if (error instanceof ApiError && error.status < 500) {
          await (recheck?.(recheckContext()).catch(passUnlessRefused) ?? requireAccess(caller.keyHash));
        }
        throw error;
      }
    },

    inFlight: { key_checks: () => pendingChecks.size },
  };
}

const recheckContext = () => ({ deadline: Date.now() + RECHECK_MS_MAX, signal: NEVER_ABORTED });

/** Without a response in time, a check passes. */
function passUnlessRefused(error: unknown): void {
  if (error instanceof ApiError) throw error;
}

/**
 * The hash of the key in an Authorization header. Shape and checksum are checked here, without a lookup.
 * @throws ApiError missing_key, invalid_key
 */
function keyHashOf(authorization: string | null, keyPrefix: string): Buffer {
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(authorization ?? '');
  if (!bearer) throw missingKey();
  const key = bearer[1]?.trim() ?? '';
  if (!isWellFormedApiKey(keyPrefix, key)) {
    throw invalidKey('The API key is malformed: copy it whole, or create a new one in the app.');
  }
  return hashApiKey(key);
}

function rateLimited(retryAfterMs: number): ApiError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new ApiError(
    'rate_limited',
    `This key has made ${LIMITS.requestsPerMinute} requests within a minute. The next one is admitted in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), ...minuteHeaders(0, seconds) } },
  );
}

/**
 * The account of each key that this process has seen, so that the keys of the limits in Redis are known without a request to the
 * worker. It decides nothing: the worker checks the key in the transaction that does the work.
 */
export interface KeyAccounts {
  /** @param identify gets the account from the worker if it is not remembered. @throws the error of `identify` */
  accountOf(keyHash: Buffer, identify: () => Promise<string>): Promise<string>;
  /** Called when the worker refuses the key. */
  forget(keyHash: Buffer): void;
}

const ACCOUNTS_MAX = 50_000;
const ACCOUNT_TTL_MS = 5 * 60 * 1000;

/** @param clock in ms */
export function rememberKeyAccounts(clock: { now(): number } = performance): KeyAccounts {
  const accounts = new LRUCache<string, string>({
    max: ACCOUNTS_MAX,
    ttl: ACCOUNT_TTL_MS,
    // Otherwise each lookup starts a timer.
    ttlResolution: 0,
    perf: clock,
  });
  const nameOf = (keyHash: Buffer) => keyHash.toString('base64');
  return {
    async accountOf(keyHash, identify) {
      const name = nameOf(keyHash);
      const remembered = accounts.get(name);
      if (remembered !== undefined) return remembered;
      const accountId = await identify();
      accounts.set(name, accountId);
      return accountId;
    },
    forget(keyHash) {
      accounts.delete(nameOf(keyHash));
    },
  };
}
