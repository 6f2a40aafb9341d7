/** Deletes expired rows: logged writes outside of the daily cap's window, and expired idempotency keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LIMITS } from '../../proto/domain.ts';
import type { Sql } from '../database/connection.ts';
import { loggable } from '../database/errors.ts';

// One of the workers passes over all accounts at this interval.
const PASS_EVERY_MS = 60 * 60 * 1000;
const CHECK_EVERY_MS = 5_000;
const ACCOUNTS_PER_STEP = 1_000;
const ROWS_PER_STEP = 1_000;
const BELOW_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Starts retention: checks every few seconds whether a pass is due. @returns a function that stops it */
export function startRetention(nodes: { readonly sql: Sql }, log: Logger): () => Promise<void> {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
      try {
        if (!stop.signal.aborted && (await begin(nodes.sql))) await passOverAccounts(nodes, stop.signal);
      } catch (error) {
        log.warn({ err: loggable(error) }, 'retention failed');
      }
    }
  };
  const stopped = loop();
  return () => {
    stop.abort();
    return stopped;
  };
}

/** @returns whether a pass is due, and this worker makes it */
async function begin(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isDue: boolean }[]>`
    select ledger.begin_retention(${`${PASS_EVERY_MS} ms`}) as "isDue"`;
  return row?.isDue ?? false;
}

/** One statement at a time, so that a node that hangs takes one connection. */
export async function passOverAccounts(nodes: { readonly sql: Sql }, signal: AbortSignal): Promise<void> {
  let after: string | undefined = BELOW_ALL_IDS;
  while (after !== undefined && !signal.aborted) {
    const accounts: { id: string }[] = await nodes.sql`
      select account_id as id from ledger.account where account_id > ${after} order by account_id limit ${ACCOUNTS_PER_STEP}`;
    for (const { id } of accounts) {
      let hasMore = true;
      while (hasMore && !signal.aborted) hasMore = await deleteExpired(nodes.sql, id);
    }
    after = accounts.at(-1)?.id;
  }
}

/** @returns whether more rows of the account may have expired */
async function deleteExpired(sql: Sql, accountId: string): Promise<boolean> {
  const [step] = await sql<{ hasMore: boolean }[]>`
    select ledger.delete_expired(${accountId}, ${`${LIMITS.writesKeptMs} ms`}, ${`${LIMITS.idempotencyKeyMs} ms`}, ${ROWS_PER_STEP})
        as "hasMore"`;
  return step?.hasMore ?? false;
}
