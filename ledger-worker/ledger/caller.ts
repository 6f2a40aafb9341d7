/** Who asks, and what their keys may do: the same for every question to the books. */
import { arrayText, bytesElement } from '../database/array-literal.ts';
import type { Sql } from '../database/pool.ts';
import { AnswerLost } from '../grpc/status.ts';

/** Who asks: the hash of the key that the request came with, and the account it was found to belong to. */
export interface Caller {
  keyHash: Buffer;
  accountId: string;
}

export interface Refused {
  outcome: 'rejected';
  rejected: 'REJECTION_INVALID_KEY' | 'REJECTION_UPGRADE_REQUIRED';
}
export const INVALID_KEY: Refused = { outcome: 'rejected', rejected: 'REJECTION_INVALID_KEY' };
export const UPGRADE_REQUIRED: Refused = { outcome: 'rejected', rejected: 'REJECTION_UPGRADE_REQUIRED' };
export const SOURCE_NOT_FOUND = { outcome: 'sourceNotFound' } as const;

/** One row at least for each question, whatever is found. */
export interface Asked {
  /** Of the question, counted from 1. */
  n: number;
}

export interface CallerFlags extends Asked {
  found: boolean;
  apiAccess: boolean;
}

export const accountIds = (callers: readonly Caller[]) => arrayText(callers, ({ accountId }) => accountId);
export const keyHashes = (callers: readonly Caller[]) =>
  arrayText(callers, ({ keyHash }) => bytesElement(keyHash));

/** One row, whether or not `asked` names such a key: what the key may do, in the snapshot of the statement around it. */
export function callerFlags(sql: Sql) {
  return sql`(
    select count(*) > 0 as found, coalesce(bool_or(p.api_access), false) as "apiAccess"
      from ledger.api_key k
      join ledger.account a on a.account_id = k.account_id
      join ledger.plan p on p.plan = a.plan
     where k.account_id = asked.account_id and k.key_hash = asked.key_hash and revoked_at is null
  )`;
}

export function refusal(flags: CallerFlags | undefined): Refused | undefined {
  if (!flags?.found) return INVALID_KEY;
  if (!flags.apiAccess) return UPGRADE_REQUIRED;
  return undefined;
}

export function perQuestion<Row extends Asked>(rows: readonly Row[], questions: number): Row[][] {
  const own: Row[][] = Array.from({ length: questions }, () => []);
  for (const row of rows) own[row.n - 1]?.push(row);
  // Nobody may be told "no such key" because an answer went astray.
  if (own.some((each) => each.length === 0)) throw new AnswerLost();
  return own;
}
