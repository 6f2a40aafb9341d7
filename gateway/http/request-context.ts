/** The context of a request: its caller, and the limits of the work for it. */
import type { Span } from '../../platform/tracing.ts';

/** The API key of the request, and the account that it belongs to. */
export interface Caller {
  /** SHA-256 of the key. */
  keyHash: Buffer;
  accountId: string;
}

export interface RequestContext {
  /** When the work for the request must be done, in ms of performance.now(): the clock may be set meanwhile. */
  deadline: number;
  /** Aborted when the client closes its connection. */
  signal: AbortSignal;
  /** Undefined when the request is not traced. */
  span?: Span | undefined;
}

/** Ends the work for a request whose client has closed its connection. */
export class ClientDisconnected extends Error {}
