/** The Admin service: checks what a person typed, asks, and answers in their words. */
import { isValid as isCountryCode } from 'i18n-iso-countries';
import {
  type Account as AccountMessage,
  type AdminDefinition,
  type AdminSource,
  type Handlers,
  type Key as KeyMessage,
  withoutNulls,
} from '../proto/ledger.ts';
import { isUuid } from '../proto/uuid.ts';
import { PLANS, SOURCE_ROLES, SOURCE_TYPES } from '../proto/vocabulary.ts';
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
  type NewSource,
  removeSource,
  renameSource,
  revokeKey,
  type Source,
  setPlan,
} from './accounts.ts';
import type { Sql } from './database.ts';
import { invalidArgument, notFound } from './status.ts';

const ACCOUNTS_PER_PAGE_MAX = 1000;
const NAME_LENGTH_MAX = 200;

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
      if (limit < 1 || limit > ACCOUNTS_PER_PAGE_MAX)
        throw invalidArgument(`limit must be 1 to ${ACCOUNTS_PER_PAGE_MAX}`);
      const accounts = await listAccounts(sql, after === undefined ? after : uuid('account', after), limit);
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
  };
}

async function requireAccount(sql: Sql, accountId: string): Promise<void> {
  if (!(await accountExists(sql, uuid('account', accountId)))) throw notFound(`no account ${accountId}`);
}

function newSource(request: Omit<NewSource, 'countryCode'> & { countryCode?: string }): NewSource {
  const { accountId, type, name, countryCode, role, sharePercent } = request;
  if (!(sharePercent >= 0 && sharePercent <= 100)) throw invalidArgument('share must be 0 to 100 (percent)');
  if (countryCode !== undefined && type !== 'foreign-property') {
    throw invalidArgument('only a foreign-property has a country');
  }
  if (countryCode !== undefined && !(/^[A-Z]{2}$/.test(countryCode) && isCountryCode(countryCode))) {
    throw invalidArgument(
      `country must be an ISO 3166-1 alpha-2 code such as FR, not ${JSON.stringify(countryCode)}`,
    );
  }
  return {
    accountId: uuid('account', accountId),
    type: oneOf('type', type, SOURCE_TYPES),
    name: sourceName(name),
    countryCode: countryCode ?? null,
    role: oneOf('role', role, SOURCE_ROLES),
    sharePercent,
  };
}

function sourceName(name: string): string {
  if (name.trim() === '' || [...name].length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw invalidArgument(`name must be 1 to ${NAME_LENGTH_MAX} characters`);
  }
  return name;
}

function oneOf(what: string, value: string, accepted: readonly string[]): string {
  if (!accepted.includes(value)) {
    throw invalidArgument(`${what} must be one of ${accepted.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value;
}

function uuid(what: string, value: string): string {
  if (!isUuid(value)) {
    throw invalidArgument(`${what} must be named by its id, a uuid, not ${JSON.stringify(value)}`);
  }
  return value;
}

function found<Row>(row: Row | undefined, what: string, id: string): Row {
  if (row === undefined) throw notFound(`no ${what} ${id}`);
  return row;
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
