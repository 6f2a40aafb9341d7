/** What a change of the schema of distributed books needs. */
import type { Sql } from './connection.ts';

const SERVERS_MS_MAX = 5_000;

/**
 * Nothing where the books are not distributed.
 * @throws Error on a node, which cannot change the schema, or when a server does not respond
 */
export async function requireServers(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('pg_catalog.pg_dist_local_group') is not null as "hasCitus"`;
  if (!found?.hasCitus) return;
  const [local] = await sql<[{ isNode: boolean; isDistributed: boolean }]>`
    select groupid > 0 as "isNode",
           exists (select from pg_dist_partition where logicalrelid = to_regclass('ledger.account')) as "isDistributed"
      from pg_dist_local_group`;
  if (local.isNode)
    throw new Error('only the coordinator can change the schema: run `bun run migrate` with its address');
  if (local.isDistributed && !(await everyServerResponds(sql)))
    throw new Error('a server of the cluster does not respond: run it again when all do');
}

/** A migration takes its locks on one server after the other: while it waited for one that hangs, no account could write. */
async function everyServerResponds(sql: Sql): Promise<boolean> {
  await sql.unsafe(`set statement_timeout = ${SERVERS_MS_MAX}`);
  const [row] = await sql`select bool_and(success) as "all" from run_command_on_all_nodes('select 1')`.catch(
    () => [],
  );
  await sql.unsafe('set statement_timeout = 0');
  return row?.all === true;
}
