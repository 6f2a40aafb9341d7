/** Errors of the library. `code` is the API's error code, or one of the library's own. */
import type { components } from './api.generated.ts';

export type ApiErrorBody = components['schemas']['Error']['error'];

/** Codes may be added by the API: treat unknown ones by `status`. */
export type ErrorCode =
  | ApiErrorBody['code']
  /** The service could not be reached, or did not respond in time. */
  | 'unreachable'
  /** The response does not come from this API. */
  | 'unexpected_response';

/** One fault of the request. */
export interface Issue {
  /** JSON pointer: into the query, or into the entries passed to `push`, as `/3/amountPence`. */
  path: string;
  message: string;
  /** Of the entry passed to `push`. */
  index?: number;
}

export interface LedgerErrorOptions {
  status?: number | undefined;
  issues?: readonly Issue[] | undefined;
  validCategories?: readonly string[] | undefined;
  retryAfterSeconds?: number | undefined;
  remaining?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly issues: readonly Issue[];
  /** With `invalid_category`: the keys accepted for the first of the issues. */
  readonly validCategories: readonly string[];
  /** Until the request can succeed, with `rate_limited`, `daily_cap` and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** With `daily_cap`: how many entries fit now. */
  readonly remaining: number | undefined;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    {
      status,
      issues = [],
      validCategories = [],
      retryAfterSeconds,
      remaining,
      requestId,
      cause,
    }: LedgerErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.issues = issues;
    this.validCategories = validCategories;
    this.retryAfterSeconds = retryAfterSeconds;
    this.remaining = remaining;
    this.requestId = requestId;
  }
}

/** The error of a response that is not a success. */
export function errorOf(baseUrl: string, response: Response, body: unknown): LedgerError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const common = {
    status: response.status,
    requestId,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
  const error = (body as { error?: Partial<ApiErrorBody> } | undefined)?.error;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    return foreignResponse(baseUrl, `status ${response.status}`, common);
  }
  return new LedgerError(error.code, error.message, {
    ...common,
    issues: error.issues,
    validCategories: error.validCategories,
    retryAfterSeconds: error.retryAfterSeconds ?? common.retryAfterSeconds,
    remaining: error.remaining,
  });
}

/** The error of a response that does not come from this API. */
export function foreignResponse(baseUrl: string, what: string, options: LedgerErrorOptions): LedgerError {
  const message = `The response of ${baseUrl} (${what}) is not one of the Bookkeeping Ledger API: check the URL.`;
  return new LedgerError('unexpected_response', message, options);
}

/** The error of a redirect, which is not followed. Of its target, only the origin is shown. */
export function redirectError({ status, url, headers }: Response): LedgerError {
  const location = headers.get('location');
  const origin = location === null ? 'null' : (URL.parse(location, url || undefined)?.origin ?? 'null');
  const target = origin === 'null' ? 'another address' : origin;
  const message = `The service redirects to ${target}, and no redirect is followed: the key and the entries would go there. If that is the service, use its URL.`;
  return new LedgerError('unexpected_response', message, { status: status || undefined });
}
