/** Errors of the library. `code` is the API's error code, or one of the library's own. */
import type { components } from './api.generated.ts';
import { faultOf } from './responses.ts';

type ApiErrorBody = components['schemas']['Error']['error'];

/** Codes may be added by the API: treat unknown ones by `status`. */
export type ErrorCode =
  | ApiErrorBody['code']
  /** The service could not be reached, or did not respond in time. */
  | 'unreachable'
  /** The response does not come from this API. */
  | 'unexpected_response'
  /** A write failed after an attempt without a readable response. Its entries may be stored. */
  | 'unknown_outcome'
  /** `onProgress` of a push threw an error, which is the cause. */
  | 'callback_failed';

/** One fault of the request. */
export interface Issue {
  /** JSON pointer: into the query, or into the entries passed to `push`, as `/3/amountPence`. */
  path: string;
  message: string;
  /** The index of the entry passed to `push`. */
  index?: number;
}

interface LedgerErrorOptions {
  status?: number | undefined;
  issues?: readonly Issue[] | undefined;
  validCategories?: readonly string[] | undefined;
  retryAfterSeconds?: number | undefined;
  remaining?: number | undefined;
  index?: number | undefined;
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

export class LedgerError extends Error {
  override readonly name: string = 'LedgerError';
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly issues: readonly Issue[];
  /** With `invalid_category`: the keys accepted for the first of the issues. */
  readonly validCategories: readonly string[];
  /** The time until the request can succeed, with `rate_limited`, `daily_cap` and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** With `daily_cap`: how many entries fit now. */
  readonly remaining: number | undefined;
  /** With `daily_cap`: the position of the first entry that does not fit now. The entries before it fit. */
  readonly index: number | undefined;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** With `unknown_outcome`: of the request, if some of its entries have no `externalRef`. The same entries under it are stored once, for 24 hours. */
  readonly idempotencyKey: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    {
      status,
      issues = [],
      validCategories = [],
      retryAfterSeconds,
      remaining,
      index,
      requestId,
      idempotencyKey,
      cause,
    }: LedgerErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.issues = issues;
    this.validCategories = validCategories;
    this.retryAfterSeconds = retryAfterSeconds;
    this.remaining = remaining;
    this.index = index;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The service asks for a day at most, the window of its daily cap. A timer of more than 24 days would end at once. */
const RETRY_AFTER_S_MAX = 24 * 60 * 60;

/** The error of a response that is not a success. */
export function errorOf(baseUrl: string, response: Response, body: unknown): LedgerError {
  const common = responseFacts(response);
  if (faultOf(body, 'Error') !== undefined) {
    return foreignResponse(baseUrl, `status ${response.status}`, common);
  }
  const { code, message, ...members } = (body as { error: ApiErrorBody }).error;
  const retryAfterSeconds = bounded(members.retryAfterSeconds) ?? common.retryAfterSeconds;
  return new LedgerError(code, message, { ...common, ...members, retryAfterSeconds });
}

/** Status and headers of a response, for its error. */
export const responseFacts = ({ status, headers }: Response) => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  retryAfterSeconds: secondsOf(headers.get('retry-after')),
});

/** @param retryAfter a number of seconds, or an HTTP date */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return bounded(Number(retryAfter));
  const isDate = /^[A-Z][a-z]+, .* GMT$/.test(retryAfter);
  return isDate ? bounded(Math.max(0, Date.parse(retryAfter) - Date.now()) / 1_000) : undefined;
}

function bounded(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, RETRY_AFTER_S_MAX) : undefined;
}

/** The error of a response that does not come from this API. */
export function foreignResponse(
  baseUrl: string,
  reason: string,
  options: LedgerErrorOptions = {},
): LedgerError {
  const message = `The response of ${baseUrl} (${reason}) is not one of the Bookkeeping Ledger API: ${adviceFor(options.status)}.`;
  return new LedgerError('unexpected_response', message, options);
}

const REFUSED = 'a proxy or firewall on the way refused the request';
const STATUS_ADVICE: Readonly<Record<number, string>> = {
  401: REFUSED,
  403: REFUSED,
  407: 'a proxy on the way asks for a user name and a password: HTTPS_PROXY has them before the host',
  408: 'a proxy on the way did not get the request in time',
  413: 'a proxy on the way accepts no request of this size: its limit must be 5 MiB or more',
  429: REFUSED,
};

