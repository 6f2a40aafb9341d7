/**
 * Accounts: plans, deletion, which can be undone, and erasure, which cannot. Every change is a function of the database, which logs the
 * action and its actor. A deleted account can be restored or erased, and its keys revoked, and nothing else.
 */
import type { Account } from '../../proto/contract.ts';
import { PLANS } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import type { Nodes } from '../database/nodes.ts';
import type { AdminHandlers } from '../handler-types.ts';
import { requireOneOf, requirePageSize, requireUuid } from '../input.ts';
import { notFound } from '../status.ts';
import { type AdminRpcs, message, newId, requireRow } from './rpc.ts';

const PAGE_MAX = 1000;
// Rows of all tables together: a step takes a fraction of the statement timeout.
const ROWS_PER_STEP = 2_000;

const columns = (sql: Sql) => sql`
  account_id as "accountId", plan, created_at as "createdAt", deleted_at as "deletedAt"`;

const planIn = (plan: string) => requireOneOf('plan', plan, Object.keys(PLANS));

/** @throws StatusError NOT_FOUND */
export async function requireAccount(sql: Sql, accountId: string): Promise<void> {
  const rows = await sql`select from ledger.account where account_id = ${requireUuid('account', accountId)}`;
  requireRow(rows, 'account', accountId);
}

export const accountRpcs: AdminRpcs<
  'createAccount' | 'setPlan' | 'listAccounts' | 'deleteAccount' | 'restoreAccount'
> = {
  async createAccount(sql, { plan }, context) {
    const [account] = await sql<[object]>`
      select ${columns(sql)} from ledger.create_account(${newId()}, ${newId()}, ${context.actor()}, ${planIn(plan)})`;
    return message(account);
  },

  /** Waits for the account's running writes, like every change that they depend on. */
  async setPlan(sql, { accountId, plan }, context) {
    const rows = await sql`
      select ${columns(sql)}
        from ledger.set_plan(${requireUuid('account', accountId)}, ${newId()}, ${context.actor()}, ${planIn(plan)})`;
    return requireRow(rows, 'account', accountId);
  },

  /** Oldest first: account ids ascend with time. */
  async listAccounts(sql, { after, limit }) {
    const rows = await sql`
      select ${columns(sql)} from ledger.account
       ${after === undefined ? sql`` : sql`where account_id > ${requireUuid('account', after)}`}
       order by account_id limit ${requirePageSize(limit, PAGE_MAX)}`;
    return { accounts: rows.map(message<Account>) };
  },

  /** Revokes every key until the account is restored. Waits for running writes: no request that begins after it returns reads or writes. */
  async deleteAccount(sql, { accountId }, context) {
    const rows = await sql`
      select ${columns(sql)} from ledger.delete_account(${requireUuid('account', accountId)}, ${newId()}, ${context.actor()})`;
    return requireRow(rows, 'account in use with the id', accountId);
  },

  async restoreAccount(sql, { accountId }, context) {
    const rows = await sql`
      select ${columns(sql)} from ledger.restore_account(${requireUuid('account', accountId)}, ${newId()}, ${context.actor()})`;
    return requireRow(rows, 'deleted account', accountId);
  },
};

/**
 * Removes every row of a deleted account except the action log, in steps. After the first step the account cannot be restored;
 * another request completes an interrupted one. Each step takes a connection of its own, so that erasures leave connections to requests.
 */
export function eraseAccount(nodes: Pick<Nodes, 'withConnection'>): AdminHandlers['eraseAccount'] {
  return async ({ accountId }, { actor, signal }) => {
    const [erased] = await nodes.withConnection(
      (sql) => sql<{ accountId: string; entries: number }[]>`
        select account_id as "accountId", entries
          from ledger.begin_erasure(${requireUuid('account', accountId)}, ${newId()}, ${actor()})`,
      signal,
    );
    if (!erased) throw notFound(`no deleted account ${accountId}`);
    for (let isDone = false; !isDone; ) {
      const [step] = await nodes.withConnection(
        (sql) => sql<[{ isDone: boolean }]>`
          select ledger.erase_some(${accountId}, ${ROWS_PER_STEP}) as "isDone"`,
        signal,
      );
      isDone = step.isDone;
    }
    return erased;
  };
}
