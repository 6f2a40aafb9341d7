/** Deleting, restoring and erasing an account. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { eraseAccount } from '../../ledger-worker/admin/accounts.ts';
import { addressesIn } from '../../ledger-worker/database/address.ts';
import { Pool } from '../../ledger-worker/database/pool.ts';
import { expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { entry, type Json, TestAccount } from '../fixtures/client.ts';
import { writesOf } from '../fixtures/day.ts';
import { ENDPOINTS, failure } from '../fixtures/endpoints.ts';
import { backendsWaiting, locks } from '../fixtures/locks.ts';
import { admin, citus, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { json, run } from './command-line.ts';

setDefaultTimeout(60_000);

afterEach(() => locks.release());

const statusOf = (call: Promise<unknown>) => call.catch(({ code }) => status[code]);

/** An account with entries in two sources and two keys. */
async function fullAccount() {
  const account = await TestAccount.create();
  await account.post([entry({ externalRef: 'a', category: 'periodAmount' }), entry({ externalRef: 'b' })]);
  const headers = { 'idempotency-key': 'k' };
  await account.post(entry(), { source: account.sources['self-employment'], headers });
  await admin.createKey({ accountId: account.accountId });
  await sql`
    insert into ledger.seal (account_id, day, pass, entries, total, income, expense, digest)
    values (${account.accountId}, '2026-01-05', '2026-01-05', 1, 1, 1, 0, sha256('x'))`;
  return account;
}

const TABLES = [
  'account',
  'api_key',
  'account_of_key',
  'source',
  'entry',
  'write_log',
  'idempotency_key',
  'seal',
];

/** Every row of an account, except the action log. */
async function storedOf(accountId: string): Promise<Record<string, Json[]>> {
  const tables: Record<string, Json[]> = {};
  for (const table of TABLES) {
    tables[table] = await sql<Json[]>`
      select row_to_json(t)::text as row from ${sql(`ledger.${table}`)} t where account_id = ${accountId} order by 1`;
  }
  return tables;
}
const counts = (stored: Record<string, Json[]>) =>
  Object.fromEntries(Object.entries(stored).map(([table, rows]) => [table, rows.length]));

test('on every endpoint the keys of a deleted account at once get the same response as revoked keys', async () => {
  const [account, other] = [await fullAccount(), await TestAccount.create()];
  const { keyId = '' } = (await admin.listKeys({ accountId: other.accountId })).keys[0] ?? {};
  // Now the gateway has the key in its cache.
  for (const { request } of ENDPOINTS) await request(account, account.key);
  await admin.deleteAccount({ accountId: account.accountId });
  await admin.revokeKey({ keyId });
  for (const { name, request } of ENDPOINTS) {
    const [deleted, revoked] = [await request(account, account.key), await request(other, other.key)];
    expect([name, deleted.status, deleted.body]).toEqual([name, 401, revoked.body]);
  }
});

test('a restored account has the same entries, counts, daily usage, references and keys as before', async () => {
  const account = await fullAccount();
  const { accountId } = account;
  const stopped = await admin.createKey({ accountId });
  await admin.revokeKey({ keyId: stopped.keyId });
  const before = await storedOf(accountId);
  const listed = await account.get('/api/v1/sources');

  const deleted = await admin.deleteAccount({ accountId });
  expect(deleted.deletedAt).toBeString();
  expect(await storedOf(accountId)).not.toEqual(before);
  const restored = await admin.restoreAccount({ accountId });
  expect(restored.deletedAt).toBeUndefined();
  expect(await storedOf(accountId)).toEqual(before);

  expect((await account.get('/api/v1/sources')).body).toEqual(listed.body);
  const again = await account.post([entry({ externalRef: 'a', category: 'periodAmount' })]);
  expect([again.status, again.body.deduplicated]).toEqual([200, 1]);
  await expectCountsToEqualRows(account);
});

test('a key that was revoked while its account was deleted stays revoked', async () => {
  const account = await fullAccount();
  const { accountId } = account;
  await admin.deleteAccount({ accountId });
  const [first] = (await admin.listKeys({ accountId })).keys;
  await admin.revokeKey({ keyId: first?.keyId ?? '' });
  await admin.restoreAccount({ accountId });
  const { keys } = await admin.listKeys({ accountId });
  expect(keys.map(({ revokedAt }) => revokedAt !== undefined)).toEqual([true, false]);
  expect(failure(await account.get('/api/v1/me'))).toEqual([401, 'invalid_key']);
});

