/** The schema: how it comes to be, and the bounds that it holds by itself. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK, migrate } from '../../../ledger-worker/database/migrate.ts';
import { startWorker } from '../../../local/system.ts';
import { openOne } from '../../fixtures/database.ts';
import { copySchema, makeNewer, SQL_FOLDER } from '../../fixtures/newer-schema.ts';
import { createDatabase } from '../../fixtures/own-database.ts';
import { sql } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const WORKERS = 5;
const { name, url: databaseUrl, db: fresh, drop } = await createDatabase();
afterAll(drop);

async function startAndStop(count: number): Promise<void> {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startWorker({ databaseUrl })));
  await Promise.all(started.map((worker) => worker.status === 'fulfilled' && worker.value.stop()));
  expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
}

/** Everything a start could have changed, with the transactions that wrote it. */
const everything = () => fresh`
  select xmin::text, version::text from ledger.migration
  union all select xmin::text, version::text from ledger.applied_functions
  union all select xmin::text, relname from pg_class where relnamespace = 'ledger'::regnamespace
  union all select xmin::text, proname from pg_proc where pronamespace = 'ledger'::regnamespace
  order by 2, 1`;

test('workers started at once on an empty database all come up, and each migration is applied once', async () => {
  // All of them find the database empty, and then wait for the same lock.
  const holder = openOne(databaseUrl);
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
  const applied = await fresh`
    select lpad(version::text, 4, '0') || '_' || name || '.sql' as file from ledger.migration order by version`;
  expect(applied.map(({ file }) => file)).toEqual(readdirSync(join(SQL_FOLDER, 'migrations')).sort());
});

test('a start on a database that is up to date changes nothing', async () => {
  const before = await everything();
  expect(before.length).toBeGreaterThan(20);
  await startAndStop(2);
  expect(await everything()).toEqual(before);
});

test('a migration does not give way to autovacuum until its end', async () => {
  const newer = copySchema();
  makeNewer(newer);
  // A page in 100 ms: it takes minutes for what follows.
  await fresh`alter table ledger.account set (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`;
  await fresh`
    insert into ledger.account (account_id, plan) select gen_random_uuid(), 'pro' from generate_series(1, 50000)`;
  const often = async (naptime: string) => {
    await sql.unsafe(`alter system set autovacuum_naptime = ${naptime}`);
    await sql`select pg_reload_conf()`;
  };
  await often("'1s'");
  const held = () => fresh`
    select from pg_locks
     where relation = 'ledger.account'::regclass and mode = 'ShareUpdateExclusiveLock' and granted`;
  await until('autovacuum is at work', async () => (await held()).length > 0, 40_000);
  await often('default');
  await migrate(fresh, newer);
  expect(await fresh`select from ledger.migration where name = 'source_written_at'`).toHaveLength(1);
}, 120_000);

type Row = Record<string, unknown>;
const accountId = Bun.randomUUIDv7();
const sourceId = Bun.randomUUIDv7();

const own = { account_id: accountId };
const newKey = () => ({
  ...own,
  key_id: Bun.randomUUIDv7(),
  key_hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
});

