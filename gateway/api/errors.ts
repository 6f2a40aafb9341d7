/** The error codes of the API, and the one class that renders them (docs/api/errors.md). */
import { LIMITS } from '../../proto/domain.ts';

/** The limit of a body in MiB, for messages. */
export const BODY_MIB_MAX = LIMITS.bodyBytesMax / 1024 / 1024;

interface ErrorKind {
  status: number;
  /** The cause, for the API's description. */
  when: string;
  /** The correction, for the client. A test compares both texts with docs/api/error-codes.md. */
  remedy: string;
}

export const ERRORS = {
  missing_key: {
    status: 401,
    when: 'The request has no `Authorization: Bearer` header.',
    remedy: 'Send the key in this header, and nowhere else.',
  },
  invalid_key: {
    status: 401,
    when: 'The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.',
    remedy: 'Check that the key is complete. If it is, it no longer works: create a new one in the app.',
  },
  upgrade_required: {
    status: 403,
    when: "The account's plan does not include API access.",
    remedy: 'Change the plan in the app.',
  },
  not_found: {
    status: 404,
    when: 'There is no such path, or the API is switched off in this environment.',
    remedy: 'Compare the path with the reference. Every path begins with `/api/v1`.',
  },
  source_not_found: {
    status: 404,
    when: 'The account of the key has no source with this id, or the source was removed.',
    remedy: 'Take the id from `GET /api/v1/sources`.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  invalid_request: {
    status: 400,
    when: 'The `Host` header is malformed or repeated.',
    remedy: 'Send one `Host` header with the name or address of the service.',
  },
  invalid_json: {
    status: 400,
    when: 'The body is not JSON in UTF-8, or is declared as another content type.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The `Idempotency-Key` header is malformed.',
    remedy: `Send one word of 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, for example a UUID.`,
  },
  request_timeout: {
    status: 408,
    when: 'The body did not arrive within 30 seconds. The connection is closed.',
    remedy: 'Send the request again, with fewer entries if your connection is slow.',
  },
  payload_too_large: {
    status: 413,
    when: `The body is larger than ${BODY_MIB_MAX} MiB.`,
    remedy: 'Send the entries in several requests.',
  },
  unsupported_encoding: {
    status: 415,
    when: 'The body is compressed.',
    remedy: 'Send the body without `Content-Encoding`.',
  },
  invalid_query: {
    status: 422,
    when: 'A query parameter is unknown, repeated, malformed or out of range.',
    remedy: 'Correct the parameters that `issues` names.',
  },
  invalid_source_type: {
    status: 422,
    when: '`sourceType` is not one of the three source types.',
    remedy: 'Use `uk-property`, `foreign-property` or `self-employment`.',
  },
  empty_body: {
    status: 422,
    when: 'The array has no entries.',
    remedy: 'Send at least one entry. With nothing to send, send no request.',
  },
  too_many: {
    status: 422,
    when: `The array has more than ${LIMITS.entriesPerRequest} entries.`,
    remedy: `Send at most ${LIMITS.entriesPerRequest} entries in a request.`,
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The account used the `Idempotency-Key` for another request within 24 hours.',
    remedy: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  invalid_transaction: {
    status: 422,
    when: 'One or more fields are invalid. Nothing was created.',
    remedy: 'Correct the fields that `issues` names, and send the whole request again.',
  },
  invalid_category: {
    status: 422,
    when: "One or more categories are not accepted for the source's type and the entry's type. Nothing was created.",
    remedy: 'Use one of `validCategories`, or omit `category` to send the entry to the review queue.',
  },
  rate_limited: {
    status: 429,
    when: `The key has used its ${LIMITS.requestsPerMinute} requests of the last 60 seconds.`,
    remedy: 'Wait for the seconds of `Retry-After`, then send the request again.',
  },
  daily_cap: {
    status: 429,
    when: `The entries do not fit in the ${LIMITS.entriesPerDay} that the account can create in 24 hours. Nothing was created.`,
    remedy: 'Send at most `remaining` entries now, or the same request after `retryAfterSeconds`.',
  },
  server_error: {
    status: 500,
    when: 'The service failed. With status 503, the service is overloaded or a part of it is unavailable.',
    remedy:
      'Send the request again, after `Retry-After` if there is one. If it persists, report the request id of the message.',
  },
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

  /** The body of the response. */
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
    'Too many requests are in progress, or responses have not been read. Nothing was done: send the request again in a second.',
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
