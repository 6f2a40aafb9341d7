/** Checks the B-tree indexes of a server with the extension amcheck. */
import type { Sql } from '../database/connection.ts';
import { damageIn, type Finding } from './finding.ts';

export const NO_AMCHECK =
  'The indexes were not checked: the database has no extension amcheck. A superuser creates it: `create extension amcheck`.';

/**
 * Checks each index: its order, and that it has every row of its table. Waits for no write, and no write waits for it.
 * @param onIndex is called before each index
 * @returns undefined without the extension
 * @throws Error in one sentence if the role may not use it
 */
export async function verifyIndexes(
  sql: Sql,
  onIndex: (name: string) => void,
): Promise<{ indexes: number; findings: Finding[] } | undefined> {
  const [amcheck] = await sql<{ check: string; role: string; mayExecute: boolean }[]>`
    select format('%I.bt_index_check', nspname) as check, quote_ident(current_user) as role,
           has_schema_privilege(pg_namespace.oid, 'usage')
             and has_function_privilege(format('%I.bt_index_check(regclass, boolean)', nspname), 'execute') as "mayExecute"
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'amcheck'`;
  if (!amcheck) return undefined;
  if (!amcheck.mayExecute) {
    throw new Error(
      `The role ${amcheck.role} may not check the indexes: as a superuser, ` +
        `run \`grant execute on function ${amcheck.check}(regclass, boolean) to ${amcheck.role}\`.`,
    );
  }
  // Throws if the library of the extension is missing. Below, its error would look like a lost file.
  await sql.unsafe(`select ${amcheck.check}('pg_class_oid_index'::regclass, true)`);
  // Citus hides the shards. Without Citus the setting has no effect.
  await sql`set citus.override_table_visibility = off`;
  const indexes = await sql<{ oid: number; name: string }[]>`
    select index.oid::integer, index.relname as name
      from pg_index join pg_class as index on index.oid = indexrelid join pg_am on pg_am.oid = index.relam
     where index.relnamespace = 'ledger'::regnamespace and amname = 'btree' and indisvalid
     order by name`;
  const findings: Finding[] = [];
  for (const { oid, name } of indexes) {
    onIndex(name);
    await sql.unsafe(`select ${amcheck.check}($1::oid::regclass, true)`, [oid]).catch((error) => {
      findings.push({
        check: 'index',
        fact: `the index ${name} is damaged: ${damageIn(error)}`,
        remedy: `Rebuild it: \`reindex index concurrently ledger.${name}\`. Check again: if it is still damaged, restore a backup.`,
      });
    });
  }
  return { indexes: indexes.length, findings };
}