let seals = 0;
/** A valid row of each table. */
const ROWS: Record<string, () => Row> = {
  account: () => ({ account_id: Bun.randomUUIDv7(), plan: 'pro' }),
  api_key: newKey,
  account_of_key: newKey,
  source: () => ({
    ...own,
    source_id: Bun.randomUUIDv7(),
    type: 'foreign-property',
    name: 'x',
    role: 'owner',
    share_percent: 50,
  }),
  entry: () => ({
    ...own,
    entry_id: Bun.randomUUIDv7(),
    source_id: sourceId,
    entry_date: '2026-04-06',
    amount_pence: 1,
    type: 'income',
  }),
  admin_action: () => ({ ...own, action_id: Bun.randomUUIDv7(), actor: 'x', action: 'x', details: '{}' }),
  idempotency_key: () => ({
    ...own,
    idempotency_key: Bun.randomUUIDv7(),
    fingerprint: Buffer.alloc(32),
    used_at: new Date(),
  }),
  seal: () => ({
    ...own,
    day: `2026-01-${10 + seals++}`,
    pass: '2026-01-31',
    entries: 1,
    total: 1,
    income: 1,
    expense: 0,
    digest: Buffer.alloc(32),
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

const house = (count: number) => '🏠'.repeat(count);
const bytes = (...counts: number[]) => counts.map((count) => Buffer.alloc(count));

/** Every check of the schema by its name, with its table and column: values at its bounds, and values one beyond them. */
const BOUNDS: [check: string, column: string, within: unknown[], beyond: unknown[]][] = [
  ['account_of_key_key_hash_check', 'account_of_key.key_hash', bytes(32), bytes(31, 33, 0)],
  ['admin_action_action_check', 'admin_action.action', ['x', 'x'.repeat(50)], ['', 'x'.repeat(51)]],
  ['admin_action_actor_check', 'admin_action.actor', ['x', house(300)], ['', 'x'.repeat(301)]],
  ['api_key_key_hash_check', 'api_key.key_hash', bytes(32), bytes(31, 33, 0)],
  ['country_code_check', 'source.country_code', ['FR', null], ['fr', 'F', 'FRA', '', 'F1', ' FR', 'FR\n']],
  ['description_check', 'entry.description', [null, '', house(500)], ['x'.repeat(501), house(501)]],
  [
    'entry_date_check',
    'entry.entry_date',
    ['0001-01-01', '9999-12-31'],
    ['0001-12-31 BC', '10000-01-01', 'infinity', '-infinity'],
  ],
  ['external_ref_check', 'entry.external_ref', [null, 'x', house(180)], ['', 'x'.repeat(181), house(181)]],
  ['fingerprint_check', 'idempotency_key.fingerprint', bytes(32), bytes(31, 33, 0)],
  [
    'idempotency_key_text_check',
    'idempotency_key.idempotency_key',
    ['x', 'x'.repeat(255)],
    ['', 'x'.repeat(256)],
  ],
  ['pence_check', 'entry.amount_pence', [1, '9007199254740991'], [0, -1, '9007199254740992']],
  ['percentage_check', 'source.share_percent', [0, 100, 33.3], [-0.001, 100.001, 'NaN']],
  ['seal_digest_check', 'seal.digest', bytes(32), bytes(31, 33, 0)],
  ['source_name_check', 'source.name', ['x', house(200)], ['', 'x'.repeat(201)]],
  ['source_role_check', 'source.role', ['owner', 'sharer'], ['tenant', '']],
];
/** Checks of two columns. */
const PAIRS: [check: string, table: string, within: Row[], beyond: Row[]][] = [
  [
    'account_erased_check',
    'account',
    [{ deleted_at: new Date() }, { deleted_at: new Date(), erasing_at: new Date() }],
    [{ erasing_at: new Date() }],
  ],
];
const CHECKS = [
  ...BOUNDS.map(([check, place, ...values]): (typeof PAIRS)[number] => {
    const [table = '', column = ''] = place.split('.');
    const rows = (each: unknown[]) => each.map((value) => ({ [column]: value }));
    return [check, table, rows(values[0]), rows(values[1])];
  }),
  ...PAIRS,
];

test('every check of the schema is among those below', async () => {
  const checks = await sql`
    select conname from pg_constraint
     where connamespace = 'ledger'::regnamespace and contype = 'c' order by conname`;
  expect(checks.map(({ conname }) => conname)).toEqual(CHECKS.map(([check]) => check).sort());
});

test.each(CHECKS)(
  '%s of %s admits a row at the bound and refuses one beyond it',
  async (check, table, within, beyond) => {
    for (const fields of within) {
      expect([fields, await refusal(insert(table, fields))]).toEqual([fields, 'accepted']);
    }
    for (const fields of beyond) {
      expect([fields, await refusal(insert(table, fields))]).toEqual([fields, ['23514', check]]);
    }
  },
);

test.each(['uk-property', 'self-employment'])('a source of type %s has no country', async (type) => {
  const create = (of: string) => sql`
    select from ledger.create_source(
      ${accountId}, ${Bun.randomUUIDv7()}, 'test', ${Bun.randomUUIDv7()}, ${of}, 'House', 'FR', 'owner', 100)`;
  expect(await refusal(create('foreign-property'))).toBe('accepted');
  expect(await refusal(create(type))).toEqual(['23514', undefined]);
});

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
