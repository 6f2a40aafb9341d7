/** The check, once a second, that the schema serves this worker. */
import { CONTRACT } from '../../proto/domain.ts';
import type { Sql } from './connection.ts';
import { workerRights } from './schema-sql.ts';

// An error names so many of the missing rights.
const RIGHTS_NAMED_MAX = 3;

/**
 * @returns a check, for each second, that the schema serves this worker: its functions serve the contract, and the role has its rights.
 *   The check throws an Error with the way out
 */
export function schemaCheck(): (sql: Sql) => Promise<void> {
  const rights = JSON.stringify(workerRights());
  return async (sql) => {
    const missing = await sql<{ role: string; right: string }[]>`
      select current_user as role, concat_ws(' ', privilege, 'on', kind, object) as right
        from json_to_recordset(${rights}::text::json) as needed (kind text, object text, privilege text)
       -- Null for a table of an earlier version. During an upgrade a function may have two signatures.
       where not case kind
         when 'schema' then has_schema_privilege(object, privilege)
         when 'table' then has_table_privilege(to_regclass('ledger.' || object), privilege)
         when 'function' then not exists (
           select from pg_proc where pronamespace = to_regnamespace('ledger') and proname = object
              and not has_function_privilege(oid, privilege))
         when 'column' then (
           select has_column_privilege(attrelid, attnum, privilege) from pg_attribute
            where attrelid = to_regclass('ledger.' || split_part(object, ' ', 1)) and attname = split_part(object, ' ', 2))
       end`;
    if (missing.length > 0) {
      const named = missing.slice(0, RIGHTS_NAMED_MAX).map(({ right }) => right);
      const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
      const call = 'as the owner of the schema call `select ledger.grant_to_worker()`';
      throw new Error(`the role ${missing[0]?.role} lacks ${named.join(', ')}${more}: ${call}`);
    }
    const [row] = await sql<{ oldest: number }[]>`select ledger.oldest_contract() as oldest`;
    if (row === undefined || row.oldest <= CONTRACT.number) return;
    throw new Error(
      `the schema serves contracts from ${row.oldest} on, and this worker has ${CONTRACT.number}: upgrade the worker`,
    );
  };
}
