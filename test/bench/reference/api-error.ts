/** The errors of the API, and the checks that several routes share. */
import { PLANS, type Plan } from '../../../proto/vocabulary.ts';

/** An error of the API (specification: Errors). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Further members of `error`. */
    readonly fields: object = {},
  ) {
    super(message);
  }

  render() {
    return { error: { code: this.code, message: this.message, ...this.fields } };
  }
}

export const invalidKey = () => new ApiError(401, 'invalid_key', 'The API key is unknown or was revoked.');

const upgradeRequired = () =>
  new ApiError(403, 'upgrade_required', 'The plan of this account does not include API access.');

export const sourceNotFound = () => new ApiError(404, 'source_not_found', 'There is no such source.');

/** Checks the row that a statement has found for a key. @throws ApiError invalid_key, upgrade_required */
export function requireAccess<Row extends { plan: Plan }>(row: Row | undefined): Row {
  if (!row) throw invalidKey();
  if (!PLANS[row.plan].apiAccess) throw upgradeRequired();
  return row;
}
