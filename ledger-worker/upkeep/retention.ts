/** Deletes expired rows: logged writes after twice the daily cap's window, and expired idempotency keys. */
import type { Logger } from 'pino';
import { LIMITS } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import { accounts, type Database, startPasses } from './passes.ts';

const PASS_EVERY_MS = 60 * 60 * 1000;
const ACCOUNTS_PER_STEP = 1_000;
const ROWS_PER_STEP = 1_000;

/** @returns a function that stops it */
export const startRetention = (database: Database, log: Logger) =>
  startPasses(
    'retention',
    async (signal) => {
      const [row] = await database.sql<{ isDue: boolean }[]>`
        select ledger.begin_retention(${`${PASS_EVERY_MS} ms`}) as "isDue"`;
      if (row?.isDue) await deleteExpired(database, signal);
    },
    log,
  );

/** A pass over all accounts. */
export async function deleteExpired(database: Database, signal: AbortSignal): Promise<void> {
  for await (const ids of accounts(database, ACCOUNTS_PER_STEP, signal)) {
    for (const id of ids) {
      let hasMore = true;
      while (hasMore && !signal.aborted) hasMore = await deleteSome(database.sql, id);
    }
  }
}

/** @returns whether more rows of the account may have expired */
async function deleteSome(sql: Sql, accountId: string): Promise<boolean> {
  const [step] = await sql<{ hasMore: boolean }[]>`
    select ledger.delete_expired(${accountId}, ${`${LIMITS.writesKeptMs} ms`}, ${`${LIMITS.idempotencyKeyMs} ms`}, ${ROWS_PER_STEP})
        as "hasMore"`;
  return step?.hasMore ?? false;
}
