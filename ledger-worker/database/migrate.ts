/**
 * Migrates the database: applies the missing files of `sql/migrations/`, forward only, then the functions of `sql/functions/` if
 * their texts differ from the recorded texts, and are not older.
 */
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { Sql } from './connection.ts';
import { reasonOf } from './errors.ts';
import { functions, migrations, SQL_FOLDER, statementsOf } from './schema-sql.ts';

// An arbitrary number for the advisory lock.
export const LOCK = 7_203_415_511;

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

/** The extra steps of a schema change on several servers. */
export interface SchemaChanges {
  /** @throws Error in one sentence if the schema cannot be changed here or now */
  requireServers(sql: Sql): Promise<void>;
  /** PL/pgSQL for the beginning of a transaction, with the variable v_is_distributed. */
  begin: string;
  /** PL/pgSQL for the end of each statement that creates tables or functions. */
  distribute: string;
}
const ON_ONE_SERVER: SchemaChanges = { requireServers: async () => {}, begin: '', distribute: '' };

/** After each change of the functions, and of what is distributed. */
export const endOfChange = ({ distribute }: SchemaChanges) => `
  ${distribute}
  -- By default every role may execute a function.
  revoke all on all functions in schema ledger from public;
  if exists (select from pg_roles where rolname = 'ledger_worker') then
    perform ledger.grant_to_worker();
  end if;`;

/**
 * Migrates. Workers may do so concurrently: each migration runs in a transaction of its own, under one advisory lock, and only
 * once. The service can keep running: for each table that a file locks, its statements wait at most LOCK_TIMEOUT_MS, and deadlock_timeout while a
 * vacuum is cancelled, plus the time that the file itself takes.
 * @param folder contains `migrations` and `functions`
 * @throws Error in one sentence
 */
export async function migrate(sql: Sql, folder = SQL_FOLDER, changes = ON_ONE_SERVER): Promise<void> {
  try {
    // A start that has nothing to apply writes nothing: on a distributed database most of it would need every node.
    if ((await missingIn(sql, folder)).length === 0) return;
    await changes.requireServers(sql);
    await applyMissing(sql, folder, changes);
    await applyFunctions(sql, folder, changes);
  } catch (error) {
    throw new Error(`The database of DATABASE_URL cannot be brought up to date: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/**
 * Checks, without changes, that the database has the migrations and functions that this worker needs. A newer
 * database passes: its functions still serve older workers.
 * @throws Error in one sentence that names the missing parts
 */
export async function requireMigrated(sql: Sql, folder = SQL_FOLDER): Promise<void> {
  const missing = await missingIn(sql, folder).catch((error) => {
    throw new Error(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}.`);
  });
  if (missing.length === 0) return;
  throw new Error(
    `The database of DATABASE_URL is older than this worker needs, it lacks ${missing.join(', ')}: run \`bun run migrate\` first.`,
  );
}

/** The migrations and functions of this version that the database lacks. */
export async function missingIn(sql: Sql, folder: string): Promise<string[]> {
  const [found] = await sql`select to_regclass('ledger.migration') is not null as "hasSchema"`;
  if (!found?.hasSchema) return ['all of it'];
  const applied = await appliedMigrations(sql, folder);
  const unapplied = migrations(folder).filter(({ version }) => !applied.has(version));
  if (unapplied.length > 0) return unapplied.map(({ version, name }) => `migration ${version} (${name})`);
  const { version, checksum } = functions(folder);
  const [kept] = await sql<{ isOlder: boolean }[]>`
    select version < ${version} or version = ${version} and checksum <> ${checksum} as "isOlder"
      from ledger.applied_functions order by version desc limit 1`;
  return kept?.isOlder === false ? [] : [`version ${version} of the functions`];
}

async function applyMissing(sql: Sql, folder: string, changes: SchemaChanges): Promise<void> {
  // A statement of its own is a transaction, and a pooler needs to hold nothing.
  await sql.unsafe(`
    do $create$
    declare
      v_is_distributed boolean := false;
    begin
      perform pg_advisory_xact_lock(${LOCK});
      ${changes.begin}
      -- Not to_regclass: after the wait for the lock it may still use the earlier catalog.
      if not exists (select from pg_tables where schemaname = 'ledger' and tablename = 'migration') then
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
          ${changes.begin}
          -- Every write locks this table first. Without this lock a migration could deadlock with a write.
          if to_regclass('ledger.account') is not null then
            lock table ledger.account in exclusive mode;
          end if;
          -- One by one: Citus sends the text of a command to the nodes, and they accept one command.
          for v_statement in
            select json_array_elements_text($statements$${JSON.stringify(statementsOf(body))}$statements$)
          loop
            execute v_statement;
            ${changes.distribute}
          end loop;
          insert into ledger.migration (version, name) values (${version}, '${name}');
          -- Rights in its tables. The first migration has no functions yet. The functions stay as recorded until all migrations are
          -- applied: a worker of the version before must be able to start if the next migration fails.
          if exists (select from ledger.applied_functions) then
            ${endOfChange(changes)}
          end if;
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
 * Applies the functions, all in one transaction, unless the database has the same or later ones: in a rolling upgrade, workers of two
 * releases call the same functions. A new signature is therefore another function; a later release drops the old one.
 */
async function applyFunctions(sql: Sql, folder: string, changes: SchemaChanges): Promise<void> {
  const { version, checksum, texts } = functions(folder);
  // As JSON, because the texts contain dollar quotes.
  await sql.unsafe(`
    do $apply$
    declare
      v_text           text;
      v_is_distributed boolean := false;
    begin
      perform pg_advisory_xact_lock(${LOCK});
      if exists (select from ledger.applied_functions
                  where version > ${version} or version = ${version} and checksum = '${checksum}') then
        return;
      end if;
      ${changes.begin}
      -- Functions call each other, so their order must not matter.
      set local check_function_bodies = off;
      for v_text in select json_array_elements_text($texts$${JSON.stringify(texts)}$texts$) loop
        execute v_text;
      end loop;
      insert into ledger.applied_functions (version, checksum) values (${version}, '${checksum}')
      on conflict (version) do update set checksum = excluded.checksum, applied_at = excluded.applied_at;
      ${endOfChange(changes)}
    end
    $apply$`);
}

/** A lock timeout or a deadlock. */
function isLockUnavailable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '55P03' || code === '40P01';
}
