/** The caller of a request. Every statement of the Ledger service checks its key. */
import { arrayText, bytesField, rowElement } from '../database/array-literal.ts';
import { UnexpectedResult } from '../database/errors.ts';

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

/** A statement for many requests returns at least one row for each of them. */
export interface RequestRow {
  /** The request's number, counted from 1. */
  n: number;
}

export interface CallerRow extends RequestRow {
  /** Null if the key is unknown or revoked. */
  apiAccess: boolean | null;
}

/** As ledger.caller[]. */
export const callersText = (callers: readonly { keyHash: Buffer; accountId: string | null }[]) =>
  arrayText(callers, ({ accountId, keyHash }) => rowElement([accountId ?? '', bytesField(keyHash)]));

export function rejectionOf(row: CallerRow | undefined): Rejected | undefined {
  if (!row || row.apiAccess === null) return INVALID_KEY;
  return row.apiAccess ? undefined : UPGRADE_REQUIRED;
}

/** The rows of each request. @throws UnexpectedResult when a request has none */
export function rowsPerRequest<Row extends RequestRow>(rows: readonly Row[], requests: number): Row[][] {
  const own: Row[][] = Array.from({ length: requests }, () => []);
  for (const row of rows) own[row.n - 1]?.push(row);
  // A missing result must not be read as "no such key".
  if (own.some((each) => each.length === 0)) throw new UnexpectedResult();
  return own;
}
