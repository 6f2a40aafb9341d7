/**
 * The gateway's limits on requests and memory in flight. Beyond a limit a request gets 503 at once, so that neither an account nor clients
 * without a key take what others need.
 *
 *   limit                                        at most                       of it for one account
 *   requests in flight                           REQUESTS_IN_FLIGHT_MAX        an eighth
 *   responses left unread, for paths without key half of it
 *   lookups of keys whose account is not known   a quarter of it
 *   requests that try again                      an eighth of it
 *   bytes of large bodies                        BYTES_IN_FLIGHT_MAX           an eighth, or one body of the largest size
 *   bytes of large responses left unread         BYTES_IN_FLIGHT_MAX           an eighth, or 5 MiB
 */
import type { InFlightCounts } from '../../platform/metrics.ts';
import { createQuota, type Quota, type Reservation } from '../../platform/quota.ts';
import { LIMITS } from '../../proto/domain.ts';

export interface Limits {
  requests: RequestsInFlight;
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

/** @param requestsMax and bytesMax: in all accounts */
export function createLimits(requestsMax: number, bytesMax: number): Limits {
  const lookups = createQuota(Math.ceil(requestsMax * LOOKUPS_SHARE));
  const retries = createQuota(Math.ceil(requestsMax * RETRIES_SHARE));
  const [bodyBytes, unreadBytes] = [createByteQuota(bytesMax), createByteQuota(bytesMax)];
  return {
    requests: createRequestsInFlight(requestsMax),
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

/** Bun's count of requests whose response is not sent in full. */
type Server = { pendingRequests: number };

/**
 * The requests with an API key, from their arrival until their response is ready. Responses that clients have not read are counted apart: a
 * client that does not read must not block others.
 */
export interface RequestsInFlight {
  /** False: there are too many. */
  begin(request: Request): boolean;
  /** The caller is known. False: there are too many of the account. */
  assign(request: Request, accountId: string): boolean;
  /** Does nothing for a request that has not begun. */
  end(request: Request): void;
  count(): number;
  /** Responses that clients have not read, with a key or without. */
  unread(server: Server | null): number;
  /** Whether there is room for a request without a key, which `unread` counts already. */
  admitsUnauthenticated(server: Server | null): boolean;
}

function createRequestsInFlight(max: number): RequestsInFlight {
  const quota = createQuota(max, Math.ceil(max * ACCOUNT_SHARE));
  const begun = new Map<Request, Reservation | undefined>();
  const unread = (server: Server | null) => {
    // The work for a client that has disconnected may continue.
    const connected = [...begun.keys()].filter(({ signal }) => !signal.aborted);
    return (server?.pendingRequests ?? 0) - connected.length;
  };
  return {
    begin(request) {
      if (begun.size >= max) return false;
      begun.set(request, undefined);
      return true;
    },
    assign(request, accountId) {
      const reservation = quota.open(accountId);
      begun.set(request, reservation);
      return reservation.raise(1);
    },
    end(request) {
      begun.get(request)?.close();
      begun.delete(request);
    },
    count: () => begun.size,
    unread,
    admitsUnauthenticated: (server) => unread(server) <= max * UNAUTHENTICATED_SHARE,
  };
}

function createByteQuota(bytesMax: number): Quota {
  return createQuota(bytesMax, Math.max(bytesMax * ACCOUNT_SHARE, LIMITS.bodyBytesMax));
}
