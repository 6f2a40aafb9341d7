/** Deletes accounts, which can be undone, and erases deleted ones, which cannot. Each action is logged. */

import type { Sql } from '../database/connection.ts';
import { type Account, accountColumns } from './accounts.ts';

// Of all tables together: a step takes a fraction of the statement timeout.
const ROWS_PER_STEP = 2_000;

/**
 * Revokes every key of the account, until it is restored. Waits for running writes: after it returns, no key reads or writes.
 * Undefined without such an account, or when it is deleted.
 */
export async function deleteAccount(
  sql: Sql,
  actor: string,
  accountId: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select ${accountColumns(sql)}
      from ledger.delete_account(${accountId}, ${Bun.randomUUIDv7()}, ${actor})`;
  return account;
}

/** Restores the account with its keys. Undefined when it is not deleted, or is being erased. */
export async function restoreAccount(
  sql: Sql,
  actor: string,
  accountId: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select ${accountColumns(sql)}
      from ledger.restore_account(${accountId}, ${Bun.randomUUIDv7()}, ${actor})`;
  return account;
}

/**
 * Removes every row of a deleted account except the log of actions, in steps. After the first step the account cannot be restored;
 * another call completes an interrupted one. Undefined without such an account, or when it is not deleted.
 */
export async function eraseAccount(
  sql: Sql,
  actor: string,
  accountId: string,
  signal: AbortSignal,
): Promise<{ accountId: string; entries: number } | undefined> {
  const [erased] = await sql<{ accountId: string; entries: number }[]>`
    select account_id as "accountId", entries
      from ledger.begin_erasure(${accountId}, ${Bun.randomUUIDv7()}, ${actor})`;
  if (!erased) return undefined;
  for (let isDone = false; !isDone; ) {
    signal.throwIfAborted();
    const [step] = await sql<[{ isDone: boolean }]>`
      select ledger.erase_some(${accountId}, ${ROWS_PER_STEP}) as "isDone"`;
    isDone = step.isDone;
  }
  return erased;
}
