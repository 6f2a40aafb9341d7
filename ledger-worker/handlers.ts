/** The types of the handlers that implement the contract, and the errors that they throw. */
import { status } from '@grpc/grpc-js';
import type { Span } from '../platform/tracing.ts';
import type {
  AdminMethod,
  AdminMethodName,
  LedgerRequest__Output,
  LedgerResponse,
  MethodName,
} from '../proto/contract.ts';

/** The context of a request: its limits, and its trace. */
export interface RequestContext {
  /** Aborted when the client has cancelled the request, or its timeout has passed. */
  signal: AbortSignal;
  /** ms until the timeout; Infinity without one. */
  remainingMs(): number;
  /** Undefined when the request is not traced. */
  span?: Span | undefined;
}

export interface AdminContext extends RequestContext {
  /** The caller, for the log of actions. */
  actor(): string;
}

/** One handler for each method of a LedgerRequest. */
export type LedgerHandlers = {
  [Name in MethodName]: (
    request: NonNullable<LedgerRequest__Output[Name]>,
    context: RequestContext,
  ) => Promise<NonNullable<LedgerResponse[Name]>>;
};

/** One handler for each RPC of the Admin service. */
export type AdminHandlers = {
  [Name in AdminMethodName]: (
    request: AdminMethod<Name>['request'],
    context: AdminContext,
  ) => Promise<AdminMethod<Name>['returned']>;
};

/** An error for the caller to read: a gRPC status and a message. */
export class StatusError extends Error {
  constructor(
    readonly code:
      | status.INVALID_ARGUMENT
      | status.NOT_FOUND
      | status.UNAVAILABLE
      | status.RESOURCE_EXHAUSTED
      | status.CANCELLED,
    message: string,
  ) {
    super(message);
  }
}

export const invalidArgument = (message: string) => new StatusError(status.INVALID_ARGUMENT, message);
export const notFound = (message: string) => new StatusError(status.NOT_FOUND, message);
export const unavailable = (message: string) => new StatusError(status.UNAVAILABLE, message);
export const resourceExhausted = (message: string) => new StatusError(status.RESOURCE_EXHAUSTED, message);
export const cancelled = () => new StatusError(status.CANCELLED, 'cancelled, or its timeout has passed');
