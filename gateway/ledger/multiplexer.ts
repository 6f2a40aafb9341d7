/**
 * Multiplexes requests over the streams of the RPC Execute, because a gRPC stream costs more than a request.
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
import { type ServiceError, status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { Span } from '../../platform/tracing.ts';
import type { ExecuteStream, LedgerClient } from '../../proto/client.ts';
import {
  type ExecuteResponse__Output as ExecuteResponse,
  type LedgerRequest,
  type LedgerResponse__Output as LedgerResponse,
  type MethodName,
  messagesOf,
  type RequestOf,
  type ResponseOf,
} from '../../proto/contract.ts';

export class RpcError extends Error {
  constructor(
    readonly code: status,
    details: string,
  ) {
    super(details);
  }
}

export interface ExecuteOptions {
  /** In ms of performance.now(). */
  deadline: number;
  signal?: AbortSignal | undefined;
}

// Longer than any attempt at a request. Ends the stream to a worker that has responded to everything and does not end its side.
const STREAM_MS_MAX = 10_000;

export class Multiplexer {
  readonly #client: Pick<LedgerClient, 'execute'>;
  #queue: PendingRequest[] = [];
  #stream: WorkerStream | undefined;
  #pending = 0;
  #streams = 0;

  constructor(client: Pick<LedgerClient, 'execute'>) {
    this.#client = client;
  }

  /** Requests without an outcome, and streams that have not ended. */
  inFlight(): { requests: number; streams: number } {
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
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
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
    for (const message of messagesOf(requests, BYTES_MAX, ({ bytes }) => bytes)) {
      try {
        if (!this.#stream?.isOpen) this.#stream = this.#open();
        this.#stream.send(message);
      } catch (error) {
        for (const request of message) request.reject(status.UNAVAILABLE, (error as Error).message);
      }
    }
  }

  #open(): WorkerStream {
    const stream = this.#client.execute({ deadline: Date.now() + STREAM_MS_MAX });
    this.#streams++;
    stream.once('status', () => this.#streams--);
    return new WorkerStream(stream);
  }
}

// Larger messages gain nothing.
const BYTES_MAX = 64 * 1024;

class PendingRequest {
  isSettled = false;
  /** Both are set when the request is sent. */
  stream: WorkerStream | undefined;
  index = -1;
  readonly #settle = Promise.withResolvers<LedgerResponse>();
  readonly response = this.#settle.promise;

  constructor(readonly message: LedgerRequest) {}

  get bytes(): number {
    return this.message.createEntries?.entriesJson?.length ?? 0;
  }

  resolve(response: LedgerResponse): void {
    this.isSettled = true;
    this.#settle.resolve(response);
  }

  reject(code: status, details: string): void {
    this.isSettled = true;
    this.#settle.reject(new RpcError(code, details));
  }
}

// A stream takes new requests for this time.
const OPEN_MS = 100;

class WorkerStream {
  readonly #stream: ExecuteStream;
  readonly #pending = new Map<number, PendingRequest>();
  #sentCount = 0;
  readonly #timer: Timer;
  #hasResponded = false;
  #hasCancelled = false;
  isOpen = true;

  constructor(stream: ExecuteStream) {
    this.#stream = stream;
    stream.on('data', ({ responses }: ExecuteResponse) => this.#receive(responses));
    stream.on('error', ({ code, message }: ServiceError) => this.#fail(code, message));
    stream.on('end', () => this.#fail(status.INTERNAL, 'the worker ended the stream without a response'));
    this.#timer = setTimeout(() => this.#close(), OPEN_MS);
  }

  send(requests: readonly PendingRequest[]): void {
    for (const request of requests) {
      request.stream = this;
      request.index = this.#sentCount++;
      this.#pending.set(request.index, request);
    }
    this.#stream.write({ requests: requests.map(({ message }) => message) });
  }

  /** Empty while there is no connection: gRPC then has only the target's name. */
  peer(): Attributes {
    const [, address, port] = /^\[?([\d.]+|[\da-f:]+)\]?:(\d+)$/.exec(this.#stream.getPeer()) ?? [];
    return address ? { 'network.peer.address': address, 'network.peer.port': Number(port) } : {};
  }

  cancel({ index }: PendingRequest): void {
    if (!this.#pending.delete(index)) return;
    this.#hasCancelled = true;
    this.#stream.write({ cancelled: [index] });
    this.#endIfDone();
  }

  /** Cancels the request, or the whole stream if the worker has never responded. */
  timeOut(request: PendingRequest): void {
    if (this.#hasResponded) {
      this.cancel(request);
      return;
    }
    // gRPC may still hold the message back for lack of a connection. A worker that comes back must not execute it.
    this.#pending.delete(request.index);
    this.#stream.cancel();
  }

  #receive(responses: readonly LedgerResponse[]): void {
    this.#hasResponded = true;
    for (const response of responses) {
      const request = this.#pending.get(response.index);
      if (request === undefined) continue;
      this.#pending.delete(response.index);
      request.resolve(response);
      // The retry must reach another worker.
      if (response.failure) this.isOpen = false;
    }
    this.#endIfDone();
  }

  #close(): void {
    this.isOpen = false;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.isOpen || this.#pending.size > 0 || this.#stream.writableEnded) return;
    clearTimeout(this.#timer);
    // After a cancelled request the worker may never end its side.
    if (this.#hasCancelled) this.#stream.cancel();
    else this.#stream.end();
  }

  #fail(code: status, details: string): void {
    this.isOpen = false;
    clearTimeout(this.#timer);
    for (const request of this.#pending.values()) request.reject(code, details);
    this.#pending.clear();
  }
}