function adviceFor(status = 200): string {
  if (status >= 500) return 'a proxy on the way cannot reach the service';
  return STATUS_ADVICE[status] ?? 'check the URL, and whether a proxy on the way changes responses';
}

/** A proxy opens no tunnel, so nothing was sent. The words of Node and Bun: */
const NO_TUNNEL = /^Proxy (?:response \(|refused to open a tunnel: )(\d{3})/;

/** The error of a proxy's response that `fetch` hides in an error of its own; undefined for another error. */
export function proxyError(baseUrl: string, failure: unknown): LedgerError | undefined {
  const { message = '', code, cause } = failure as { message?: string; code?: string; cause?: Error };
  const [, tunnel] = NO_TUNNEL.exec(cause?.message ?? message) ?? [];
  // Node has no words for a 407.
  const is407 = code === undefined && cause?.message === '' && !('code' in cause);
  if (tunnel === undefined && !is407) return undefined;
  const status = Number(tunnel ?? 407);
  return foreignResponse(baseUrl, `status ${status}`, { status, cause: failure });
}

/** A request without a readable response is not sent again: the service may have forgotten its Idempotency-Key. */
export class KeyExpired extends Error {
  constructor() {
    super('It is too late for another attempt: the service may have forgotten the Idempotency-Key.');
  }
}

/**
 * The error of a write that failed after an attempt without a readable response.
 * @param failure the last one
 * @param idempotencyKey of the request; undefined if each of its entries has a reference
 */
export function unknownOutcome(failure: unknown, idempotencyKey?: string): LedgerError {
  const last = failure instanceof Error ? failure.message : String(failure);
  const repeat =
    idempotencyKey === undefined
      ? 'Send them again: each has an externalRef, so none is stored twice.'
      : `Send the same entries again within 24 hours of the first attempt, with the Idempotency-Key ${idempotencyKey}, so that none is stored twice.`;
  const way =
    failure instanceof KeyExpired ? 'Look for them in the books, and send only the missing ones.' : repeat;
  const message = `${last.replace(/[^.?!]$/, '$&.')} The entries of this request may be stored, because an attempt got no readable response. ${way}`;
  const details = failure instanceof LedgerError ? failure : {};
  return new LedgerError('unknown_outcome', message, { ...details, idempotencyKey, cause: failure });
}

/** The last failure of a write with an unknown outcome; any other error itself. */
export function lastFailureOf(error: unknown): unknown {
  const isUnknown = error instanceof LedgerError && error.code === 'unknown_outcome';
  return isUnknown ? lastFailureOf(error.cause) : error;
}

/** Errors of `fetch` before it has sent anything: no address, no connection, no trust in the certificate. Other failures may come later. */
const NEVER_SENT =
  /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|(ERR_TLS_)?CERT_.+|UNABLE_TO_.+|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*)$/;

/** Whether the entries of an attempt may be stored after this failure. They are not if it was never sent, or if the service refused it. */
export function mayBeStored(failure: unknown): boolean {
  if (!(failure instanceof LedgerError)) return true;
  const { code, status = 0, cause } = failure;
  const { code: outer = '', message = '', cause: inner } = (cause ?? {}) as Error & { code?: string };
  const { code: reason = outer, message: text = message } = (inner ?? {}) as {
    code?: string;
    message?: string;
  };
  if (NEVER_SENT.test(reason) || NO_TUNNEL.test(text)) return false;
  return code === 'unreachable' || code === 'unexpected_response' || status >= 500;
}

/** The error of a redirect, which is not followed. Shows only the origin of the target. */
export function redirectError({ status, url, headers }: Response): LedgerError {
  const location = headers.get('location');
  const base = url || undefined;
  const isUrl = location !== null && URL.canParse(location, base);
  const origin = isUrl ? new URL(location, base).origin : 'null';
  const target = origin === 'null' ? 'another address' : origin;
  const message = `The service redirects to ${target}, and no redirect is followed: the key and the entries would go there. If that is the service, use its URL.`;
  return new LedgerError('unexpected_response', message, { status: status || undefined });
}
