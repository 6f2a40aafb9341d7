/** The log of the Admin service's actions, written by the same statement as the change. */
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../database/connection.ts';

export interface Action {
  id: string;
  at: Date;
  accountId: string;
  actor: string;
  action: string;
  details: object;
}

/**
 * A part of a statement (a CTE) that logs the action. The CTE `done` has one row with an account_id; without a row, nothing
 * was changed and nothing is logged. The time is a column: Citus calls a function of the time in an insert, a default too, before
 * the statement has waited for its locks.
 * @param actor who requested it
 * @param action the command of the command line
 * @param details a jsonb expression over `done`
 */
export function logged(sql: Sql, actor: string, action: string, details: PendingQuery<Row[]>) {
  return sql`
    dated as (
      select *, clock_timestamp() as at from done
    ), logged as (
      insert into ledger.admin_action (account_id, action_id, at, actor, action, details)
      select account_id, ${Bun.randomUUIDv7()}, at, ${actor}, ${action}, ${details} from dated
    )`;
}

export interface ActionsQuery {
  /** Undefined: all accounts. */
  accountId: string | undefined;
  /** The last action of the previous page. */
  after: string | undefined;
  limit: number;
}

/** Newest first. */
export function listActions(sql: Sql, { accountId, after, limit }: ActionsQuery): Promise<Action[]> {
  return sql<Action[]>`
    select action_id as id, at, account_id as "accountId", actor, action, details
      from ledger.admin_action
     where true
       ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}
       ${after === undefined ? sql`` : sql`and action_id < ${after}`}
     order by action_id desc
     limit ${limit}`;
}
