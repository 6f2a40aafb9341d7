/** The caller of a request, and the check of its key that every statement of the Ledger service contains. */
import { arrayText, bytesElement } from '../database/array-literal.ts';
import type { Sql } from '../database/connection.ts';
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

export interface CallerFlags extends RequestRow {
  found: boolean;
  apiAccess: boolean;
}

export const accountIds = (callers: readonly Caller[]) => arrayText(callers, ({ accountId }) => accountId);
export const keyHashes = (callers: readonly Caller[]) =>
  arrayText(callers, ({ keyHash }) => bytesElement(keyHash));

/** SQL: always one row, with the rights of the key that the row `request` names, in the snapshot of the whole statement. */
export function callerFlags(sql: Sql) {
  return sql`(
    select count(*) > 0 as found, coalesce(bool_or(p.api_access), false) as "apiAccess"
      from ledger.api_key k
      join ledger.account a on a.account_id = k.account_id
      join ledger.plan p on p.plan = a.plan
     where k.account_id = request.account_id and k.key_hash = request.key_hash and revoked_at is null
  )`;
}

export function rejectionOf(flags: CallerFlags | undefined): Rejected | undefined {
  if (!flags?.found) return INVALID_KEY;
  if (!flags.apiAccess) return UPGRADE_REQUIRED;
  return undefined;
}

/** The rows of each request. @throws UnexpectedResult when a request has none */
export function rowsPerRequest<Row extends RequestRow>(rows: readonly Row[], requests: number): Row[][] {
  const own: Row[][] = Array.from({ length: requests }, () => []);
  for (const row of rows) own[row.n - 1]?.push(row);
  // A missing result must not be read as "no such key".
  if (own.some((each) => each.length === 0)) throw new UnexpectedResult();
  return own;
}
