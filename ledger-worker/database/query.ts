/** Runs statements of requests: with retries, and with a check that the result is the statement's own. */
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from './connection.ts';
import { isTransient, UnexpectedResult } from './errors.ts';
import type { Pool } from './pool.ts';

// A few quick attempts. The gateway retries longer failures, on another worker.
const retries = retry(handleWhen(isTransient), {
  maxAttempts: 3,
  backoff: new ExponentialBackoff({ initialDelay: 10, maxDelay: 200 }),
});

/**
 * The rows of a statement, which must be safe to repeat: it is sent again after a deadlock or a lost connection.
 * @param column a column of every row; a result without rows, or without it, belongs to another statement
 * @throws the abort reason of `signal`, UnexpectedResult, or the last error
 */
export function queryRows<R extends Row>(
  pool: Pool,
  query: (sql: Sql) => PendingQuery<R[]>,
  column: keyof R & string,
  signal: AbortSignal,
): Promise<[R, ...R[]]> {
  return retries.execute(async () => {
    const [first, ...rest] = await pool.run(query, signal);
    // A missing result must not be read as "no such key".
    if (first?.[column] === undefined) throw new UnexpectedResult();
    return [first, ...rest];
  });
}
