/** The caller of a request. Every statement of the Ledger service checks its key. */

/** The hash of the request's API key, and the account that the key belongs to. */
export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

export interface Rejected {
  outcome: 'rejected';
  rejected: 'REJECTION_INVALID_KEY' | 'REJECTION_UPGRADE_REQUIRED';
}
export const INVALID_KEY: Rejected = { outcome: 'rejected', rejected: 'REJECTION_INVALID_KEY' };
export const UPGRADE_REQUIRED: Rejected = { outcome: 'rejected', rejected: 'REJECTION_UPGRADE_REQUIRED' };
export const SOURCE_NOT_FOUND = { outcome: 'sourceNotFound' } as const;

export interface CallerRow {
  /** Null if the key is unknown or revoked. */
  apiAccess: boolean | null;
}

export function rejectionOf({ apiAccess }: CallerRow): Rejected | undefined {
  if (apiAccess === null) return INVALID_KEY;
  return apiAccess ? undefined : UPGRADE_REQUIRED;
}
