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
import type { InFlightCounts } from '../../platform/metrics.ts';
import { createQuota, type Quota } from '../../platform/quota.ts';
import { LIMITS } from '../../proto/domain.ts';

export interface Quotas {
  /** From their arrival until their response is ready. A client that reads no response must not block others. */
  requests: Quota;
  /** The same requests from the moment on at which their account is known. */
  accountRequests: Quota;
  /** Unread responses beyond which a request without a key is refused. */
  unauthenticatedMax: number;
  /** Lookups of keys whose account is not known: anybody can invent keys. */
  lookups: Quota;
  /** Requests after their quick attempts: the requests of one unavailable node must not fill the gateway. */
  retries: Quota;
  /** Large bodies, until their response. */
  bodyBytes: Quota;
  /** Large responses, until their clients have read them. Not the quota of bodies: bodies that arrive slowly must block no reader. */
  unreadBytes: Quota;
  inFlight: InFlightCounts;
}

// Writes of one account that wait for a lock, and bodies that arrive slowly, leave most of the requests to others.
const ACCOUNT_SHARE = 1 / 8;
const RETRIES_SHARE = 1 / 8;
const LOOKUPS_SHARE = 1 / 4;
const UNAUTHENTICATED_SHARE = 1 / 2;

/** @param requestsMax of all accounts. @param bytesMax of all accounts */
export function createQuotas(requestsMax: number, bytesMax: number): Quotas {
  const accountBytesMax = Math.max(bytesMax * ACCOUNT_SHARE, LIMITS.bodyBytesMax);
  const lookups = createQuota(Math.ceil(requestsMax * LOOKUPS_SHARE));
  const retries = createQuota(Math.ceil(requestsMax * RETRIES_SHARE));
  const bodyBytes = createQuota(bytesMax, accountBytesMax);
  const unreadBytes = createQuota(bytesMax, accountBytesMax);
  return {
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