test('a deleted account is listed as deleted, and no RPC changes it or creates anything in it', async () => {
  const account = await fullAccount();
  const { accountId, sources } = account;
  const [uncategorised] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
  const { deletedAt } = await admin.deleteAccount({ accountId });
  const before = await storedOf(accountId);
  const source = { type: 'uk-property', name: 'x', role: 'owner', sharePercent: 1 };
  const calls: [string, () => Promise<unknown>][] = [
    ['deleteAccount', () => admin.deleteAccount({ accountId })],
    ['setPlan', () => admin.setPlan({ accountId, plan: 'firm' })],
    ['createKey', () => admin.createKey({ accountId })],
    ['createSource', () => admin.createSource({ accountId, ...source })],
    ['renameSource', () => admin.renameSource({ id: sources['uk-property'], name: 'x' })],
    ['removeSource', () => admin.removeSource({ id: sources['uk-property'] })],
    ['categorise', () => admin.categorise({ accountId, ...uncategorised, category: 'other' })],
  ];
  for (const [name, call] of calls) expect([name, await statusOf(call())]).toEqual([name, 'NOT_FOUND']);
  expect(await storedOf(accountId)).toEqual(before);
  const found = (await json('account', 'list')).find((each: Json) => each.accountId === accountId);
  expect(found.deletedAt).toBe(deletedAt);
});

test('after a deletion has returned, no request succeeds and no row is added', async () => {
  // With the late ones they are within the account's share of the worker on a distributed database. Beyond it a write is refused with 503.
  const early = 20;
  for (let round = 0; round < 9; round++) {
    const account = await TestAccount.create();
    const { accountId } = account;
    const responses = Array.from({ length: early }, () => account.post(entry()));
    await until('a write is in the books', async () => (await rowsOf(accountId)).length > 0);
    await admin.deleteAccount({ accountId });
    const [rows, writes] = [await rowsOf(accountId), await writesOf(accountId)];
    const late = await Promise.all(Array.from({ length: 10 }, () => account.post(entry())));
    expect(late.map((response) => response.status)).toEqual(Array(10).fill(401));
    const created = (await Promise.all(responses)).filter((response) => response.status === 201);
    expect(created.length).toBe(rows.length);
    expect([await rowsOf(accountId), await writesOf(accountId)]).toEqual([rows, writes]);
  }
});

test('a key that is created while its account is being deleted does not work afterwards', async () => {
  for (let round = 0; round < 2; round++) {
    const { accountId } = await fullAccount();
    // All of them wait for the lock on the account and then run one after the other.
    await locks.account(accountId);
    const keys = () => Array.from({ length: 3 }, () => admin.createKey({ accountId }).catch(() => undefined));
    const before = keys();
    const deletion = admin.deleteAccount({ accountId });
    const after = keys();
    // On a distributed database as many as the worker has connections for.
    const waiting = citus ? 2 : 7;
    await until('all of them wait', async () => (await backendsWaiting('ledger.')).length >= waiting);
    await locks.release();
    await Promise.all([...before, deletion, ...after]);
    const working =
      await sql`select from ledger.api_key where account_id = ${accountId} and revoked_at is null`;
    expect(working.length).toBe(0);
  }
});

test('an erasure removes every row of the account and no other; the action log stays', async () => {
  const [account, other] = [await fullAccount(), await fullAccount()];
  const { accountId } = account;
  const others = await storedOf(other.accountId);
  expect(Object.values(counts(await storedOf(accountId))).every((count) => count > 0)).toBe(true);

  await admin.deleteAccount({ accountId });
  expect(await admin.eraseAccount({ accountId })).toEqual({ accountId, entries: 3 });
  expect(counts(await storedOf(accountId))).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
  expect(await storedOf(other.accountId)).toEqual(others);

  const { actions } = await admin.listActions({ accountId, limit: 2 });
  expect(actions.map(({ action, details }) => [action, details])).toEqual([
    ['account erase', '{"entries":3}'],
    ['account delete', '{}'],
  ]);
  expect(await statusOf(admin.restoreAccount({ accountId }))).toBe('NOT_FOUND');
  expect(failure(await account.get('/api/v1/me'))).toEqual([401, 'invalid_key']);
});

