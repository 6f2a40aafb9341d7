/** The worker's domain outcomes as errors of the API. */
import type {
  DailyCapReached__Output as DailyCapReached,
  InvalidCategories__Output as InvalidCategories,
  Refusal__Output as Refusal,
  ResponseOf,
} from '../../proto/contract.ts';
import { CATEGORIES, LIMITS, type SourceType } from '../../proto/domain.ts';
import { ApiError, ISSUES_MAX, type Issue, invalidKey, readOnlyKey } from '../api/errors.ts';
import { retryAfterSeconds } from '../api/rate-limit-headers.ts';
import type { ParsedBody } from '../input/entries.ts';
import { proposal } from '../input/issues.ts';

/** The outcomes that are errors. Every method has some of them. */
type Refusals = Omit<ResponseOf<'createEntries'>, 'created' | 'outcome'>;

interface Request {
  sourceId?: string;
  body?: ParsedBody;
  idempotencyKey?: string | undefined;
}

/**
 * The error of a response without the result that was asked for. The worker has checked the key in the transaction of the outcome.
 * @param request named by the error
 */
export function outcomeError(response: Refusals, request: Request = {}): Error {
  return refusalOf(response, request)?.keyChecked() ?? new Error('the worker returned an unknown outcome');
}

function refusalOf(response: Refusals, { sourceId = '', body, idempotencyKey = '' }: Request) {
  if (response.sourceNotFound) return sourceNotFound(sourceId);
  if (response.invalidCategories && body) return invalidCategory(response.invalidCategories, body);
  if (response.idempotencyKeyReused) return idempotencyKeyReused(idempotencyKey);
  if (response.dailyCapReached) return dailyCapReached(response.dailyCapReached);
  return response.refused && keyRefused(response.refused);
}

/** @returns upgrade_required, read_only_key, or invalid_key, also for a reason that only a newer worker has */
function keyRefused(refusal: Refusal): ApiError {
  switch (refusal) {
    case 'REFUSAL_UPGRADE_REQUIRED':
      return new ApiError(
        'upgrade_required',
        "The account's plan does not include API access: upgrade it in the app.",
      );
    case 'REFUSAL_READ_ONLY_KEY':
      return readOnlyKey();
    default:
      return invalidKey('The API key is unknown or revoked: create a new one in the app.');
  }
}

export function sourceNotFound(sourceId: string): ApiError {
  return new ApiError(
    'source_not_found',
    `${sourceId.slice(0, 64)} is not a source of this account: GET /api/v1/sources lists them.`,
  );
}

/** Lists every entry whose category is not valid; `validCategories` has the keys accepted for the first of them. */
export function invalidCategory(
  { sourceType, indexes }: InvalidCategories,
  { entries, pointer }: ParsedBody,
): ApiError {
  const accepted = (index: number) =>
    new Map(
      CATEGORIES[sourceType as SourceType][entries[index]?.type ?? 'income'].map(({ key, label }) => [
        key,
        label,
      ]),
    );
  const issues: Issue[] = indexes.slice(0, ISSUES_MAX).map((index) => {
    const { category = '', type } = entries[index] ?? {};
    const labels = accepted(index);
    return {
      path: `${pointer(index)}/category`,
      message: `${quoted(category)} is not an ${type} category of a ${sourceType} source; ${proposal(category, [...labels.keys()], labels)}`,
    };
  });
  const [first] = issues;
  return new ApiError('invalid_category', `Nothing was created: ${first?.path} ${first?.message}`, {
    fields: { validCategories: [...accepted(indexes[0] ?? 0).keys()], issues },
  });
}

function idempotencyKeyReused(key: string): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    `Nothing was created: the Idempotency-Key ${key.slice(0, 64)} was used for another request within 24 hours. Send a new key with each new request.`,
  );
}

/** @param index of the first entry that does not fit; `retryAfterMs`: until the request fits */
export function dailyCapReached({ entriesLeft, index, retryAfterMs }: DailyCapReached): ApiError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new ApiError(
    'daily_cap',
    `Nothing was created: an account creates at most ${LIMITS.entriesPerDay} transactions in 24 hours. ` +
      `There is room for ${entriesLeft} now, and for this request in ${seconds} s.`,
    {
      fields: { limit: LIMITS.entriesPerDay, remaining: entriesLeft, index, retryAfterSeconds: seconds },
      headers: { 'retry-after': String(seconds) },
    },
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}
