/** Functions of the database: their text is that of the newest version that has migrated, and of no other. */
import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { migrate, requireMigrated } from '../../../ledger-worker/database/migrate.ts';
import { schemaCheck } from '../../../ledger-worker/database/schema-check.ts';
import { functions, VERSION_FILE } from '../../../ledger-worker/database/schema-sql.ts';
import { domainFiles } from '../../../ledger-worker/sql/generate.ts';
import { CONTRACT } from '../../../proto/domain.ts';
import {
  addMigration,
  changeFunction,
  copySchema,
  makeNewer,
  raiseVersion,
  SQL_FOLDER,
} from '../../fixtures/newer-schema.ts';
import { createDatabase } from '../../fixtures/own-database.ts';
import { UPDATE } from './schema.ts';

setDefaultTimeout(60_000);

const migrated = await createDatabase();
await migrate(migrated.db);
await migrated.db.end();
afterAll(migrated.drop);

let db: Sql;
let drop: () => Promise<void>;
beforeEach(async () => {
  ({ db, drop } = await createDatabase(migrated.name));
});
afterEach(() => drop());

/** The text of each function. */
async function stored(): Promise<Map<string, string>> {
  const rows = await db<{ name: string; text: string }[]>`
    select proname as name, prosrc as text from pg_proc where pronamespace = 'ledger'::regnamespace order by 1`;
  return new Map(rows.map(({ name, text }) => [name, text]));
}

test('every function of the schema is applied out of the file of its name, and every file holds one', async () => {
  const files = readdirSync(join(SQL_FOLDER, 'functions'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => basename(file, '.sql'));
  expect(files.length).toBeGreaterThan(5);
  expect([...(await stored()).keys()]).toEqual(files.sort());
});

test('the functions of the domain are generated from it', () => {
  for (const [file, text] of domainFiles()) expect(readFileSync(file, 'utf8')).toBe(text);
});

test('functions that no longer serve the contract of a worker make its check fail', async () => {
  const check = schemaCheck();
  await check(db);
  await db.unsafe(`create or replace function ledger.oldest_contract() returns integer language sql immutable
    as 'select ${CONTRACT.number + 1}'`);
  await expect(check(db)).rejects.toThrow('upgrade the worker');
});

test('the version of the functions was raised with the last change of a text', () => {
  const { version, checksum } = functions(SQL_FOLDER);
  const written = readFileSync(join(SQL_FOLDER, VERSION_FILE), 'utf8').trim();
  expect(written, `A function has changed: ${UPDATE}`).toBe(`${version} ${checksum}`);
});

test('functions whose text has changed are applied, and only the worker may call them', async () => {
  const folder = copySchema();
  changeFunction(folder, 'delete_expired', 'v_keys   integer;', 'v_keys   integer; -- keys');
  await migrate(db, folder);
  expect((await stored()).get('delete_expired')).toContain('-- keys');
  const [rights] = await db`
    select has_function_privilege('ledger_worker', oid, 'execute') as "ofWorker",
           has_function_privilege('public', oid, 'execute') as "ofAll",
           (select rolcanlogin from pg_roles where rolname = 'ledger_worker') as "canLogIn"
      from pg_proc where proname = 'delete_expired'`;
  expect(rights).toEqual({ ofWorker: true, ofAll: false, canLogIn: false });
});

test('of functions one of which fails none is applied, and the next start applies them', async () => {
  const before = await stored();
  const folder = copySchema();
  changeFunction(folder, 'erase_some', 'v_table   text;', 'v_table   text; -- one of five');
  changeFunction(folder, 'split_entries', 'language plpgsql stable', 'language plpgsql stable stable');
  await expect(migrate(db, folder)).rejects.toThrow(
    /^The database of DATABASE_URL cannot be brought up to date: [^\n]+\.$/,
  );
  expect(await stored()).toEqual(before);
  changeFunction(folder, 'split_entries', 'language plpgsql stable stable', 'language plpgsql stable');
  await migrate(db, folder);
  expect((await stored()).get('erase_some')).toContain('-- one of five');
});

test.each([true, false])(
  'a worker that is older than the database restores no function, and reports no error: with a migration %p',
  async (withMigration) => {
    const folder = copySchema();
    if (withMigration) makeNewer(folder);
    changeFunction(folder, 'erase_some', 'v_table   text;', 'v_table   text; -- one of five');
    if (!withMigration) raiseVersion(folder);
    await migrate(db, folder);
    const before = await stored();
    expect(before.get('erase_some')).toContain('-- one of five');
    await migrate(db);
    expect(await stored()).toEqual(before);
    await requireMigrated(db);
  },
);

test('with MIGRATE=never a worker needs the functions of its own version', async () => {
  await requireMigrated(db);
  const folder = copySchema();
  changeFunction(folder, 'erase_some', 'v_table   text;', 'v_table   text; -- one of five');
  const sentence =
    /^The database of DATABASE_URL is older [^\n]*lacks version \d+ of the functions: run `bun run migrate` first\.$/;
  await expect(requireMigrated(db, folder)).rejects.toThrow(sentence);
  raiseVersion(folder);
  await expect(requireMigrated(db, folder)).rejects.toThrow(sentence);
});

test('what a migration adds is granted to the worker, although no function has changed', async () => {
  const folder = copySchema();
  addMigration(folder, 'note', 'create table ledger.note (account_id uuid primary key);\n');
  await migrate(db, folder);
  const [right] = await db`select has_table_privilege('ledger_worker', 'ledger.note', 'select') as reads`;
  expect(right).toEqual({ reads: true });
});

test('after a migration of two, with the second refused, a worker of the version before still starts', async () => {
  const folder = copySchema();
  addMigration(folder, 'note', 'create table ledger.note (account_id uuid primary key);\n');
  addMigration(folder, 'refused', 'alter table ledger.account add column plan text;\n');
  await expect(migrate(db, folder)).rejects.toThrow('cannot be brought up to date');
  expect(await db`select from ledger.migration where name = 'note'`).toHaveLength(1);
  await requireMigrated(db);
  await schemaCheck()(db);
});

test('a database with another history of migrations is refused in one sentence, and left as it is', async () => {
  await db`update ledger.migration set name = 'books' where version = 1`;
  const before = await stored();
  const folder = copySchema();
  makeNewer(folder);
  const sentence =
    /^The database of DATABASE_URL cannot be [^\n]* migration 1 as "books" [^\n]* use an empty database\.$/;
  await expect(migrate(db, folder)).rejects.toThrow(sentence);
  await expect(requireMigrated(db)).rejects.toThrow(sentence);
  expect(await stored()).toEqual(before);
  expect(await db`select from ledger.migration where name = 'source_written_at'`).toHaveLength(0);
});
