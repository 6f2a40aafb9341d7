/** The end of an account: deleted, which can be taken back, and then erased, which cannot. Each action is logged. */

import type { Sql } from '../database/pool.ts';
import { type Account, accountColumns } from './accounts.ts';
import { logged } from './action-log.ts';

// Of all tables together: a step takes a fraction of the time that a statement has.
const ROWS_PER_STEP = 2_000;

/**
 * Revokes every key of the account, until it is restored. Once this returned none reads or writes: it waits for the writes in
 * progress. Undefined when there is no such account, or it is deleted.
 */
export async function deleteAccount(
  sql: Sql,
  actor: string,
  accountId: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    with done as (
      select * from ledger.delete_account(${accountId})
    ), ${logged(sql, actor, 'account delete', sql`'{}'`)}
    select ${accountColumns(sql)} from done`;
  return account;
}

/** The account as it was, keys included. Undefined when it is not deleted, or is being erased. */
export async function restoreAccount(
  sql: Sql,
  actor: string,
  accountId: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    with done as (
      select * from ledger.restore_account(${accountId})
    ), ${logged(sql, actor, 'account restore', sql`'{}'`)}
    select ${accountColumns(sql)} from done`;
  return account;
}

/**
 * Removes every row of a deleted account but for the log of actions, in steps. What is broken off cannot be restored, and is
 * finished by another call. Undefined when there is no such account, or it is not deleted.
 */
export async function eraseAccount(
  sql: Sql,
  actor: string,
  accountId: string,
  cancelled: AbortSignal,
): Promise<{ accountId: string; entries: number } | undefined> {
  // Sums of bigint are of another type.
  const entries = sql`(
    select coalesce(sum(transaction_count), 0)::bigint from ledger.source where account_id = ${accountId})`;
  const [erased] = await sql<{ accountId: string; entries: number }[]>`
    with done as (
      update ledger.account set erasing_at = coalesce(erasing_at, clock_timestamp())
       where account_id = ${accountId} and deleted_at is not null
      returning account_id, ${entries} as entries
    ), ${logged(sql, actor, 'account erase', sql`jsonb_build_object('entries', entries)`)}
    select account_id as "accountId", entries from done`;
  if (!erased) return undefined;
  for (let isDone = false; !isDone; ) {
    cancelled.throwIfAborted();
    const [step] = await sql<[{ isDone: boolean }]>`
      select ledger.erase_some(${accountId}, ${ROWS_PER_STEP}) as "isDone"`;
    isDone = step.isDone;
  }
  return erased;
}
