/**
 * Migrates the database: applies the missing files of `sql/migrations/`, forward only, then every file of `sql/functions/`
 * whose text differs from what the database has recorded.
 */
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { CATEGORIES, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../proto/vocabulary.ts';
import { requireServers } from './cluster.ts';
import type { Sql } from './connection.ts';
import {
  DISTRIBUTE_NEW,
  functions,
  migrations,
  newestVersion,
  SQL_FOLDER,
  statementsOf,
} from './sql-files.ts';

// An arbitrary number for the advisory lock.
export const LOCK = 7_203_415_511;

// The function that grants rights to the worker's role.
const GRANTS = 'grant_to_worker';

// All other statements queue behind a migration that waits for a table lock, and a dump can hold one for hours. So a migration
// gives up soon, lets the others pass, and tries again.
const LOCK_TIMEOUT_MS = 200;
// The lock mode of vacuum.
const VACUUM_LOCK_MODE = 'ShareUpdateExclusiveLock';
export const lockRetries = retry(handleWhen(isLockUnavailable), {
  // About two minutes.
  maxAttempts: 30,
  backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 5_000 }),
});

// For a transaction that takes table locks.
export const SET_LOCK_TIMEOUT = `
  set local lock_timeout = ${LOCK_TIMEOUT_MS};
  -- Postgres cancels an autovacuum only for a session that has waited for deadlock_timeout.
  perform set_config('lock_timeout', (${LOCK_TIMEOUT_MS} + 1000 * extract(
            epoch from current_setting('deadlock_timeout')::interval))::integer::text, true)
    from pg_locks join pg_class on pg_class.oid = relation
   where relnamespace = to_regnamespace('ledger') and mode = '${VACUUM_LOCK_MODE}'
   limit 1;`;

// The books may be on a database that has Citus and be not distributed yet: then nothing of them is on the nodes. With foreign keys
// to reference tables Citus would take new tables over before they are distributed.
export const SET_CITUS = `
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    v_is_distributed := v_is_distributed or exists (
      select from pg_dist_partition where logicalrelid = to_regclass('ledger.account'));
    perform set_config('citus.enable_ddl_propagation', v_is_distributed::text, true);
    set local citus.multi_shard_modify_mode = 'sequential';
    set local citus.enable_local_reference_table_foreign_keys = off;
  end if;`;

const DISTRIBUTE = `if v_is_distributed then execute $new$${DISTRIBUTE_NEW}$new$; end if;`;

/** After every change of the schema. */
export const COMPLETE = `
  ${DISTRIBUTE}
  -- By default every role may execute a function.
  revoke all on all functions in schema ledger from public;
  if exists (select from pg_roles where rolname = 'ledger_worker') then
    perform ledger.${GRANTS}();
  end if;`;

/**
 * Migrates, and copies the vocabulary into its reference tables. Workers may do so concurrently: each file runs in a
 * transaction of its own, under one advisory lock, and only once. The service can keep running: its statements wait at most
 * LOCK_TIMEOUT_MS, plus the time that a file itself takes.
 * @param folder contains `migrations` and `functions`
 * @throws Error in one sentence
 */
