/** The schema: how it comes to be, and the bounds that it holds by itself. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../../ledger-worker/database/connection.ts';
import { LOCK } from '../../../ledger-worker/database/migrate.ts';
import { startWorker } from '../../../local/system.ts';
import { sql, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const WORKERS = 10;
const name = `migrations_${Bun.randomUUIDv7().replaceAll('-', '')}`;
const address = new URL(system.databaseUrl);
address.pathname = name;
const databaseUrl = address.href;
let fresh: Sql;

beforeAll(async () => {
  await sql`create database ${sql(name)}`;
  fresh = openDatabase({ url: databaseUrl, poolMax: 2, statementTimeoutMs: 0 });
});
afterAll(async () => {
  await fresh.end();
  await sql`drop database ${sql(name)} with (force)`;
});

async function startAndStop(count: number): Promise<void> {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startWorker({ databaseUrl })));
  await Promise.all(started.map((worker) => worker.status === 'fulfilled' && worker.value.stop()));
  expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
}

/** Everything a start could have changed: the rows with the transaction that wrote them, and the schema. */
async function everything() {
  return {
    migrations: await fresh`select xmin::text, * from ledger.migration order by version`,
    applied: await fresh`select xmin::text, * from ledger.applied_functions order by version`,
    relations: await fresh`
      select xmin::text, oid::text, relname from pg_class where relnamespace = 'ledger'::regnamespace order by oid`,
    functions: await fresh`
      select xmin::text, oid::text, proname from pg_proc where pronamespace = 'ledger'::regnamespace order by oid`,
  };
}

