/** Brings the schema up to date: numbered files of `migrations/`, forward only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { CATEGORIES, ENTRY_TYPES, PLANS, SOURCE_TYPES } from '../proto/vocabulary.ts';
import type { Sql } from './database.ts';

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 7_203_415_511;

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
 * @throws Error that says in one sentence why not
 */
export async function migrate(sql: Sql): Promise<void> {
  try {
    await applyMissing(sql);
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
 * For a worker that does not migrate: compares what it needs with what is there, words included, and changes nothing.
 * @throws Error that says in one sentence what is missing
 */
export async function requireMigrated(sql: Sql): Promise<void> {
  const missing = await missingIn(sql).catch(({ message, code }) => {
    throw new Error(`The version of the database cannot be read: ${message || code}.`);
  });
  if (missing.length === 0) return;
  throw new Error(
    `The database is older than this worker needs, it lacks ${missing.join(', ')}: run \`bun run migrate\` first.`,
  );
}

async function missingIn(sql: Sql): Promise<string[]> {
  const [found] = await sql`select to_regclass('ledger.migration') is not null as "hasSchema"`;
  if (!found?.hasSchema) return ['all of it'];
  const applied = await sql<{ version: number }[]>`select version from ledger.migration`;
  const unapplied = migrations().filter(({ version }) => !applied.some((each) => each.version === version));
  if (unapplied.length > 0) return unapplied.map(({ version, name }) => `migration ${version} (${name})`);
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

async function applyMissing(sql: Sql): Promise<void> {
  // Simple protocol: several statements in one message are one transaction, and a pooler needs to hold nothing.
  await sql.unsafe(`
    select pg_advisory_xact_lock(${LOCK});
    create schema if not exists ledger;
    create table if not exists ledger.migration (
      version integer primary key, name text not null, applied_at timestamptz not null default now()
    )`);
  for (const { version, name, body } of migrations()) {
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
        end if;
      end
      $migrate$`);
    await patient.execute(apply);
  }
}

/** A lock was not to be had in time, or only by a deadlock. */
function isTableBusy(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '55P03' || code === '40P01';
}

function migrations() {
  const directory = join(import.meta.dir, 'migrations');
  return readdirSync(directory)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
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
