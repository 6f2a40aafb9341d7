/** What the app and the operator ask: accounts, their sources and their keys. */
import { hashApiKey, mintApiKey } from '../proto/api-key.ts';
import type { Sql } from './database.ts';

export interface Account {
  accountId: string;
  plan: string;
  createdAt: Date;
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

const accountColumns = (sql: Sql) => sql`account_id as "accountId", plan, created_at as "createdAt"`;
const sourceColumns = (sql: Sql) => sql`
  source_id as id, account_id as "accountId", name, type, country_code as "countryCode", role,
  share_percent as "sharePercent", transaction_count as "transactionCount", created_at as "createdAt",
  removed_at as "removedAt"`;
const keyColumns = (sql: Sql) => sql`
  key_id as "keyId", account_id as "accountId", created_at as "createdAt", revoked_at as "revokedAt"`;

export async function createAccount(sql: Sql, plan: string): Promise<Account> {
  const [account] = await sql<[Account]>`
    insert into ledger.account (account_id, plan) values (${Bun.randomUUIDv7()}, ${plan})
    returning ${accountColumns(sql)}`;
  return account;
}

/** Waits for the account's writes in progress, as every change of what they rely on does. */
export async function setPlan(sql: Sql, accountId: string, plan: string): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    update ledger.account set plan = ${plan} where account_id = ${accountId} returning ${accountColumns(sql)}`;
  return account;
}

/** At most `limit` accounts after the one named, oldest first: account ids ascend with time. */
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

/** Undefined when there is no such account. */
export async function createSource(sql: Sql, source: NewSource): Promise<Source | undefined> {
  const [created] = await sql<Source[]>`
    insert into ledger.source (account_id, source_id, type, name, country_code, role, share_percent)
    select account_id, ${Bun.randomUUIDv7()}, ${source.type}, ${source.name}, ${source.countryCode}, ${source.role},
           ${source.sharePercent}
      from ledger.account where account_id = ${source.accountId}
    returning ${sourceColumns(sql)}`;
  return created;
}

/** Undefined when there is no such source, or it was removed. */
export async function renameSource(sql: Sql, id: string, name: string): Promise<Source | undefined> {
  const [source] = await sql<Source[]>`
    update ledger.source set name = ${name} where source_id = ${id} and removed_at is null
    returning ${sourceColumns(sql)}`;
  return source;
}

/**
 * Hides a source from the API for good; its entries stay. Takes the account's lock, so that no write which found
 * the source commits after this returned. Removing it again changes nothing.
 */
export async function removeSource(sql: Sql, id: string): Promise<Source | undefined> {
  const [source] = await sql<Source[]>`
    with locked as (
      select account_id from ledger.account
       where account_id = (select account_id from ledger.source where source_id = ${id})
         for no key update
    )
    update ledger.source set removed_at = coalesce(removed_at, clock_timestamp())
     where account_id = (select account_id from locked) and source_id = ${id}
    returning ${sourceColumns(sql)}`;
  return source;
}

export function listAccountSources(sql: Sql, accountId: string): Promise<Source[]> {
  return sql<Source[]>`
    select ${sourceColumns(sql)} from ledger.source where account_id = ${accountId} order by source_id`;
}

/** A new key, shown in this result and nowhere else. Undefined when there is no such account. */
export async function createKey(sql: Sql, accountId: string, prefix: string) {
  const key = mintApiKey(prefix);
  const [row] = await sql<{ keyId: string }[]>`
    insert into ledger.api_key (account_id, key_id, key_hash)
    select account_id, ${Bun.randomUUIDv7()}, ${hashApiKey(key)} from ledger.account where account_id = ${accountId}
    returning key_id as "keyId"`;
  return row && { keyId: row.keyId, key };
}

/**
 * Stops a key. Takes the account's lock, so that no write begun with the key commits after this returned. Revoking
 * it again changes nothing. Undefined when there is no such key.
 */
export async function revokeKey(sql: Sql, keyId: string): Promise<Key | undefined> {
  const [key] = await sql<Key[]>`
    with locked as (
      select account_id from ledger.account
       where account_id = (select account_id from ledger.api_key where key_id = ${keyId})
         for no key update
    )
    update ledger.api_key set revoked_at = coalesce(revoked_at, clock_timestamp())
     where account_id = (select account_id from locked) and key_id = ${keyId}
    returning ${keyColumns(sql)}`;
  return key;
}

export function listKeys(sql: Sql, accountId: string): Promise<Key[]> {
  return sql<Key[]>`
    select ${keyColumns(sql)} from ledger.api_key where account_id = ${accountId} order by key_id`;
}
