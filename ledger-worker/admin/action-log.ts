/** The log of the Admin service's actions. Each change writes its own, by ledger.log_action. */
import type { Sql } from '../database/connection.ts';

export interface Action {
  id: string;
  at: Date;
  accountId: string;
  actor: string;
  action: string;
  details: object;
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
