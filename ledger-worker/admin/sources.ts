/** The sources of an account. */
import { isValid as isCountryCode } from 'i18n-iso-countries';
import type { AdminMethod, AdminSource } from '../../proto/contract.ts';
import { SOURCE_ROLES, SOURCE_TYPES } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import { requireOneOf, requireUuid } from '../input.ts';
import { invalidArgument } from '../status.ts';
import { requireAccount } from './accounts.ts';
import { type AdminRpcs, message, newId, requireRow } from './rpc.ts';

const NAME_LENGTH_MAX = 200;

const columns = (sql: Sql) => sql`
  source_id as id, account_id as "accountId", name, type, country_code as "countryCode", role,
  share_percent as "sharePercent", transaction_count as "transactionCount", created_at as "createdAt",
  removed_at as "removedAt"`;

/** The account of a source, removed or not. The only statement on sources that cannot name the account. @throws StatusError NOT_FOUND */
async function accountOfSource(sql: Sql, id: string): Promise<string> {
  const rows = await sql`
    select account_id as "accountId" from ledger.source where source_id = ${requireUuid('source', id)}`;
  return requireRow<{ accountId: string }>(rows, 'source', id).accountId;
}

type Names = 'createSource' | 'renameSource' | 'removeSource' | 'listAccountSources';

export const sourceRpcs: AdminRpcs<Names> = {
  async createSource(sql, request, context) {
    const { accountId, type, name, countryCode, role, sharePercent } = newSource(request);
    const rows = await sql`
      select ${columns(sql)}
        from ledger.create_source(
          ${accountId}, ${newId()}, ${context.actor()}, ${newId()}, ${type}, ${name}, ${countryCode}, ${role}, ${sharePercent})`;
    return requireRow(rows, 'account', accountId);
  },

  async renameSource(sql, { id, name }, context) {
    const newName = sourceName(name);
    const accountId = await accountOfSource(sql, id);
    const rows = await sql`
      select ${columns(sql)} from ledger.rename_source(${accountId}, ${newId()}, ${context.actor()}, ${id}, ${newName})`;
    return requireRow(rows, 'source', id);
  },

  /**
   * Hides a source from the API for good; its entries stay. Takes the account's lock, so that no write to the source commits after
   * this returns. Removing it again changes nothing.
   */
  async removeSource(sql, { id }, context) {
    const accountId = await accountOfSource(sql, id);
    const rows = await sql`
      select ${columns(sql)} from ledger.remove_source(${accountId}, ${newId()}, ${context.actor()}, ${id})`;
    return requireRow(rows, 'source', id);
  },

  async listAccountSources(sql, { accountId }) {
    await requireAccount(sql, accountId);
    const rows = await sql`
      select ${columns(sql)} from ledger.source where account_id = ${accountId} order by source_id`;
    return { sources: rows.map(message<AdminSource>) };
  },
};

/** @throws StatusError INVALID_ARGUMENT */
function newSource(request: AdminMethod<'createSource'>['request']) {
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
    accountId: requireUuid('account', accountId),
    type: requireOneOf('type', type, SOURCE_TYPES),
    name: sourceName(name),
    countryCode: countryCode ?? null,
    role: requireOneOf('role', role, SOURCE_ROLES),
    sharePercent,
  };
}

function sourceName(name: string): string {
  if (name.trim() === '' || [...name].length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw invalidArgument(`name must be 1 to ${NAME_LENGTH_MAX} characters`);
  }
  // U+FFFD may replace invalid UTF-8.
  if (name.includes('\ufffd')) throw invalidArgument('name must be UTF-8, without U+FFFD');
  return name;
}
