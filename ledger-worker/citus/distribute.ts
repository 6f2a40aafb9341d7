/**
 * Distributes a migrated database, empty or filled, over the nodes of a Citus cluster. Each step looks in the catalog for its remaining
 * work, so that another run completes an interrupted one.
 */
import type { Sql } from '../database/connection.ts';
import { reasonOf } from '../database/errors.ts';
import { endOfChange, LOCK, lockRetries, requireMigrated, SET_LOCK_TIMEOUT } from '../database/migrate.ts';
import { newestVersion, SQL_FOLDER } from '../database/schema-sql.ts';
import { ON_CITUS } from './schema-changes.ts';

/** Citus sends statements with their values to the nodes, so a node that logs failed statements logs entries. */
const LOG_SETTINGS = { log_min_error_statement: 'panic', log_error_verbosity: 'terse' };

type Step = [what: string, run: (sql: Sql) => Promise<unknown>];

const STEPS: Step[] = [
  ['setting what the nodes log', setLogging],
  ['copying the roles of the workers to the nodes', copyRoles],
  ['copying the rows to the nodes: writes wait, reads do not', copyRows],
  ['deleting the copy that is left on the coordinator', truncateLocalData],
];

/**
 * Distributes the database. Workers that run meanwhile notice it.
 * @param sql connects to the coordinator, as the owner of the schema
 * @param report is called before each step
 * @param folder contains `migrations` and `functions`
 * @throws Error in one sentence
 */
export async function distribute(
  sql: Sql,
  report: (step: string) => void,
  folder = SQL_FOLDER,
): Promise<void> {
  await requireCluster(sql);
  await requireMigrated(sql, folder);
  await requireNoNewerMigration(sql, folder);
  await requireRole(sql);
  // An operator who stops the command stops the copy, and the wait of writes. By default the server would complete it.
  await sql`set client_connection_check_interval = '1s'`;
  // Another run waits, and then continues.
  await sql`select pg_advisory_lock(${LOCK})`;
  try {
    for (const [what, run] of STEPS) {
      report(what);
      await run(sql).catch((error) => {
        throw new Error(`The database cannot be distributed (${what}): ${reasonOf(error)}.`, {
          cause: error,
        });
      });
    }
  } finally {
    await sql`select pg_advisory_unlock(${LOCK})`.catch(() => {});
  }
}

async function requireCluster(sql: Sql): Promise<void> {
  const citus = await sql`select from pg_extension where extname = 'citus'`;
  if (citus.length === 0) {
    throw new Error(
      'The database has no Citus: run `create extension citus` in it and on each node, and add the nodes with citus_add_node.',
    );
  }
  const [cluster] = await sql<{ isCoordinator: boolean; isKnown: boolean; nodes: number }[]>`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
           (count(*) filter (where groupid = 0))::integer > 0 as "isKnown",
           (count(*) filter (where isactive and shouldhaveshards and noderole = 'primary'))::integer as nodes
      from pg_dist_node`;
  if (!cluster?.isCoordinator) {
    throw new Error('The database is on a node: set DATABASE_URL to the address of the coordinator.');
  }
  if (cluster.nodes === 0) {
    throw new Error('The cluster has no node that holds shards: add nodes with citus_add_node.');
  }
  if (!cluster.isKnown) {
    throw new Error('The nodes do not know the coordinator: run citus_set_coordinator_host with its name.');
  }
}

async function requireNoNewerMigration(sql: Sql, folder: string): Promise<void> {
  const [applied] = await sql<{ version: number }[]>`select max(version) as version from ledger.migration`;
  if (applied && applied.version > newestVersion(folder)) {
    throw new Error(
      `The database has migration ${applied.version} of a newer version: distribute it with that version.`,
    );
  }
}

async function requireRole(sql: Sql): Promise<void> {
  const role = await sql`select from pg_roles where rolname = 'ledger_worker'`;
  if (role.length === 0) {
    throw new Error(
      'There is no role ledger_worker: create it with `create role ledger_worker nologin`, then run `select ledger.grant_to_worker()`.',
    );
  }
}

