/** The extra steps of a schema change on a server that has Citus, whether or not the database is distributed yet. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../database/connection.ts';
import type { SchemaChanges } from '../database/migrate.ts';

const SERVERS_MS_MAX = 5_000;

// Distributes the tables and functions that are not distributed yet.
const DISTRIBUTE_NEW = readFileSync(join(import.meta.dir, 'distribute_new.sql'), 'utf8');

export const ON_CITUS: SchemaChanges = {
  requireServers,

  // Until the database is distributed, the nodes have no part of it. With foreign keys to reference tables Citus would take new
  // tables over too early.
  begin: `
    v_is_distributed := v_is_distributed or exists (
      select from pg_dist_partition where logicalrelid = to_regclass('ledger.account'));
    perform set_config('citus.enable_ddl_propagation', v_is_distributed::text, true);
    set local citus.multi_shard_modify_mode = 'sequential';
    set local citus.enable_local_reference_table_foreign_keys = off;`,

  distribute: `if v_is_distributed then execute $new$${DISTRIBUTE_NEW}$new$; end if;`,
};

/** @throws Error on a node, which cannot change the schema, or when a server does not respond */
async function requireServers(sql: Sql): Promise<void> {
  const [local] = await sql<[{ isNode: boolean; isDistributed: boolean }]>`
    select groupid > 0 as "isNode",
           exists (select from pg_dist_partition where logicalrelid = to_regclass('ledger.account')) as "isDistributed"
      from pg_dist_local_group`;
  if (local.isNode)
    throw new Error('only the coordinator can change the schema: run `bun run migrate` with its address');
  if (local.isDistributed && !(await everyServerResponds(sql)))
    throw new Error('a server of the cluster does not respond: run it again when all do');
}

/** A migration takes its locks on one server after the other: while it waited for a server that hangs, no account could write. */
async function everyServerResponds(sql: Sql): Promise<boolean> {
  await sql.unsafe(`set statement_timeout = ${SERVERS_MS_MAX}`);
  const [row] = await sql`select bool_and(success) as "all" from run_command_on_all_nodes('select 1')`.catch(
    () => [],
  );
  await sql.unsafe('set statement_timeout = 0');
  return row?.all === true;
}
