/** The cause and the remedy of each error code, for the description. A test compares both with docs/api/error-codes.md. */
import { LIMITS } from '../../proto/domain.ts';
import { BODY_MIB_MAX, type ErrorCode } from '../api/errors.ts';

interface ErrorText {
  /** The cause. */
  when: string;
  /** The correction, for the client. */
  remedy: string;
}

export const ERROR_TEXTS: Record<ErrorCode, ErrorText> = {
  missing_key: {
    when: 'The request has no `Authorization: Bearer` header.',
    remedy: 'Send the key in this header, and nowhere else.',
  },
  invalid_key: {
    when: 'The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.',
    remedy: 'Check that the key is complete. If it is, it no longer works: create a new one in the app.',
  },
  upgrade_required: {
    when: "The account's plan does not include API access.",
    remedy: 'Change the plan in the app.',
  },
  read_only_key: {
    when: 'The key reads only. Nothing was created.',
    remedy: 'Use a key that can write. The rights of a key never change: create another one in the app.',
  },
  not_found: {
    when: 'There is no such path, or the API is switched off in this environment.',
    remedy: 'Compare the path with the reference. Every path begins with `/api/v1`.',
  },
  source_not_found: {
    when: 'The account of the key has no source with this id, or the source was removed.',
    remedy: 'Take the id from `GET /api/v1/sources`.',
  },
  method_not_allowed: {
    when: 'The path exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header names.',
  },
  invalid_request: {
    when: 'The `Host` header is malformed or repeated.',
    remedy: 'Send one `Host` header with the name or address of the service.',
  },
  invalid_json: {
    when: 'The body is not JSON in UTF-8, or is declared as another content type.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  invalid_idempotency_key: {
    when: 'The `Idempotency-Key` header is malformed.',
    remedy: `Send one word of 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, for example a UUID.`,
  },
  request_timeout: {
    when: 'The body did not arrive within 30 seconds. The connection is closed.',
    remedy: 'Send the request again, with fewer entries if your connection is slow.',
  },
  payload_too_large: {
    when: `The body is larger than ${BODY_MIB_MAX} MiB.`,
    remedy: 'Send the entries in several requests.',
  },
  unsupported_encoding: {
    when: 'The body is compressed.',
    remedy: 'Send the body without `Content-Encoding`.',
  },
  invalid_query: {
    when: 'A query parameter is unknown, repeated, malformed or out of range.',
    remedy: 'Correct the parameters that `issues` names.',
  },
  invalid_source_type: {
    when: '`sourceType` is not one of the three source types.',
    remedy: 'Use `uk-property`, `foreign-property` or `self-employment`.',
  },
  empty_body: {
    when: 'The array has no entries.',
    remedy: 'Send at least one entry. With nothing to send, send no request.',
  },
  too_many: {
    when: `The array has more than ${LIMITS.entriesPerRequest} entries.`,
    remedy: `Send at most ${LIMITS.entriesPerRequest} entries in a request.`,
  },
  idempotency_key_reused: {
    when: 'The account used the `Idempotency-Key` for another request within 24 hours.',
    remedy: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  invalid_transaction: {
    when: 'One or more fields are invalid. Nothing was created.',
    remedy: 'Correct the fields that `issues` names, and send the whole request again.',
  },
  invalid_category: {
    when: "One or more categories are not accepted for the source's type and the entry's type. Nothing was created.",
    remedy: 'Use one of `validCategories`, or omit `category` to send the entry to the review queue.',
  },
  rate_limited: {
    when: `The key has used its ${LIMITS.requestsPerMinute} requests of the last 60 seconds.`,
    remedy: 'Wait for the seconds of `Retry-After`, then send the request again.',
  },
  daily_cap: {
    when: `The entries do not fit in the ${LIMITS.entriesPerDay} that the account can create in 24 hours. Nothing was created.`,
    remedy: 'Send the entries before `index` now, or the same request after `retryAfterSeconds`.',
  },
  server_error: {
    when: 'The service failed. With status 503, the service is overloaded or a part of it is unavailable.',
    remedy:
      'Send the request again, after `Retry-After` if there is one. If it persists, report the request id of the message.',
  },
};
