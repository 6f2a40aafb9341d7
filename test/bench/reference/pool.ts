/** The connections to the database. */
import { Pool, types } from 'pg';

/** @param poolMax number of connections, which stay open */
export function openPool(connectionString: string, poolMax: number): Pool {
  // No bigint of the schema exceeds 2^53-1, and a date is a calendar day, not an instant.
  types.setTypeParser(types.builtins.INT8, Number);
  types.setTypeParser(types.builtins.DATE, String);
  const pool = new Pool({
    connectionString,
    max: poolMax,
    idleTimeoutMillis: 0,
    application_name: 'bench-reference',
  });
  // An idle connection was lost; the pool opens another one.
  pool.on('error', (error) => console.error(error.message));
  return pool;
}
