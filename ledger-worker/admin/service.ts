/** The Admin service: validates requests, runs their statements, and returns messages for people. */

import type {
  Account as AccountMessage,
  Action as ActionMessage,
  AdminEntry,
  AdminSource,
  Key as KeyMessage,
} from '../../proto/contract.ts';
import { CATEGORIES, LIMITS, PLANS } from '../../proto/vocabulary.ts';
import type { Sql } from '../database/connection.ts';
import { type AdminHandlers, invalidArgument, notFound, withoutNulls } from '../handlers.ts';
import {
  type Account,
  accountExists,
  createAccount,
  createKey,
  createSource,
  type Key,
  listAccountSources,
  listAccounts,
  listKeys,
  removeSource,
  renameSource,
  revokeKey,
  type Source,
  setPlan,
} from './accounts.ts';
import { type Action, listActions } from './action-log.ts';
import { deleteAccount, eraseAccount, restoreAccount } from './deletion.ts';
import { day, found, newSource, oneOf, pageSize, sourceName, uuid } from './input.ts';
import { categorise, type Entry, listUncategorised, type Position } from './review-queue.ts';

const ACCOUNTS_PER_PAGE_MAX = 1000;

/**
 * The handlers of proto/admin.proto.
 * @param keyPrefix the prefix of new keys
 */
export function adminService(nodes: { readonly sql: Sql }, keyPrefix: string): AdminHandlers {
  return {
    async createAccount({ plan }, call) {
      return accountMessage(
        await createAccount(nodes.sql, call.actor(), oneOf('plan', plan, Object.keys(PLANS))),
      );
    },
    async setPlan({ accountId, plan }, call) {
      const account = await setPlan(
        nodes.sql,
        call.actor(),
        uuid('account', accountId),
        oneOf('plan', plan, Object.keys(PLANS)),
      );
      return accountMessage(found(account, 'account', accountId));
    },
    async listAccounts({ after, limit }) {
      const id = after === undefined ? after : uuid('account', after);
      const accounts = await listAccounts(nodes.sql, id, pageSize(limit, ACCOUNTS_PER_PAGE_MAX));
      return { accounts: accounts.map(accountMessage) };
    },
    async deleteAccount({ accountId }, call) {
      const account = await deleteAccount(nodes.sql, call.actor(), uuid('account', accountId));
      return accountMessage(found(account, 'account in use with the id', accountId));
    },
    async restoreAccount({ accountId }, call) {
      const account = await restoreAccount(nodes.sql, call.actor(), uuid('account', accountId));
      return accountMessage(found(account, 'deleted account', accountId));
    },
    async eraseAccount({ accountId }, call) {
      const erased = await eraseAccount(nodes.sql, call.actor(), uuid('account', accountId), call.signal);
      return found(erased, 'deleted account', accountId);
    },

    async createSource(request, call) {
      const source = newSource(request);
      return sourceMessage(
        found(await createSource(nodes.sql, call.actor(), source), 'account', source.accountId),
      );
    },
    async renameSource({ id, name }, call) {
      return sourceMessage(
        found(
          await renameSource(nodes.sql, call.actor(), uuid('source', id), sourceName(name)),
          'source',
          id,
        ),
      );
    },
    async removeSource({ id }, call) {
      return sourceMessage(
        found(await removeSource(nodes.sql, call.actor(), uuid('source', id)), 'source', id),
      );
    },
    async listAccountSources({ accountId }) {
      await requireAccount(nodes.sql, accountId);
      return { sources: (await listAccountSources(nodes.sql, accountId)).map(sourceMessage) };
    },

    async createKey({ accountId }, call) {
      return found(
        await createKey(nodes.sql, call.actor(), uuid('account', accountId), keyPrefix),
        'account',
        accountId,
      );
    },
    async revokeKey({ keyId }, call) {
      return keyMessage(found(await revokeKey(nodes.sql, call.actor(), uuid('key', keyId)), 'key', keyId));
    },
    async listKeys({ accountId }) {
      await requireAccount(nodes.sql, accountId);
      return { keys: (await listKeys(nodes.sql, accountId)).map(keyMessage) };
    },

    async listUncategorised({ accountId, sourceId, after, limit }) {
      await requireAccount(nodes.sql, accountId);
      if (sourceId !== undefined) await requireSource(nodes.sql, accountId, uuid('source', sourceId));
      const query = {
        accountId,
        sourceId,
        after: positionIn(after),
        limit: pageSize(limit, LIMITS.pageSizeMax) + 1,
      };
      const { shown, last } = pageOf(await listUncategorised(nodes.sql, query), limit);
      return { entries: shown.map(entryMessage), ...(last && { next: cursorOf(last) }) };
    },
    async categorise({ accountId, sourceId, date, id, category }, call) {
      const place = {
        accountId: uuid('account', accountId),
        sourceId: uuid('source', sourceId),
        date: day(date),
        id: uuid('entry', id),
      };
      const result = await categorise(nodes.sql, call.actor(), place, category);
      switch (result.outcome) {
        case 'categorised':
          return entryMessage(result.entry);
        case 'invalidCategory': {
          const keys = CATEGORIES[result.sourceType][result.type].map(({ key }) => key);
          throw invalidArgument(
            `category of this ${result.type} must be one of ${keys.join(', ')}, not ${JSON.stringify(category)}`,
          );
        }
        case 'notFound':
          throw notFound(`no entry ${id} of ${date} in source ${sourceId}`);
      }
    },

    async listActions({ accountId, after, limit }) {
      const query = {
        accountId: accountId === undefined ? accountId : uuid('account', accountId),
        after: after === undefined ? after : uuid('action', after),
        limit: pageSize(limit, LIMITS.pageSizeMax) + 1,
      };
      const { shown, last } = pageOf(await listActions(nodes.sql, query), limit);
      return { actions: shown.map(actionMessage), ...(last && { next: last.id }) };
    },
  };
}

