/**
 * The requests with an API key, from their arrival until their response is ready. What clients have not read of their responses is
 * another count: a client that does not read must not keep others out.
 */
import { createQuota, type Reservation } from './quota.ts';

/** Of Bun: counts the requests of which a response, or the rest of it, is missing. */
type Server = { pendingRequests: number };

export interface RequestsInFlight {
  /** False: there are too many. */
  begin(request: Request): boolean;
  /** The caller is known. False: there are too many of the account. */
  assign(request: Request, accountId: string): boolean;
  /** Does nothing for a request that has not begun. */
  end(request: Request): void;
  count(): number;
  /** Responses that clients have not read, those to strangers included. */
  unread(server: Server | null): number;
  /** Whether there is room for a request without a key, which `unread` counts already. */
  admitsStranger(server: Server | null): boolean;
}

// Writes of one account that wait for a lock leave most of the requests to others.
const ACCOUNT_SHARE_MAX = 1 / 8;
const STRANGERS_SHARE_MAX = 1 / 2;

/** @param max in all accounts */
export function createRequestsInFlight(max: number): RequestsInFlight {
  const quota = createQuota(max, Math.ceil(max * ACCOUNT_SHARE_MAX));
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
    admitsStranger: (server) => unread(server) <= max * STRANGERS_SHARE_MAX,
  };
}