/** Sets LOG_SETTINGS for the database on every node. Only a superuser may; otherwise they must be set already. */
async function setLogging(sql: Sql): Promise<void> {
  const wanted = Object.entries(LOG_SETTINGS);
  // A new connection has the settings of the database.
  await sql`set citus.max_cached_conns_per_worker = 0`;
  const missing = await sql<{ node: string }[]>`
    select nodename || ':' || nodeport as node
      from run_command_on_all_nodes(${`select ${wanted
        .map(([name, value]) => `current_setting('${name}') = '${value}'`)
        .join(' and ')}`})
      join pg_dist_node using (nodeid)
     where result is distinct from 't'`;
  if (missing.length === 0) return;
  const [user] = await sql`select rolsuper as "isSuperuser" from pg_roles where rolname = current_user`;
  if (!user?.isSuperuser) {
    const settings = wanted.map(([name, value]) => `${name} = '${value}'`).join(' and ');
    throw new Error(
      `set ${settings} on ${missing.map(({ node }) => node).join(', ')}, or run it as a superuser`,
    );
  }
  for (const [name, value] of wanted) {
    await sql`
      select run_command_on_all_nodes(format('alter database %I set %I = %L', current_database(), ${name}::text, ${value}::text))`;
  }
}

/**
 * Copies ledger_worker and its members to the nodes. Citus copies roles that have a right on a distributed object, so a schema is
 * distributed for this and dropped. Citus itself copies roles that are created later in this database.
 */
async function copyRoles(sql: Sql): Promise<void> {
  const drop = () =>
    sql.unsafe('set client_min_messages = error; drop schema if exists ledger_roles cascade');
  const missing = await sql<{ role: string }[]>`
    select format('%I', rolname) as role from pg_roles
     where pg_has_role(oid, 'ledger_worker', 'member') and not rolsuper
       and not exists (select from pg_dist_object where classid = 'pg_authid'::regclass and objid = pg_roles.oid)`;
  await drop();
  if (missing.length === 0) return;
  await sql.unsafe(`
    do $roles$
    begin
      set local citus.enable_ddl_propagation = off;
      create schema ledger_roles;
      grant usage on schema ledger_roles to ${missing.map(({ role }) => role).join()};
      set local citus.enable_ddl_propagation = on;
      create function ledger_roles.copied() returns void language sql as '';
    end
    $roles$`);
  // Not in the same transaction: for an owner who is no superuser Citus creates the schema on connections of its own.
  await drop();
}

/** One transaction: before its end the rows are on the coordinator, and after it on the nodes. */
async function copyRows(sql: Sql): Promise<void> {
  await lockRetries.execute(() =>
    sql.unsafe(`
      do $copy$
      declare
        v_is_distributed boolean := true;
        v_tables         text;
      begin
        perform pg_advisory_xact_lock(${LOCK});
        select string_agg(pg_class.oid::regclass::text, ', ' order by relname <> 'account', relname) into v_tables
          from pg_class
         where relnamespace = 'ledger'::regnamespace and relkind = 'r'
           and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid);
        if v_tables is not null then
          ${SET_LOCK_TIMEOUT}
          execute 'lock table ' || v_tables || ' in exclusive mode';
          set local lock_timeout = 0;
          ${ON_CITUS.begin}
          set local client_min_messages = warning;
          ${endOfChange(ON_CITUS)}
        end if;
      end
      $copy$`),
  );
}

/** Frees the disk: Citus keeps the rows that it has copied, invisible. */
async function truncateLocalData(sql: Sql): Promise<void> {
  await lockRetries.execute(() =>
    sql.unsafe(`
      do $truncate$
      declare
        v_table regclass;
      begin
        ${SET_LOCK_TIMEOUT}
        set local client_min_messages = warning;
        for v_table in
          select logicalrelid from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
           where relnamespace = 'ledger'::regnamespace and pg_relation_size(logicalrelid) > 0
        loop
          perform truncate_local_data_after_distributing_table(v_table);
        end loop;
      end
      $truncate$`),
  );
}
