/** The Admin service: checks what a person typed, asks, and answers in their words. */
import {
  type Account as AccountMessage,
  type AdminDefinition,
  type AdminEntry,
  type AdminSource,
  type Handlers,
  type Key as KeyMessage,
  withoutNulls,
} from '../proto/ledger.ts';
import { CATEGORIES, LIMITS, PLANS } from '../proto/vocabulary.ts';
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
import { day, found, newSource, oneOf, pageSize, sourceName, uuid } from './admin-input.ts';
import type { Sql } from './database.ts';
import { categorise, type Entry, listUncategorised, type Position } from './review-queue.ts';
import { invalidArgument, notFound } from './status.ts';

const ACCOUNTS_PER_PAGE_MAX = 1000;

/**
 * Answers the RPCs of proto/admin.proto from the database.
 * @param keyPrefix what the keys that it makes begin with
 */
export function adminService(sql: Sql, keyPrefix: string): Handlers<AdminDefinition> {
  return {
    async createAccount({ plan }) {
      return accountMessage(await createAccount(sql, oneOf('plan', plan, Object.keys(PLANS))));
    },
    async setPlan({ accountId, plan }) {
      const account = await setPlan(sql, uuid('account', accountId), oneOf('plan', plan, Object.keys(PLANS)));
      return accountMessage(found(account, 'account', accountId));
    },
    async listAccounts({ after, limit }) {
      const id = after === undefined ? after : uuid('account', after);
      const accounts = await listAccounts(sql, id, pageSize(limit, ACCOUNTS_PER_PAGE_MAX));
      return { accounts: accounts.map(accountMessage) };
    },

    async createSource(request) {
      const source = newSource(request);
      return sourceMessage(found(await createSource(sql, source), 'account', source.accountId));
    },
    async renameSource({ id, name }) {
      return sourceMessage(
        found(await renameSource(sql, uuid('source', id), sourceName(name)), 'source', id),
      );
    },
    async removeSource({ id }) {
      return sourceMessage(found(await removeSource(sql, uuid('source', id)), 'source', id));
    },
    async listAccountSources({ accountId }) {
      await requireAccount(sql, accountId);
      return { sources: (await listAccountSources(sql, accountId)).map(sourceMessage) };
    },

    async createKey({ accountId }) {
      return found(await createKey(sql, uuid('account', accountId), keyPrefix), 'account', accountId);
    },
    async revokeKey({ keyId }) {
      return keyMessage(found(await revokeKey(sql, uuid('key', keyId)), 'key', keyId));
    },
    async listKeys({ accountId }) {
      await requireAccount(sql, accountId);
      return { keys: (await listKeys(sql, accountId)).map(keyMessage) };
    },

    async listUncategorised({ accountId, sourceId, after, limit }) {
      await requireAccount(sql, accountId);
      if (sourceId !== undefined) await requireSource(sql, accountId, uuid('source', sourceId));
      const size = pageSize(limit, LIMITS.pageSizeMax);
      const query = { accountId, sourceId, after: positionIn(after), limit: size + 1 };
      const waiting = await listUncategorised(sql, query);
      const shown = waiting.slice(0, size);
      const last = waiting.length > size ? shown.at(-1) : undefined;
      return { entries: shown.map(entryMessage), ...(last && { next: cursorOf(last) }) };
    },
    async categorise({ accountId, sourceId, date, id, category }) {
      const place = {
        accountId: uuid('account', accountId),
        sourceId: uuid('source', sourceId),
        date: day(date),
        id: uuid('entry', id),
      };
      const result = await categorise(sql, place, category);
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

/** A cursor is one word, for the command line; it names the last entry of its page. */
const cursorOf = ({ date, id }: Position): string => `${date}_${id}`;

function positionIn(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [date = '', id = ''] = cursor.split('_');
  return { date: day(date), id: uuid('entry', id) };
}

const accountMessage = ({ createdAt, ...account }: Account): AccountMessage => ({
  ...account,
  createdAt: createdAt.toISOString(),
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
