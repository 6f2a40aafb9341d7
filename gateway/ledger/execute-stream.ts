/** One call of the RPC Execute to one worker. multiplexer.ts shows its states. */
import { type ServiceError, status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { ExecuteCall } from '../../proto/client.ts';
import type {
  ExecuteResponse__Output as ExecuteResponse,
  LedgerResponse__Output as LedgerResponse,
} from '../../proto/contract.ts';
import type { PendingRequest } from './pending-request.ts';

const OPEN_MS = 100;

export class ExecuteStream {
  readonly #call: ExecuteCall;
  readonly #pending = new Map<number, PendingRequest>();
  #sentCount = 0;
  readonly #timer: Timer;
  #hasResponded = false;
  #hasCancelled = false;
  /** Takes new requests. */
  isOpen = true;

  constructor(call: ExecuteCall) {
    this.#call = call;
    call.on('data', ({ responses }: ExecuteResponse) => this.#receive(responses));
    call.on('error', ({ code, message }: ServiceError) => this.#fail(code, message));
    call.on('end', () => this.#fail(status.INTERNAL, 'the worker ended the stream without a response'));
    this.#timer = setTimeout(() => this.#close(), OPEN_MS);
  }

  send(requests: readonly PendingRequest[]): void {
    for (const request of requests) {
      request.stream = this;
      request.index = this.#sentCount++;
      this.#pending.set(request.index, request);
    }
    this.#call.write({ requests: requests.map(({ message }) => message) });
  }

  /** Empty while there is no connection: gRPC then has only the target's name. */
  peer(): Attributes {
    const [, address, port] = /^\[?([\d.]+|[\da-f:]+)\]?:(\d+)$/.exec(this.#call.getPeer()) ?? [];
    return address ? { 'network.peer.address': address, 'network.peer.port': Number(port) } : {};
  }

  /** Sends the cancellation to the worker. */
  cancel({ index }: PendingRequest): void {
    if (!this.#pending.delete(index)) return;
    this.#hasCancelled = true;
    this.#call.write({ cancelled: [index] });
    this.#endIfDone();
  }

  /** Cancels the request, or the whole call if the worker has never responded. */
  timeOut(request: PendingRequest): void {
    if (this.#hasResponded) {
      this.cancel(request);
      return;
    }
    // gRPC may still hold the message back for lack of a connection. A worker that comes back must not execute it.
    this.#pending.delete(request.index);
    this.isOpen = false;
    this.#call.cancel();
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
    if (this.isOpen || this.#pending.size > 0 || this.#call.writableEnded) return;
    clearTimeout(this.#timer);
    // After a cancelled request the worker may never end its side.
    if (this.#hasCancelled) this.#call.cancel();
    else this.#call.end();
  }

  #fail(code: status, details: string): void {
    this.isOpen = false;
    clearTimeout(this.#timer);
    for (const request of this.#pending.values()) request.reject(code, details);
    this.#pending.clear();
  }
}
