/**
 * Accounts, their sources and their API keys. Every change is a function of the database: it logs the action and the `actor` who
 * requested it in the same transaction, and on distributed books it needs only the account's node. The only change possible in a
 * deleted account is to revoke a key.
 */

import { hashApiKey } from '../../proto/api-key.ts';
import type { Sql } from '../database/connection.ts';
import { mintApiKey } from './mint-key.ts';

export interface Account {
  accountId: string;
  plan: string;
  createdAt: Date;
  deletedAt: Date | null;
}

export interface Source {
  id: string;
  accountId: string;
  name: string;
  type: string;
  countryCode: string | null;
  role: string;
  sharePercent: number;
  transactionCount: number;
  createdAt: Date;
  removedAt: Date | null;
}

export interface Key {
  keyId: string;
  accountId: string;
  createdAt: Date;
  revokedAt: Date | null;
}

export const accountColumns = (sql: Sql) => sql`
  account_id as "accountId", plan, created_at as "createdAt", deleted_at as "deletedAt"`;
const sourceColumns = (sql: Sql) => sql`
  source_id as id, account_id as "accountId", name, type, country_code as "countryCode", role,
  share_percent as "sharePercent", transaction_count as "transactionCount", created_at as "createdAt",
  removed_at as "removedAt"`;
const keyColumns = (sql: Sql) => sql`
  key_id as "keyId", account_id as "accountId", created_at as "createdAt", revoked_at as "revokedAt"`;

export async function createAccount(sql: Sql, actor: string, plan: string): Promise<Account> {
  const [account] = await sql<[Account]>`
    select ${accountColumns(sql)}
      from ledger.create_account(${Bun.randomUUIDv7()}, ${Bun.randomUUIDv7()}, ${actor}, ${plan})`;
  return account;
}

/** Waits for the account's running writes, like every change that they depend on. */
export async function setPlan(
  sql: Sql,
  actor: string,
  accountId: string,
  plan: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select ${accountColumns(sql)}
      from ledger.set_plan(${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${plan})`;
  return account;
}

/** At most `limit` accounts after the given one, oldest first: account ids ascend with time. */
export function listAccounts(sql: Sql, after: string | undefined, limit: number): Promise<Account[]> {
  return sql<Account[]>`
    select ${accountColumns(sql)} from ledger.account
     ${after === undefined ? sql`` : sql`where account_id > ${after}`}
     order by account_id limit ${limit}`;
}

export async function accountExists(sql: Sql, accountId: string): Promise<boolean> {
  const rows = await sql`select from ledger.account where account_id = ${accountId}`;
  return rows.length > 0;
}

export type NewSource = Pick<Source, 'accountId' | 'type' | 'name' | 'countryCode' | 'role' | 'sharePercent'>;

/** The account of a source, whether or not it was removed; undefined without such a source. The only statement on sources that cannot name the account. */
async function accountOfSource(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    select account_id as "accountId" from ledger.source where source_id = ${id}`;
  return row?.accountId;
}

/** The account of a key, whether or not it was revoked; undefined without such a key. */
async function accountOfKey(sql: Sql, keyId: string): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    select account_id as "accountId" from ledger.account_of_key where key_id = ${keyId}`;
  return row?.accountId;
}

/** Undefined without such an account. */
export async function createSource(sql: Sql, actor: string, source: NewSource): Promise<Source | undefined> {
  const [created] = await sql<Source[]>`
    select ${sourceColumns(sql)}
      from ledger.create_source(
        ${source.accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${Bun.randomUUIDv7()}, ${source.type}, ${source.name},
        ${source.countryCode}, ${source.role}, ${source.sharePercent})`;
  return created;
}

/** Undefined without such a source, or when it was removed. */
export async function renameSource(
  sql: Sql,
  actor: string,
  id: string,
  name: string,
): Promise<Source | undefined> {
  const accountId = await accountOfSource(sql, id);
  if (accountId === undefined) return undefined;
  const [source] = await sql<Source[]>`
    select ${sourceColumns(sql)}
      from ledger.rename_source(${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${id}, ${name})`;
  return source;
}

/**
 * Hides a source from the API for good; its entries stay. Takes the account's lock, so that no write to the source commits
 * after this returns. Removing it again changes nothing.
 */
export async function removeSource(sql: Sql, actor: string, id: string): Promise<Source | undefined> {
  const accountId = await accountOfSource(sql, id);
  if (accountId === undefined) return undefined;
  const [source] = await sql<Source[]>`
    select ${sourceColumns(sql)}
      from ledger.remove_source(${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${id})`;
  return source;
}

export function listAccountSources(sql: Sql, accountId: string): Promise<Source[]> {
  return sql<Source[]>`
    select ${sourceColumns(sql)} from ledger.source where account_id = ${accountId} order by source_id`;
}

/**
 * Creates a key. Only this result contains it. Locks out a concurrent deletion of the account, which must see the key.
 * Undefined without such an account.
 */
export async function createKey(sql: Sql, actor: string, accountId: string, prefix: string) {
  const key = mintApiKey(prefix);
  const [row] = await sql<[{ keyId: string | null }]>`
    select ledger.create_key(
      ${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${Bun.randomUUIDv7()}, ${hashApiKey(key)}) as "keyId"`;
  return row.keyId === null ? undefined : { keyId: row.keyId, key };
}

/**
 * Revokes a key. Takes the account's lock, so that no write with the key commits after this returns. Revoking it again changes
 * nothing. A key that was stopped by its account's deletion stays revoked when the account is restored. Undefined without such a
 * key.
 */
export async function revokeKey(sql: Sql, actor: string, keyId: string): Promise<Key | undefined> {
  const accountId = await accountOfKey(sql, keyId);
  if (accountId === undefined) return undefined;
  const [key] = await sql<Key[]>`
    select ${keyColumns(sql)}
      from ledger.revoke_key(${accountId}, ${Bun.randomUUIDv7()}, ${actor}, ${keyId})`;
  return key;
}

export function listKeys(sql: Sql, accountId: string): Promise<Key[]> {
  return sql<Key[]>`
    select ${keyColumns(sql)} from ledger.api_key where account_id = ${accountId} order by key_id`;
}
