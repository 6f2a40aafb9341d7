/** The connections to the database. */
import { Pool, types } from 'pg';

/** @param poolMax connections, each of which is kept once it is open */
export function openPool(connectionString: string, poolMax: number): Pool {
  // Every bigint of the schema ends at 2^53-1, and a date is a calendar day, not an instant.
  types.setTypeParser(types.builtins.INT8, Number);
  types.setTypeParser(types.builtins.DATE, String);
  const pool = new Pool({
    connectionString,
    max: poolMax,
    idleTimeoutMillis: 0,
    application_name: 'bench-reference',
  });
  // Of a connection that is lost while nobody uses it: the pool opens another.
  pool.on('error', (error) => console.error(error.message));
  return pool;
}
