/** The refusals of the API, and what more than one question is refused for. */
import { PLANS, type Plan } from '../../../proto/vocabulary.ts';

/** A refusal in the words of the API (specification: Errors). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Members of `error` beside code and message. */
    readonly fields: object = {},
  ) {
    super(message);
  }

  render() {
    return { error: { code: this.code, message: this.message, ...this.fields } };
  }
}

export const invalidKey = () => new Refusal(401, 'invalid_key', 'The API key is unknown or was revoked.');

const upgradeRequired = () =>
  new Refusal(403, 'upgrade_required', 'The plan of this account does not include API access.');

export const sourceNotFound = () => new Refusal(404, 'source_not_found', 'There is no such source.');

/** What a statement found of the key. @throws Refusal invalid_key, upgrade_required */
export function requireAccess<Row extends { plan: Plan }>(row: Row | undefined): Row {
  if (!row) throw invalidKey();
  if (!PLANS[row.plan].apiAccess) throw upgradeRequired();
  return row;
}
