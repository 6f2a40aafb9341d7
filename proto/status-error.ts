/** Errors that a handler throws for its caller to read: a gRPC status and a message. */
import { status } from '@grpc/grpc-js';

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
