/** The error codes of the API, and the one class that renders them (specification: Errors). */
import { LIMITS } from '../../proto/vocabulary.ts';

/** The limit of a body in MiB, for messages. */
export const BODY_MIB_MAX = LIMITS.bodyBytesMax / 1024 / 1024;

interface ErrorKind {
  status: number;
  /** For the API's description. */
  when: string;
}

export const ERRORS = {
  missing_key: { status: 401, when: 'There is no `Authorization: Bearer` header.' },
  invalid_key: { status: 401, when: 'The key is malformed, unknown or revoked.' },
  upgrade_required: { status: 403, when: "The account's plan does not include API access." },
  not_found: { status: 404, when: 'No such path, or the API is not enabled here.' },
  source_not_found: { status: 404, when: 'The id is not a source of this account.' },
  method_not_allowed: { status: 405, when: 'The path exists, but not with this method.' },
  invalid_request: {
    status: 400,
    when: 'The `Host` header is malformed or repeated.',
  },
  invalid_json: { status: 400, when: 'The body is not valid JSON.' },
  invalid_idempotency_key: { status: 400, when: 'The `Idempotency-Key` header is malformed.' },
  request_timeout: { status: 408, when: 'The body did not arrive in time.' },
  payload_too_large: { status: 413, when: `The body is larger than ${BODY_MIB_MAX} MiB.` },
  unsupported_encoding: { status: 415, when: 'The body is compressed.' },
  invalid_query: {
    status: 422,
    when: 'A query parameter is unknown, repeated, malformed or out of range; see `issues`.',
  },
  invalid_source_type: { status: 422, when: '`sourceType` is not one of the three source types.' },
  empty_body: { status: 422, when: 'The array is empty.' },
  too_many: {
    status: 422,
    when: `There are more than ${LIMITS.entriesPerRequest} transactions in one request.`,
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The `Idempotency-Key` was used for another request within 24 hours.',
  },
  invalid_transaction: { status: 422, when: 'A field fails validation; see `issues`.' },
  invalid_category: {
    status: 422,
    when: "A category key is not valid for the source's type; see `validCategories`.",
  },
  rate_limited: {
    status: 429,
    when: `There were more than ${LIMITS.requestsPerMinute} requests in a minute on this key.`,
  },
  daily_cap: {
    status: 429,
    when: `The request would exceed ${LIMITS.entriesPerDay} transactions written in 24 hours.`,
  },
  server_error: { status: 500, when: 'The service failed. It is safe to send the request again.' },
} as const satisfies Record<string, ErrorKind>;

/** The status of a server_error that is transient. */
export const UNAVAILABLE = 503;

export type ErrorCode = keyof typeof ERRORS;

/** The most issues that one response lists. */
export const ISSUES_MAX = 100;

/** One fault of a request. `path` is a JSON pointer into the body or the query. */
export interface Issue {
  path: string;
  message: string;
}

interface ApiErrorOptions {
  /** Members of `error` beside code and message. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Overrides the status of ERRORS. */
  status?: number;
  cause?: unknown;
}

/** An error that the client is meant to see. Anything else that is thrown becomes a server_error. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { fields = {}, headers = {}, status = ERRORS[code].status, cause }: ApiErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }

  /** The body of the response (specification: Errors). */
  render() {
    return { error: { code: this.code, message: this.message, ...this.fields } };
  }
}

/** Hides the cause, which is in the log under the request id. */
export function serverError(requestId: string, cause: unknown): ApiError {
  return new ApiError(
    'server_error',
    `The service failed (request ${requestId}). It is safe to send the request again: a batch is stored whole or not at all, and entries with an externalRef, or sent under the same Idempotency-Key, are never stored twice.`,
    { cause, ...(cause instanceof Unavailable && TRANSIENT) },
  );
}

/** A transient fault of the service. */
export class Unavailable extends Error {}

const TRANSIENT = { status: UNAVAILABLE, headers: { 'retry-after': '1' } };

/**
 * The process is at one of its limits. Nothing was done for the request.
 * @param headers in addition to Retry-After
 */
export function overloaded(headers: Record<string, string> = {}): ApiError {
  return new ApiError(
    'server_error',
    'Too many requests are in progress. Nothing was done: send the request again in a second.',
    { ...TRANSIENT, headers: { ...TRANSIENT.headers, ...headers } },
  );
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' };

export function missingKey(): ApiError {
  return new ApiError('missing_key', 'Send the API key in the header `Authorization: Bearer <API_KEY>`.', {
    headers: WWW_AUTHENTICATE,
  });
}

export function invalidKey(message: string): ApiError {
  return new ApiError('invalid_key', message, { headers: WWW_AUTHENTICATE });
}