test('every table with an account_id is erased, except the action log', async () => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
     where table_schema = 'ledger' and column_name = 'account_id'`;
  expect(tables.map(({ name }) => name).sort()).toEqual([...TABLES, 'admin_action'].sort());
});

test('an interrupted erasure cannot be restored, and the next call completes it', async () => {
  const account = await fullAccount();
  const { accountId } = account;
  const size = async () =>
    Object.values(counts(await storedOf(accountId))).reduce((sum, count) => sum + count);
  await admin.deleteAccount({ accountId });
  await sql`update ledger.account set erasing_at = now() where account_id = ${accountId}`;
  const before = await size();
  const [step] = await sql`select ledger.erase_some(${accountId}, 2) as "isDone"`;
  expect([step?.isDone, await size()]).toEqual([false, before - 2]);

  expect(await statusOf(admin.restoreAccount({ accountId }))).toBe('NOT_FOUND');
  await admin.eraseAccount({ accountId });
  expect(await size()).toBe(0);
});

/** An account that is deleted, with more entries than one step of an erasure removes. */
async function deletedLargeAccount(): Promise<string> {
  const { accountId, sources } = await fullAccount();
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
    select ${accountId}, gen_random_uuid(), ${sources['uk-property']}, '2026-04-06', 1, 'income' from generate_series(1, 5000)`;
  await admin.deleteAccount({ accountId });
  return accountId;
}

test('an account with more entries than one step removes is erased completely', async () => {
  const accountId = await deletedLargeAccount();
  await admin.eraseAccount({ accountId });
  expect(counts(await storedOf(accountId)).entry).toBe(0);
});

test('an erasure leaves its connection to others after each step', async () => {
  const accountId = await deletedLargeAccount();
  const [url = ''] = addressesIn(system.databaseUrl);
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 30_000, isDistributed: citus !== undefined });
  const begun: string[] = [];
  const others: Promise<unknown>[] = [];
  const nodes: Parameters<typeof eraseAccount>[0] = {
    withConnection(work, signal) {
      const step = pool.withConnection((own) => {
        begun.push('step');
        return work(own);
      }, signal);
      if (others.length === 0) others.push(pool.withConnection(async () => begun.push('other')));
      return step;
    },
  };
  try {
    const context = { signal: new AbortController().signal, actor: () => 'test' };
    await eraseAccount(nodes)({ accountId }, context);
    await Promise.all(others);
    expect(begun.slice(0, 3)).toEqual(['step', 'other', 'step']);
    expect(begun.length).toBeGreaterThan(4);
  } finally {
    await pool.end();
  }
});

test('an erasure step removes no row of an account that is not being erased', async () => {
  const [live, deleted] = [await fullAccount(), await fullAccount()];
  await admin.deleteAccount({ accountId: deleted.accountId });
  for (const { accountId } of [live, deleted]) {
    const before = await storedOf(accountId);
    await sql`select ledger.erase_some(${accountId}, 1000)`;
    expect(await storedOf(accountId)).toEqual(before);
  }
});

test('the command line deletes, restores, and erases with --yes, or after the period of keeping and the id as an answer', async () => {
  const account = await fullAccount();
  const { accountId } = account;
  const id = ['--id', accountId];
  expect(await json('account', 'delete', ...id)).toMatchObject({ accountId, deletedAt: expect.any(String) });
  expect(failure(await account.get('/api/v1/me'))).toEqual([401, 'invalid_key']);
  expect(await json('account', 'restore', ...id)).toMatchObject({ accountId, plan: 'pro' });
  expect((await account.get('/api/v1/me')).status).toBe(200);

  await json('account', 'delete', ...id);
  const erase = (lines: string[]) => run(['account', 'erase', ...id], undefined, undefined, lines);
  for (const lines of [[], ['yes'], ['', accountId]]) {
    const rejected = await erase(lines);
    expect([rejected.exitCode, rejected.out]).toEqual([2, '']);
    expect(rejected.err).toContain('until 5 years after 31 January that follows their tax year');
    expect(rejected.err).toContain('--yes');
  }
  expect(await rowsOf(accountId)).toHaveLength(3);
  expect(await erase([`${accountId} `])).toMatchObject({ exitCode: 0 });
  expect(await rowsOf(accountId)).toEqual([]);

  const other = await TestAccount.create();
  await json('account', 'delete', '--id', other.accountId);
  const erased = await json('account', 'erase', '--id', other.accountId, '--yes');
  expect(erased).toEqual({ accountId: other.accountId, entries: 0 });
});
