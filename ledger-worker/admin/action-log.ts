/** The log of the Admin service's actions. Each change writes its own, by ledger.log_action. */
import { LIMITS } from '../../proto/domain.ts';
import { pageSize, uuid } from './input.ts';
import { type AdminRpcs, message, pageOf } from './rpc.ts';

export const actionLogRpcs: AdminRpcs<'listActions'> = {
  /** Newest first. */
  async listActions(sql, { accountId, after, limit }) {
    const rows = await sql<{ id: string; details: object }[]>`
      select action_id as id, at, account_id as "accountId", actor, action, details
        from ledger.admin_action
       where true
         ${accountId === undefined ? sql`` : sql`and account_id = ${uuid('account', accountId)}`}
         ${after === undefined ? sql`` : sql`and action_id < ${uuid('action', after)}`}
       order by action_id desc
       limit ${pageSize(limit, LIMITS.pageSizeMax) + 1}`;
    const { shown, last } = pageOf(rows, limit);
    const actions = shown.map((row) => ({
      ...message<object>(row),
      details: JSON.stringify(row.details),
    }));
    return { actions, ...(last && { next: last.id }) };
  },
};