async function requireAccount(sql: Sql, accountId: string): Promise<void> {
  if (!(await accountExists(sql, uuid('account', accountId)))) throw notFound(`no account ${accountId}`);
}

async function requireSource(sql: Sql, accountId: string, id: string): Promise<void> {
  const sources = await listAccountSources(sql, accountId);
  if (!sources.some((source) => source.id === id.toLowerCase() && source.removedAt === null)) {
    throw notFound(`no source ${id}`);
  }
}

/** @param rows one more than `limit` if there are more. @returns `last` only if there are more */
function pageOf<Row>(rows: Row[], limit: number): { shown: Row[]; last: Row | undefined } {
  const shown = rows.slice(0, limit);
  return { shown, last: rows.length > limit ? shown.at(-1) : undefined };
}

/** The last entry of a page as one word, for the command line. */
const cursorOf = ({ date, id }: Position): string => `${date}_${id}`;

function positionIn(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [date = '', id = ''] = cursor.split('_');
  return { date: day(date), id: uuid('entry', id) };
}

const accountMessage = ({ createdAt, deletedAt, ...account }: Account): AccountMessage =>
  withoutNulls({
    ...account,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  });

const sourceMessage = ({ createdAt, removedAt, ...source }: Source): AdminSource =>
  withoutNulls({
    ...source,
    createdAt: createdAt.toISOString(),
    removedAt: removedAt?.toISOString() ?? null,
  });

const keyMessage = ({ createdAt, revokedAt, ...key }: Key): KeyMessage =>
  withoutNulls({ ...key, createdAt: createdAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null });

const entryMessage = (entry: Entry): AdminEntry => withoutNulls(entry);

const actionMessage = ({ at, details, ...action }: Action): ActionMessage => ({
  ...action,
  at: at.toISOString(),
  details: JSON.stringify(details),
});
