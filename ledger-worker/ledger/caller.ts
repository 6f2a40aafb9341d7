/** The caller of a request. Every statement of the Ledger service checks its key. */

/** The hash of the request's API key, and the account that the key belongs to. */
export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

export interface Refused {
  outcome: 'refused';
  refused: 'REFUSAL_INVALID_KEY' | 'REFUSAL_UPGRADE_REQUIRED';
}
export const INVALID_KEY: Refused = { outcome: 'refused', refused: 'REFUSAL_INVALID_KEY' };
export const UPGRADE_REQUIRED: Refused = { outcome: 'refused', refused: 'REFUSAL_UPGRADE_REQUIRED' };
export const SOURCE_NOT_FOUND = { outcome: 'sourceNotFound', sourceNotFound: {} } as const;

export interface CallerRow {
  /** Null if the key is unknown or revoked. */
  apiAccess: boolean | null;
}

export function refusalOf({ apiAccess }: CallerRow): Refused | undefined {
  if (apiAccess === null) return INVALID_KEY;
  return apiAccess ? undefined : UPGRADE_REQUIRED;
}
