/** The requests with an API key, from their arrival until their response is ready: their number, and the context of each. */
import type { Span } from '../../platform/tracing.ts';
import { createQuota, type Reservation } from './quota.ts';

/** The API key of the request, and the account that it belongs to. */
export interface Caller {
  /** SHA-256 of the key. */
  keyHash: Buffer;
  accountId: string;
}

export interface RequestContext {
  /** When the work for the request must be done, in ms since the epoch. */
  deadline: number;
  /** Aborted when the client closes its connection. */
  signal: AbortSignal;
  /** Undefined when the request is not traced. */
  span?: Span | undefined;
}

/** Ends the work for a request whose client has closed its connection. */
export class ClientDisconnected extends Error {}

/**
 * Ends the turn of the event loop. Where a request has its response in the turn in which it arrives, Bun handles all requests that a
 * client has sent ahead in one turn, and frees nothing until its end: 5 GB for 20 connections in 25 s. After a turn, Bun closes
 * a connection that sends ahead.
 */
export { setImmediate as nextTurn } from 'node:timers/promises';

/** Bun's count of requests whose response is not sent in full. */
type Server = { pendingRequests: number };

/** Responses that clients have not read are counted apart: a client that does not read must not block others. */
export interface RequestsInFlight {
  /** False: there are too many. */
  begin(request: Request): boolean;
  /** The caller is known. False: there are too many of the account. */
  assign(request: Request, accountId: string): boolean;
  /** Does nothing for a request that has not begun. */
  end(request: Request): void;
  count(): number;
  /** Responses that clients have not read, those to clients without a key included. */
  unread(server: Server | null): number;
  /** Whether there is room for a request without a key, which `unread` counts already. */
  admitsUnauthenticated(server: Server | null): boolean;
}

// Writes of one account that wait for a lock leave most of the requests to others.
const ACCOUNT_SHARE_MAX = 1 / 8;
const UNAUTHENTICATED_SHARE_MAX = 1 / 2;

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
    admitsUnauthenticated: (server) => unread(server) <= max * UNAUTHENTICATED_SHARE_MAX,
  };
}
