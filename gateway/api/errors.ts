/** The error codes of the API, and the one class that renders them (docs/api/errors.md). */
import { LIMITS } from '../../proto/domain.ts';

export const BODY_MIB_MAX = LIMITS.bodyBytesMax / 1024 / 1024;

/** Each code with its status. gateway/description/error-texts.ts has the cause and the remedy of each. */
export const ERRORS = {
  missing_key: 401,
  invalid_key: 401,
  upgrade_required: 403,
  read_only_key: 403,
  not_found: 404,
  source_not_found: 404,
  method_not_allowed: 405,
  invalid_request: 400,
  invalid_json: 400,
  invalid_idempotency_key: 400,
  request_timeout: 408,
  payload_too_large: 413,
  unsupported_encoding: 415,
  invalid_query: 422,
  invalid_source_type: 422,
  empty_body: 422,
  too_many: 422,
  idempotency_key_reused: 422,
  invalid_transaction: 422,
  invalid_category: 422,
  rate_limited: 429,
  daily_cap: 429,
  server_error: 500,
} as const;

/** The status of a server_error that is transient. */
export const UNAVAILABLE_STATUS = 503;

export type ErrorCode = keyof typeof ERRORS;

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
  status?: number;
  cause?: unknown;
}

/** An error that the client is meant to see. Anything else that is thrown becomes a server_error. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, unknown>;
  /** Whether the worker has checked the key of the refused request. */
  isKeyChecked = false;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { fields = {}, headers = {}, status = ERRORS[code], cause }: ApiErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }

  /** The worker checks the key in the transaction in which it finds an error. @returns this error */
  keyChecked(): this {
    this.isKeyChecked = true;
    return this;
  }

  render() {
    return { error: { code: this.code, message: this.message, ...this.fields } };
  }
}

/** Hides the cause, which is in the log under the request id. */
export function serverError(requestId: string, cause: unknown): ApiError {
  return new ApiError(
    'server_error',
    `The service failed (request ${requestId}). With an externalRef for each entry, or under the same Idempotency-Key, it is safe to send the request again: nothing is stored twice, and a batch whole or not at all.`,
    { cause, ...(cause instanceof Unavailable && RETRY_SOON) },
  );
}

/** A transient fault of the service. */
export class Unavailable extends Error {}

const RETRY_SOON = { status: UNAVAILABLE_STATUS, headers: { 'retry-after': '1' } };

/**
 * The process is at one of its limits. Nothing was done for the request.
 * @param headers in addition to Retry-After
 */
export function overloaded(headers: Record<string, string> = {}): ApiError {
  return new ApiError(
    'server_error',
    'Too many requests are in progress, or responses have not been read. Nothing was done: send the request again in a second.',
    { ...RETRY_SOON, headers: { ...RETRY_SOON.headers, ...headers } },
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

export function readOnlyKey(): ApiError {
  return new ApiError(
    'read_only_key',
    'Nothing was created: this API key reads only. Use a key that can write, or create one in the app.',
  );
}
