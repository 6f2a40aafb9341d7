/** The only place where an exception becomes a gRPC status. */
import { status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type postgres from 'postgres';
import { type ErrorKind, kindOf, loggable } from '../database/errors.ts';
import { StatusError } from '../handlers.ts';

const STATUSES: Record<Exclude<ErrorKind, 'invalid'>, { code: status; details: string }> = {
  unavailable: { code: status.UNAVAILABLE, details: 'the database is unavailable' },
  aborted: { code: status.ABORTED, details: 'the transaction was aborted, try again' },
  timeout: { code: status.DEADLINE_EXCEEDED, details: 'the database took too long' },
  internal: { code: status.INTERNAL, details: 'internal error' },
};

/** The status for the caller, without internals. Logs every error that is not the caller's. */
export function toStatus(error: unknown, method: string, log: Logger): { code: status; details: string } {
  if (error instanceof StatusError) return { code: error.code, details: error.message };
  if (isAbort(error)) return { code: status.CANCELLED, details: 'cancelled, or its timeout has passed' };
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
