/** The log of what was done by the Admin service: written by the statement that does it, and read. */
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../database/pool.ts';

export interface Action {
  id: string;
  at: Date;
  accountId: string;
  actor: string;
  action: string;
  details: object;
}

/**
 * A part of a statement: logs the action in the transaction that carries it out. What was done is the part `done`, of one
 * row with an account_id, or of none: then nothing was done and nothing is logged.
 * @param actor who asked for it
 * @param action as the command line words it
 * @param details an SQL expression over `done`, of jsonb
 */
export function logged(sql: Sql, actor: string, action: string, details: PendingQuery<Row[]>) {
  return sql`
    logged as (
      insert into ledger.admin_action (account_id, action_id, actor, action, details)
      select account_id, ${Bun.randomUUIDv7()}, ${actor}, ${action}, ${details} from done
    )`;
}

export interface ActionsQuery {
  /** Absent: of all accounts. */
  accountId: string | undefined;
  /** The last action of the page before. */
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
