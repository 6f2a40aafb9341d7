/**
 * Accounts, their sources and their API keys. Every change takes the `actor` who requested it and logs the action in the same
 * transaction. The only change possible in a deleted account is to revoke a key.
 */
import { hashApiKey, mintApiKey } from '../../proto/api-key.ts';
import type { Sql } from '../database/connection.ts';
import { logged } from './action-log.ts';

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
    with done as (
      insert into ledger.account (account_id, plan) values (${Bun.randomUUIDv7()}, ${plan}) returning *
    ), ${logged(sql, actor, 'account create', sql`jsonb_build_object('plan', plan)`)}
    select ${accountColumns(sql)} from done`;
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
    with stored as (
      select account_id, plan from ledger.account where account_id = ${accountId} and deleted_at is null
         for no key update
    ), done as (
      update ledger.account set plan = ${plan}
       where account_id = ${accountId} and exists (select from stored)
      returning *, (select plan from stored) as plan_before
    ), ${logged(sql, actor, 'account set-plan', sql`jsonb_build_object('plan', plan, 'before', plan_before)`)}
    select ${accountColumns(sql)} from done`;
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

/**
 * A part of a statement (a CTE): the time after the CTE `locked` has its lock; no row if that has none. Citus refuses a function
 * of the time in an update, and in an insert it calls it before the statement runs.
 */
export const moment = (sql: Sql) => sql`moment as (select clock_timestamp() as at from locked)`;

const ofSource = (sql: Sql) => sql`jsonb_build_object('sourceId', source_id)`;
const ofKey = (sql: Sql) => sql`jsonb_build_object('keyId', key_id)`;

/** Undefined without such an account. */
export async function createSource(sql: Sql, actor: string, source: NewSource): Promise<Source | undefined> {
  const [created] = await sql<Source[]>`
    with done as (
      insert into ledger.source as s (account_id, source_id, type, name, country_code, role, share_percent)
      select account_id, ${Bun.randomUUIDv7()}, ${source.type}, ${source.name}, ${source.countryCode}, ${source.role},
             ${source.sharePercent}
        from ledger.account where account_id = ${source.accountId} and deleted_at is null
      returning *
    ), ${logged(sql, actor, 'source create', ofSource(sql))}
    select ${sourceColumns(sql)} from done`;
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
    with done as (
      update ledger.source set name = ${name}
       where account_id = ${accountId} and source_id = ${id} and removed_at is null
         and (select deleted_at is null from ledger.account where account_id = ${accountId})
      returning *
    ), ${logged(sql, actor, 'source rename', ofSource(sql))}
    select ${sourceColumns(sql)} from done`;
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
    with locked as (
      select account_id from ledger.account where account_id = ${accountId} and deleted_at is null for no key update
    ), ${moment(sql)}, done as (
      update ledger.source set removed_at = coalesce(removed_at, moment.at)
        from moment
       where account_id = ${accountId} and source_id = ${id}
      returning source.*
    ), ${logged(sql, actor, 'source remove', ofSource(sql))}
    select ${sourceColumns(sql)} from done`;
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
  const [row] = await sql<{ keyId: string }[]>`
    with locked as (
      select account_id from ledger.account where account_id = ${accountId} and deleted_at is null for share
    ), entered as (
      insert into ledger.account_of_key (key_hash, key_id, account_id)
      select ${hashApiKey(key)}, ${Bun.randomUUIDv7()}, account_id from locked
      returning *
    ), done as (
      insert into ledger.api_key (account_id, key_id, key_hash)
      select account_id, key_id, key_hash from entered
      returning *
    ), ${logged(sql, actor, 'key create', ofKey(sql))}
    select key_id as "keyId" from done`;
  return row && { keyId: row.keyId, key };
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
    with locked as (
      select account_id from ledger.account where account_id = ${accountId} for no key update
    ), ${moment(sql)}, done as (
      update ledger.api_key set revoked_at = coalesce(revoked_at, moment.at), stopped_with_account = false
        from moment
       where account_id = ${accountId} and key_id = ${keyId}
      returning api_key.*
    ), ${logged(sql, actor, 'key revoke', ofKey(sql))}
    select ${keyColumns(sql)} from done`;
  return key;
}

export function listKeys(sql: Sql, accountId: string): Promise<Key[]> {
  return sql<Key[]>`
    select ${keyColumns(sql)} from ledger.api_key where account_id = ${accountId} order by key_id`;
}
