/** gRPC statuses: the errors that handlers throw, and the only place where any exception becomes a status. */
import { status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type postgres from 'postgres';
import { type ErrorKind, kindOf, loggable } from './database/errors.ts';

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
const CANCELLED = 'cancelled, or its timeout has passed';
export const cancelled = () => new StatusError(status.CANCELLED, CANCELLED);

const STATUSES: Record<Exclude<ErrorKind, 'invalid'>, { code: status; details: string }> = {
  unavailable: { code: status.UNAVAILABLE, details: 'the database is unavailable' },
  aborted: { code: status.ABORTED, details: 'the transaction was aborted, try again' },
  timeout: { code: status.DEADLINE_EXCEEDED, details: 'the database took too long' },
  internal: { code: status.INTERNAL, details: 'internal error' },
};

/** The status for the caller, without internals. Logs every error that is not the caller's. */
export function toStatus(error: unknown, method: string, log: Logger): { code: status; details: string } {
  if (error instanceof StatusError) return { code: error.code, details: error.message };
  if (isAbort(error)) return { code: status.CANCELLED, details: CANCELLED };
  const kind = kindOf(error);
  if (kind === 'invalid') {
    const { code: sqlState, constraint_name: constraint } = error as postgres.PostgresError;
    return {
      code: status.INVALID_ARGUMENT,
      details: `the database refused a value: SQLSTATE ${sqlState}${constraint ? `, ${constraint}` : ''}`,
    };
  }
  log[kind === 'internal' ? 'error' : 'warn']({ err: loggable(error), method }, 'request failed');
  return STATUSES[kind];
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