test('ten workers started at once on an empty database all come up, and each migration is applied once', async () => {
  // All of them find the database empty, and then wait for the same lock.
  const holder = openDatabase({ url: databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  await holder`select pg_advisory_lock(${LOCK})`;
  const started = startAndStop(WORKERS);
  await until('every worker waits for the lock', async () => {
    const [{ waiting }] = await fresh<[{ waiting: number }]>`
      select count(*)::int as waiting from pg_locks
       where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = ${name})`;
    return waiting === WORKERS;
  });
  await holder.end();
  await started;
  const applied = await fresh`select version, name from ledger.migration order by version`;
  const files = readdirSync(join(import.meta.dir, '../../../ledger-worker/sql/migrations')).sort();
  expect(applied.map(({ version, name }) => `${String(version).padStart(4, '0')}_${name}.sql`)).toEqual(
    files,
  );
});

test('a start on a database that is up to date changes nothing', async () => {
  const before = await everything();
  expect(before.migrations.length).toBeGreaterThan(0);
  await startAndStop(2);
  expect(await everything()).toEqual(before);
});

type Row = Record<string, unknown>;
const accountId = Bun.randomUUIDv7();
const sourceId = Bun.randomUUIDv7();

const newKey = () => ({
  account_id: accountId,
  key_id: Bun.randomUUIDv7(),
  key_hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
});

/** A valid row of each table. */
const ROWS: Record<string, () => Row> = {
  account: () => ({ account_id: Bun.randomUUIDv7(), plan: 'pro' }),
  api_key: newKey,
  account_of_key: newKey,
  source: () => ({
    account_id: accountId,
    source_id: Bun.randomUUIDv7(),
    type: 'foreign-property',
    name: 'x',
    role: 'owner',
    share_percent: 50,
  }),
  entry: () => ({
    account_id: accountId,
    entry_id: Bun.randomUUIDv7(),
    source_id: sourceId,
    entry_date: '2026-04-06',
    amount_pence: 1,
    type: 'income',
  }),
  write_log: () => ({
    account_id: accountId,
    written_at: new Date(),
    created: 1,
    total: 1,
  }),
  admin_action: () => ({
    account_id: accountId,
    action_id: Bun.randomUUIDv7(),
    actor: 'x',
    action: 'x',
    details: '{}',
  }),
  idempotency_key: () => ({
    account_id: accountId,
    idempotency_key: Bun.randomUUIDv7(),
    fingerprint: Buffer.alloc(32),
    used_at: new Date(),
  }),
};

const insert = (table: string, fields: Row) =>
  sql`insert into ${sql(`ledger.${table}`)} ${sql({ ...ROWS[table]?.(), ...fields } as never)}`;

beforeAll(async () => {
  await insert('account', { account_id: accountId });
  await insert('source', { source_id: sourceId });
});

/** What the database refuses a row with: its SQLSTATE, and the constraint where there is one. */
async function refusal(statement: PromiseLike<unknown>): Promise<[string, string | undefined] | 'accepted'> {
  return statement.then(
    () => 'accepted' as const,
    ({ code, constraint_name }) => [code, constraint_name],
  );
}

interface Bound {
  table: string;
  within: Row[];
  beyond: Row[];
}

const NO_HASHES = [31, 33, 0].map((bytes) => ({ key_hash: Buffer.alloc(bytes) }));

/** Every check of the schema by its name: rows at its bounds, and rows one beyond them. */
const BOUNDS: Record<string, Bound> = {
  api_key_key_hash_check: { table: 'api_key', within: [{}], beyond: NO_HASHES },
  account_of_key_key_hash_check: { table: 'account_of_key', within: [{}], beyond: NO_HASHES },
  source_name_check: {
    table: 'source',
    within: [{ name: 'x' }, { name: '🏠'.repeat(200) }],
    beyond: [{ name: '' }, { name: 'x'.repeat(201) }],
  },
  country_code_check: {
    table: 'source',
    within: [{ country_code: 'FR' }, { country_code: null }],
    beyond: ['fr', 'F', 'FRA', '', 'F1', ' FR', 'FR\n'].map((country_code) => ({ country_code })),
  },
  source_check: {
    table: 'source',
    within: [{ type: 'uk-property' }, { type: 'foreign-property', country_code: 'FR' }],
    beyond: ['uk-property', 'self-employment'].map((type) => ({ type, country_code: 'FR' })),
  },
  source_role_check: {
    table: 'source',
    within: [{ role: 'owner' }, { role: 'sharer' }],
    beyond: [{ role: 'tenant' }, { role: '' }],
  },
  percentage_check: {
    table: 'source',
    within: [{ share_percent: 0 }, { share_percent: 100 }, { share_percent: 33.3 }],
    beyond: [{ share_percent: -0.001 }, { share_percent: 100.001 }, { share_percent: 'NaN' }],
  },
  entry_date_check: {
    table: 'entry',
    within: [{ entry_date: '0001-01-01' }, { entry_date: '9999-12-31' }],
    beyond: ['0001-12-31 BC', '10000-01-01', 'infinity', '-infinity'].map((entry_date) => ({ entry_date })),
  },
  pence_check: {
    table: 'entry',
    within: [{ amount_pence: 1 }, { amount_pence: '9007199254740991' }],
    beyond: [{ amount_pence: 0 }, { amount_pence: -1 }, { amount_pence: '9007199254740992' }],
  },
  description_check: {
    table: 'entry',
    within: [{ description: null }, { description: '' }, { description: '🏠'.repeat(500) }],
    beyond: [{ description: 'x'.repeat(501) }, { description: '🏠'.repeat(501) }],
  },
  external_ref_check: {
    table: 'entry',
    within: [{ external_ref: null }, { external_ref: 'x' }, { external_ref: '🏠'.repeat(180) }],
    beyond: [{ external_ref: '' }, { external_ref: 'x'.repeat(181) }, { external_ref: '🏠'.repeat(181) }],
  },
  account_erased_check: {
    table: 'account',
    within: [{ deleted_at: new Date() }, { deleted_at: new Date(), erasing_at: new Date() }],
    beyond: [{ erasing_at: new Date() }],
  },
  admin_action_action_check: {
    table: 'admin_action',
    within: [{ action: 'x' }, { action: 'x'.repeat(50) }],
    beyond: [{ action: '' }, { action: 'x'.repeat(51) }],
  },
  admin_action_actor_check: {
    table: 'admin_action',
    within: [{ actor: 'x' }, { actor: '🏠'.repeat(300) }],
    beyond: [{ actor: '' }, { actor: 'x'.repeat(301) }],
  },
  idempotency_key_idempotency_key_check: {
    table: 'idempotency_key',
    within: [{ idempotency_key: 'x' }, { idempotency_key: 'x'.repeat(255) }],
    beyond: [{ idempotency_key: '' }, { idempotency_key: 'x'.repeat(256) }],
  },
  idempotency_key_fingerprint_check: {
    table: 'idempotency_key',
    within: [{}],
    beyond: [
      { fingerprint: Buffer.alloc(31) },
      { fingerprint: Buffer.alloc(33) },
      { fingerprint: Buffer.alloc(0) },
    ],
  },
};

test('every check of the schema is among those below', async () => {
  const checks = await sql`
    select conname from pg_constraint
     where connamespace = 'ledger'::regnamespace and contype = 'c' order by conname`;
  expect(checks.map(({ conname }) => conname)).toEqual(Object.keys(BOUNDS).sort());
});

test.each(Object.entries(BOUNDS))(
  '%s admits a row at the bound and refuses one beyond it',
  async (constraint, { table, within, beyond }) => {
    for (const fields of within) {
      expect([fields, await refusal(insert(table, fields))]).toEqual([fields, 'accepted']);
    }
    for (const fields of beyond) {
      expect([fields, await refusal(insert(table, fields))]).toEqual([fields, ['23514', constraint]]);
    }
  },
);

test('no reference and no id is stored twice in an account; another account may have the same', async () => {
  const entryId = Bun.randomUUIDv7();
  await insert('entry', { entry_id: entryId, external_ref: 'once' });
  expect(await refusal(insert('entry', { external_ref: 'once' }))).toEqual(['23505', 'entry_external_ref']);
  expect(await refusal(insert('entry', { entry_id: entryId }))).toEqual(['23505', 'entry_pkey']);

  const other = { account_id: Bun.randomUUIDv7() };
  await insert('account', other);
  await insert('source', { ...other, source_id: sourceId });
  const same = { ...other, entry_id: entryId, external_ref: 'once' };
  expect(await refusal(insert('entry', same))).toBe('accepted');
});

test('a source and a key are of an account that there is', async () => {
  for (const table of ['source', 'api_key']) {
    const refused = await refusal(insert(table, { account_id: Bun.randomUUIDv7() }));
    expect(refused).toEqual(['23503', expect.any(String)]);
  }
  expect(await refusal(insert('entry', { type: 'transfer' }))).toEqual(['22P02', undefined]);
});

test.each(Object.keys(ROWS))('no field of a valid %s row may be null', async (table) => {
  for (const column of Object.keys(ROWS[table]?.() ?? {})) {
    const outcome = await refusal(insert(table, { [column]: null }));
    expect([column, outcome[0]]).toEqual([column, '23502']);
  }
});
