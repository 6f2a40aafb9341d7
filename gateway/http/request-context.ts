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

/**
 * Ends the turn of the event loop. Where a request has its response in the turn in which it arrives, Bun handles all requests that a
 * client has sent ahead in one turn, and frees nothing until its end: 5 GB for 20 connections in 25 s. After a turn, Bun closes
 * a connection that sends ahead.
 */
export { setImmediate as nextTurn } from 'node:timers/promises';
