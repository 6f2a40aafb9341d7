/**
 * The gateway's quotas of requests and memory in flight. Beyond a quota a request gets 503 at once, so that neither an account nor clients
 * without a key take what others need.
 *
 *   quota                                    at most                   of it for one account
 *   requests with a key                      REQUESTS_IN_FLIGHT_MAX    an eighth
 *   unread responses, for paths without key  half of it
 *   lookups of keys of unknown accounts      a quarter of it
 *   requests that try again                  an eighth of it
 *   bytes of large bodies                    BYTES_IN_FLIGHT_MAX       an eighth, or one body of the largest size
 *   bytes of large responses left unread     BYTES_IN_FLIGHT_MAX       an eighth, or 5 MiB
 */
import { createQuota } from '../../platform/quota.ts';
import { LIMITS } from '../../proto/domain.ts';

export type Quotas = ReturnType<typeof createQuotas>;

// Writes of one account that wait for a lock, and bodies that arrive slowly, leave most of the requests to others.
const ACCOUNT_SHARE = 1 / 8;
const RETRIES_SHARE = 1 / 8;
const LOOKUPS_SHARE = 1 / 4;
const UNAUTHENTICATED_SHARE = 1 / 2;

/** @param requestsMax of all accounts. @param bytesMax of all accounts */
export function createQuotas(requestsMax: number, bytesMax: number) {
  const accountBytesMax = Math.max(bytesMax * ACCOUNT_SHARE, LIMITS.bodyBytesMax);
  // Of keys whose account is not known: anybody can invent keys.
  const lookups = createQuota(Math.ceil(requestsMax * LOOKUPS_SHARE));
  // After the quick attempts: the requests of one unavailable node must not fill the gateway.
  const retries = createQuota(Math.ceil(requestsMax * RETRIES_SHARE));
  const bodyBytes = createQuota(bytesMax, accountBytesMax);
  // Not the quota of bodies: bodies that arrive slowly must block no reader.
  const unreadBytes = createQuota(bytesMax, accountBytesMax);
  return {
    // Until the response is ready, not until it is read: a client that reads no response must not block others.
    requests: createQuota(requestsMax),
    accountRequests: createQuota(requestsMax, Math.ceil(requestsMax * ACCOUNT_SHARE)),
    unauthenticatedMax: requestsMax * UNAUTHENTICATED_SHARE,
    lookups,
    retries,
    bodyBytes,
    unreadBytes,
    inFlight: {
      key_lookups: lookups.used,
      requests_retrying: retries.used,
      body_accounts: bodyBytes.accounts,
      unread_bytes: unreadBytes.used,
      unread_accounts: unreadBytes.accounts,
    },
  };
}
