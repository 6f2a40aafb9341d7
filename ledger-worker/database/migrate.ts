/**
 * Brings the schema up to date: numbered files of `sql/migrations/`, forward only, then each file of `sql/functions/` whose text
 * is not the one that the database has.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { CATEGORIES, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../../proto/vocabulary.ts';
import type { Sql } from './pool.ts';

const SQL_FOLDER = join(import.meta.dir, '../sql');

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 7_203_415_511;

// The function that says what the worker's role may do.
const GRANTS = 'grant_to_worker';

// Everybody else waits behind a file that waits for a table: who holds it may be a dump, which takes hours. So it gives
// up, lets them pass, and tries again.
const TABLE_WAIT_MS_MAX = 200;
// Of vacuum, and of little else that lasts.
const MODE_OF_VACUUM = 'ShareUpdateExclusiveLock';
const patient = retry(handleWhen(isTableBusy), {
  // About two minutes.
  maxAttempts: 30,
  backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 5_000 }),
});

/**
 * Applies what is missing, and copies the vocabulary into its reference tables. Any number of workers may do so at
 * once: each file runs in a transaction of its own, behind one lock, and only if nobody else was first. The service may
 * be at work: what it asks waits a moment at most, but for the time that a file itself takes.
 * @param folder has the folders `migrations` and `functions`
 * @throws Error that says in one sentence why not
 */
export async function migrate(sql: Sql, folder = SQL_FOLDER): Promise<void> {
  try {
    await applyMissing(sql, folder);
    await applyFunctions(sql, folder);
    await copyVocabulary(sql);
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    const reason = isTableBusy(error)
      ? 'somebody holds a table, perhaps a dump or a vacuum'
      : message || code;
    throw new Error(`The database cannot be brought up to date: ${reason}.`, { cause: error });
  }
}

/**
 * For a worker that does not migrate: compares what it needs with what is there, functions and words included, and changes
 * nothing. A newer database has newer functions, which an earlier worker may call.
 * @throws Error that says in one sentence what is missing
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
  // Simple protocol: several statements in one message are one transaction, and a pooler needs to hold nothing.
  await sql.unsafe(`
    select pg_advisory_xact_lock(${LOCK});
    create schema if not exists ledger;
    create table if not exists ledger.migration (
      version integer primary key, name text not null, applied_at timestamptz not null default now()
    )`);
  await appliedMigrations(sql, folder);
  for (const { version, name, body } of migrations(folder)) {
    const apply = () =>
      sql.unsafe(`
      do $migrate$
      begin
        perform pg_advisory_xact_lock(${LOCK});
        if not exists (select from ledger.migration where version = ${version}) then
          set local lock_timeout = ${TABLE_WAIT_MS_MAX};
          -- Postgres ends an autovacuum for who has waited for it as long as that, and for nobody before.
          if exists (select from pg_locks join pg_class on pg_class.oid = relation
                      where relnamespace = 'ledger'::regnamespace and mode = '${MODE_OF_VACUUM}') then
            perform set_config('lock_timeout', (${TABLE_WAIT_MS_MAX} + 1000 * extract(
              epoch from current_setting('deadlock_timeout')::interval))::integer::text, true);
          end if;
          -- Where every write begins: none is in the midst of the tables that follow, in another order.
          if to_regclass('ledger.account') is not null then
            lock table ledger.account in exclusive mode;
          end if;
          execute $migration$ ${body} $migration$;
          insert into ledger.migration (version, name) values (${version}, '${name}');
          -- It grants the rights in what the migration has made, once it is applied again.
          delete from ledger.applied_function where name = '${GRANTS}';
        end if;
      end
      $migrate$`);
    await patient.execute(apply);
  }
}

/**
 * The names by version.
 * @throws Error if the database has another history of migrations than this checkout
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
 * Applies every function whose text the database does not have, all in one transaction. A worker that is older than the database
 * applies none: in a rolling upgrade it would put the old text back. It is older when its newest migration is, so **a release that
 * changes a function brings a migration along**, if only one that consists of a comment.
 *
 * Workers of two releases call the same functions meanwhile. A new signature is therefore a function with a new name: `create or
 * replace` would leave the old one beside it, and a later release drops what nobody calls any more.
 */
async function applyFunctions(sql: Sql, folder: string): Promise<void> {
  // As JSON: a function's text is in dollar quotes itself.
  await sql.unsafe(`
    do $apply$
    declare
      v record;
      v_is_changed boolean := false;
    begin
      perform pg_advisory_xact_lock(${LOCK});
      if (select max(version) from ledger.migration) > ${newestVersion(folder)} then
        return;
      end if;
      -- They call each other: the order in which they are created must not matter.
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
        -- A function is open to everybody unless it is said otherwise.
        revoke all on all functions in schema ledger from public;
        if exists (select from pg_roles where rolname = 'ledger_worker') then
          perform ledger.${GRANTS}();
        end if;
      end if;
    end
    $apply$`);
}

/** A lock was not to be had in time, or only by a deadlock. */
function isTableBusy(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '55P03' || code === '40P01';
}

function migrations(folder: string) {
  return sqlFiles(join(folder, 'migrations'))
    .filter(({ name }) => /^\d{4}_\w+$/.test(name))
    .map(({ name, body }) => ({ version: Number(name.slice(0, 4)), name: name.slice(5), body }));
}

const newestVersion = (folder: string) => Math.max(...migrations(folder).map(({ version }) => version));

/** The text that the database has of each function is known by its SHA-256. */
function functions(folder: string) {
  return sqlFiles(join(folder, 'functions')).map(({ name, body }) => ({
    name,
    body,
    checksum: createHash('sha256').update(body).digest('hex'),
  }));
}

function sqlFiles(directory: string) {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.sql'.length),
      body: readFileSync(join(directory, file), 'utf8'),
    }));
}

/** Adds words that are new. None is ever removed: stored rows may hold it, and an older worker may still run. */
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
