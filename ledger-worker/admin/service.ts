/** The Admin service: its RPCs, and the log of its actions. */
import { LIMITS } from '../../proto/domain.ts';
import type { Nodes } from '../database/nodes.ts';
import type { AdminContext, AdminHandlers } from '../handler-types.ts';
import { requirePageSize, requireUuid } from '../input.ts';
import { accountRpcs, eraseAccount } from './accounts.ts';
import { keyRpcs } from './keys.ts';
import { reviewQueueRpcs } from './review-queue.ts';
import { type AdminRpcs, message, pageOf } from './rpc.ts';
import { sourceRpcs } from './sources.ts';

/**
 * The handlers of proto/admin.proto.
 * @param keyPrefix the prefix of new keys
 */
export function adminService(nodes: Pick<Nodes, 'withConnection'>, keyPrefix: string): AdminHandlers {
  const rpcs: AdminRpcs<Exclude<keyof AdminHandlers, 'eraseAccount'>> = {
    ...accountRpcs,
    ...sourceRpcs,
    ...keyRpcs(keyPrefix),
    ...reviewQueueRpcs,
    ...actionLogRpcs,
  };
  const handlers = Object.entries(rpcs).map(([name, rpc]) => [
    name,
    (request: never, context: AdminContext) =>
      nodes.withConnection<unknown>((sql) => rpc(sql, request, context), context.signal),
  ]);
  return { ...Object.fromEntries(handlers), eraseAccount: eraseAccount(nodes) };
}

/** Each change writes its own, by ledger.log_action. */
const actionLogRpcs: AdminRpcs<'listActions'> = {
  /** Newest first. */
  async listActions(sql, { accountId, after, limit }) {
    const rows = await sql<{ id: string; details: object }[]>`
      select action_id as id, at, account_id as "accountId", actor, action, details
        from ledger.admin_action
       where true
         ${accountId === undefined ? sql`` : sql`and account_id = ${requireUuid('account', accountId)}`}
         ${after === undefined ? sql`` : sql`and action_id < ${requireUuid('action', after)}`}
       order by action_id desc
       limit ${requirePageSize(limit, LIMITS.pageSizeMax) + 1}`;
    const { shown, last } = pageOf(rows, limit);
    const actions = shown.map((row) => ({
      ...message<object>(row),
      details: JSON.stringify(row.details),
    }));
    return { actions, ...(last && { next: last.id }) };
  },
};
