/**
 * Multiplexes requests over the streams of the RPC Execute, because a gRPC call costs more than a request.
 *
 *   execute() ──▶ queue ──── end of the event loop's turn ────▶ messages ──▶ the open stream
 *
 *   a request   queued ──▶ sent ──▶ response | failure | timeout | cancelled by its signal
 *
 *   a stream    open ──── 100 ms, or a failure ────▶ closing ──── last response ────▶ ended
 *                 │ takes new requests                 │ takes no new ones
 *                 └──────────── error ─────────────────┴──▶ failed: rejects its pending requests
 *
 * Each stream goes to the next worker (round robin). A stream is short, so that the load spreads over all workers and a
 * worker that shuts down soon gets no more requests.
 */
import { status } from '@grpc/grpc-js';
import type { Span } from '../../platform/tracing.ts';
import type { LedgerClient } from '../../proto/client.ts';
import type { MethodName, RequestOf, ResponseOf } from '../../proto/contract.ts';
import { ELEMENTS_MAX } from '../../proto/message-elements.ts';
import { ExecuteStream } from './execute-stream.ts';
import { PendingRequest, RpcError } from './pending-request.ts';

export interface ExecuteOptions {
  /** ms since the epoch. */
  deadline: number;
  /** Cancels the request. */
  signal?: AbortSignal | undefined;
}

// Longer than any attempt at a request. Ends the call to a worker that has responded to everything and does not end its side.
const STREAM_MS_MAX = 10_000;

export class Multiplexer {
  readonly #client: Pick<LedgerClient, 'execute'>;
  #queue: PendingRequest[] = [];
  #stream: ExecuteStream | undefined;
  #pending = 0;
  #streams = 0;

  constructor(client: Pick<LedgerClient, 'execute'>) {
    this.#client = client;
  }

  /** Requests without an outcome, and calls that have not ended. */
  held(): { requests: number; streams: number } {
    return { requests: this.#pending, streams: this.#streams };
  }

  /**
   * @param span of this request; gets the worker's address
   * @throws RpcError: DEADLINE_EXCEEDED at the deadline, CANCELLED when `signal` aborts, or the worker's status
   */
  async execute<Name extends MethodName>(
    name: Name,
    request: RequestOf<Name>,
    { deadline, signal }: ExecuteOptions,
    span?: Span,
  ): Promise<ResponseOf<Name>> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - Date.now()));
    const pending = new PendingRequest({
      [name]: request,
      timeoutMs,
      ...(span && { trace: span.context() }),
    });
    this.#pending++;
    if (this.#queue.push(pending) === 1) setImmediate(() => this.#flush());

    const timeOut = () => {
      pending.reject(status.DEADLINE_EXCEEDED, 'no response in time');
      pending.stream?.timeOut(pending);
    };
    const cancel = () => {
      pending.reject(status.CANCELLED, 'cancelled by the client');
      pending.stream?.cancel(pending);
    };
    const timer = setTimeout(timeOut, timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const { failure, [name]: response } = await pending.response;
      if (failure) throw new RpcError(failure.code, failure.details);
      if (!response) throw new RpcError(status.INTERNAL, 'the response is of another method');
      return response as ResponseOf<Name>;
    } finally {
      this.#pending--;
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (pending.stream) span?.set(pending.stream.peer());
    }
  }

  #flush(): void {
    const requests = this.#queue.filter(({ isSettled }) => !isSettled);
    this.#queue = [];
    for (const message of messagesOf(requests)) {
      try {
        if (!this.#stream?.isOpen) this.#stream = this.#open();
        this.#stream.send(message);
      } catch (error) {
        for (const request of message) request.reject(status.UNAVAILABLE, (error as Error).message);
      }
    }
  }

  #open(): ExecuteStream {
    const call = this.#client.execute({ deadline: Date.now() + STREAM_MS_MAX });
    this.#streams++;
    call.once('status', () => this.#streams--);
    return new ExecuteStream(call);
  }
}

// Larger messages gain nothing.
const BYTES_MAX = 64 * 1024;

/** Splits requests into messages; one that exceeds BYTES_MAX by itself gets a message of its own. */
function messagesOf(requests: readonly PendingRequest[]): PendingRequest[][] {
  const messages: PendingRequest[][] = [];
  let bytes = 0;
  for (const request of requests) {
    const last = messages.at(-1);
    bytes += request.bytes;
    if (last && last.length < ELEMENTS_MAX && bytes <= BYTES_MAX) {
      last.push(request);
    } else {
      messages.push([request]);
      bytes = request.bytes;
    }
  }
  return messages;
}
