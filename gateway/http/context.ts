/** What the steps of a request share: its caller, its deadline, its abort signal and its span. */
import type { Span } from '../../platform/tracing.ts';

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
