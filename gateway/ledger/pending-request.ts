/** A request to the worker, from its queueing to its response. */
import type { status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { LedgerRequest, LedgerResponse__Output as LedgerResponse } from '../../proto/contract.ts';

/** A request failed with a gRPC status. */
export class RpcError extends Error {
  constructor(
    readonly code: status,
    details: string,
  ) {
    super(details);
  }
}

/** The stream that a request was sent on. */
interface RequestStream {
  cancel(request: PendingRequest): void;
  timeOut(request: PendingRequest): void;
  /** The worker's address, as attributes of a span. */
  peer(): Attributes;
}

export class PendingRequest {
  readonly message: LedgerRequest;
  /** Size of the entries in the message. */
  readonly bytes: number;
  /** Rejects with RpcError. */
  readonly response: Promise<LedgerResponse>;
  isSettled = false;
  /** Both are set when the request is sent. */
  stream: RequestStream | undefined;
  index = -1;
  readonly #settle: PromiseWithResolvers<LedgerResponse>;

  constructor(message: LedgerRequest) {
    this.message = message;
    this.bytes = message.createEntries?.entriesJson?.length ?? 0;
    this.#settle = Promise.withResolvers();
    this.response = this.#settle.promise;
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
