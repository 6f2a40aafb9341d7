/** The only place where an exception becomes a gRPC status. */
import { status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import postgres from 'postgres';

/** A refusal meant for the caller to read. */
class RequestError extends Error {
  constructor(
    readonly code:
      | status.INVALID_ARGUMENT
      | status.NOT_FOUND
      | status.UNAVAILABLE
      | status.RESOURCE_EXHAUSTED,
    message: string,
  ) {
    super(message);
  }
}

export const invalidArgument = (message: string) => new RequestError(status.INVALID_ARGUMENT, message);
export const notFound = (message: string) => new RequestError(status.NOT_FOUND, message);
export const unavailable = (message: string) => new RequestError(status.UNAVAILABLE, message);
export const full = (message: string) => new RequestError(status.RESOURCE_EXHAUSTED, message);

/** The database answered something else than what was asked. */
export class AnswerLost extends Error {}

/** Whether the same statement may succeed in a moment: a deadlock, a lost connection, a server that starts. */
export function mayPass(error: unknown): boolean {
  const code = statusOf(error);
  return code === status.ABORTED || code === status.UNAVAILABLE;
}

/** What the caller sees of an error: a status, and no internals but those of its own request. */
export function toStatus(error: unknown, method: string, log: Logger): { code: status; details: string } {
  if (error instanceof RequestError) return { code: error.code, details: error.message };

  if (isAbort(error)) return { code: status.CANCELLED, details: 'nobody waited for the answer any more' };
  const code = statusOf(error);
  if (code === status.INVALID_ARGUMENT) {
    const { code: sqlState, constraint_name: constraint } = error as postgres.PostgresError;
    return {
      code,
      details: `the database refused a value: SQLSTATE ${sqlState}${constraint ? `, ${constraint}` : ''}`,
    };
  }
  log[code === status.INTERNAL ? 'error' : 'warn']({ err: withoutValues(error), method }, 'call failed');
  return { code, details: DETAILS[code] };
}

const DETAILS = {
  [status.UNAVAILABLE]: 'the database is out of reach',
  [status.ABORTED]: 'the transaction was aborted, try again',
  [status.DEADLINE_EXCEEDED]: 'the database took too long',
  [status.INTERNAL]: 'internal error',
};

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** By SQLSTATE; what carries none was a failed connection, or a fault of our own. */
function statusOf(error: unknown): keyof typeof DETAILS | status.INVALID_ARGUMENT {
  if (error instanceof AnswerLost) return status.UNAVAILABLE;
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return status.INTERNAL;
  if (!(error instanceof postgres.PostgresError))
    return CONNECTION_FAILED.test(code) ? status.UNAVAILABLE : status.INTERNAL;
  if (/^(40|55P03)/.test(code)) return status.ABORTED;
  if (code === '57014') return status.DEADLINE_EXCEEDED;
  // Lost connections, exhausted resources, a server that stops or starts, a standby that cannot write.
  if (/^(08|53|57P|25006)/.test(code)) return status.UNAVAILABLE;
  if (/^(22|23)/.test(code)) return status.INVALID_ARGUMENT;
  return status.INTERNAL;
}

// Codes of postgres.js (CONNECTION_CLOSED, CONNECT_TIMEOUT ...) and of the socket below it.
const CONNECTION_FAILED = /^(CONNECT|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/;

/** An error of the database carries the statement, and its detail the values of a row: neither belongs in a log. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof postgres.PostgresError)) return error;
  const { name, message, code, severity, routine, constraint_name, where } = error;
  return { name, message, code, severity, routine, constraint_name, where };
}