export async function migrate(sql: Sql, folder = SQL_FOLDER): Promise<void> {
  try {
    // A start that has nothing to apply writes nothing: on distributed books most of it would need every node.
    if ((await missingIn(sql, folder)).length === 0) return;
    await requireServers(sql);
    await applyMissing(sql, folder);
    await applyFunctions(sql, folder);
    await copyVocabulary(sql);
  } catch (error) {
    throw new Error(`The database cannot be brought up to date: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Why a change of the schema has failed. */
export function reasonOf(error: unknown): string | undefined {
  const { message, code } = error as { message?: string; code?: string };
  return isLockUnavailable(error)
    ? 'another session holds a table lock, perhaps a dump or a vacuum'
    : message?.split('\n')[0] || code;
}

/**
 * Checks, without changes, that the database has the migrations, functions and vocabulary that this worker needs. A newer
 * database passes: its functions still serve older workers.
 * @throws Error in one sentence that names what is missing
 */
export async function requireMigrated(sql: Sql, folder = SQL_FOLDER): Promise<void> {
  const missing = await missingIn(sql, folder).catch(({ message, code }) => {
    throw new Error(`The database cannot be used: ${message || code}.`);
  });
  if (missing.length === 0) return;
  throw new Error(
    `The database is older than this worker needs, it lacks ${missing.join(', ')}: run \`bun run migrate\` first.`,
  );
}

async function missingIn(sql: Sql, folder: string): Promise<string[]> {
  const [found] = await sql`select to_regclass('ledger.migration') is not null as "hasSchema"`;
  if (!found?.hasSchema) return ['all of it'];
  const applied = await appliedMigrations(sql, folder);
  const unapplied = migrations(folder).filter(({ version }) => !applied.has(version));
  if (unapplied.length > 0) return unapplied.map(({ version, name }) => `migration ${version} (${name})`);
  if (Math.max(...applied.keys()) === newestVersion(folder)) {
    const kept = await sql<
      { name: string; checksum: string }[]
    >`select name, checksum from ledger.applied_function`;
    const other = functions(folder).filter(
      ({ name, checksum }) => !kept.some((each) => each.name === name && each.checksum === checksum),
    );
    if (other.length > 0) return other.map(({ name }) => `this version of the function ${name}`);
  }
  const stored = await sql<{ word: string }[]>`
    select concat_ws(' ', plan, api_access) as word from ledger.plan
     union all select concat_ws(' ', source_type, entry_type, category) from ledger.category`;
  const { plans, categories } = vocabulary();
  const words = [
    ...plans.map(({ plan, api_access }) => `${plan} ${api_access ? 't' : 'f'}`),
    ...categories.map((each) => `${each.source_type} ${each.entry_type} ${each.category}`),
  ];
  return words
    .filter((word) => !stored.some((each) => each.word === word))
    .map((word) => `the word "${word}"`);
}

async function applyMissing(sql: Sql, folder: string): Promise<void> {
  // A statement of its own is a transaction, and a pooler needs to hold nothing.
  await sql.unsafe(`
    do $create$
    declare
      v_is_distributed boolean := false;
    begin
      perform pg_advisory_xact_lock(${LOCK});
      ${SET_CITUS}
      if to_regclass('ledger.migration') is null then
        create schema if not exists ledger;
        create table ledger.migration (
          version integer primary key, name text not null, applied_at timestamptz not null default now()
        );
      end if;
    end
    $create$`);
  await appliedMigrations(sql, folder);
  for (const { version, name, body } of migrations(folder)) {
    const apply = () =>
      sql.unsafe(`
      do $migrate$
      declare
        v_is_distributed boolean := false;
        v_statement      text;
      begin
        perform pg_advisory_xact_lock(${LOCK});
        if not exists (select from ledger.migration where version = ${version}) then
          ${SET_LOCK_TIMEOUT}
          ${SET_CITUS}
          -- Every write locks this table first. Without this lock a migration could deadlock with a write.
          if to_regclass('ledger.account') is not null then
            lock table ledger.account in exclusive mode;
          end if;
          -- One by one: Citus sends the text of a command to the nodes, and they accept one command.
          for v_statement in
            select json_array_elements_text($statements$${JSON.stringify(statementsOf(body))}$statements$)
          loop
            execute v_statement;
            ${DISTRIBUTE}
          end loop;
          insert into ledger.migration (version, name) values (${version}, '${name}');
          -- Applied again below, to grant rights in what the migration has created.
          delete from ledger.applied_function where name = '${GRANTS}';
        end if;
      end
      $migrate$`);
    await lockRetries.execute(apply);
  }
}

/**
 * The applied migrations: name by version.
 * @throws Error if the database has a different migration under one of this version's numbers
 */
async function appliedMigrations(sql: Sql, folder: string): Promise<Map<number, string>> {
  const rows = await sql<{ version: number; name: string }[]>`select version, name from ledger.migration`;
  const applied = new Map(rows.map(({ version, name }) => [version, name]));
  for (const { version, name } of migrations(folder)) {
    const other = applied.get(version) ?? name;
    if (other !== name) {
      throw new Error(
        `it has migration ${version} as "${other}" and this version has it as "${name}", so use an empty database`,
      );
    }
  }
  return applied;
}

/**
 * Applies every function whose text differs from the database's, all in one transaction. A worker that is older than the database
 * applies none: in a rolling upgrade it would restore the old text. It is older if its newest migration is, so **a release that
 * changes a function needs a migration**, even one that consists of a comment.
 *
 * During a rolling upgrade, workers of two releases call the same functions. A new signature is therefore a function with a new
 * name; a later release drops the old function.
 */
async function applyFunctions(sql: Sql, folder: string): Promise<void> {
  // As JSON, because the texts contain dollar quotes.
  await sql.unsafe(`
    do $apply$
    declare
      v record;
      v_is_changed     boolean := false;
      v_is_distributed boolean := false;
    begin
      perform pg_advisory_xact_lock(${LOCK});
      if (select max(version) from ledger.migration) > ${newestVersion(folder)} then
        return;
      end if;
      ${SET_CITUS}
      -- Functions call each other, so their order must not matter.
      set local check_function_bodies = off;
      for v in
        select file.*
          from json_to_recordset($files$${JSON.stringify(functions(folder))}$files$)
               as file (name text, checksum text, body text)
          left join ledger.applied_function using (name)
         where applied_function.checksum is distinct from file.checksum
      loop
        execute v.body;
        insert into ledger.applied_function (name, checksum) values (v.name, v.checksum)
        on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at;
        v_is_changed := true;
      end loop;
      if v_is_changed then
        ${COMPLETE}
      end if;
    end
    $apply$`);
}

/** A lock timeout or a deadlock. */
function isLockUnavailable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '55P03' || code === '40P01';
}

/** Adds new words. None is ever removed: stored rows and older workers may use it. */
async function copyVocabulary(sql: Sql): Promise<void> {
  const { plans, sourceTypes, categories } = vocabulary();
  await sql`
    insert into ledger.plan ${sql(plans)}
    on conflict (plan) do update set api_access = excluded.api_access
      where plan.api_access <> excluded.api_access`;
  await sql`insert into ledger.source_type ${sql(sourceTypes)} on conflict do nothing`;
  await sql`insert into ledger.category ${sql(categories)} on conflict do nothing`;
}

/** As rows. */
function vocabulary() {
  const plans = Object.entries(PLANS).map(([plan, { apiAccess }]) => ({ plan, api_access: apiAccess }));
  const sourceTypes = SOURCE_TYPES.map((source_type) => ({ source_type }));
  const categories = SOURCE_TYPES.flatMap((source_type) =>
    ENTRY_TYPES.flatMap((entry_type) =>
      CATEGORIES[source_type][entry_type].map(({ key }) => ({ source_type, entry_type, category: key })),
    ),
  );
  return { plans, sourceTypes, categories };
}
