/** Deletes expired rows: logged writes outside of the daily cap's window, and expired idempotency keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Sql } from '../database/connection.ts';
import { loggable } from '../database/errors.ts';

// How often all accounts are checked.
const PASS_EVERY_MS = 60 * 60 * 1000;
const CHECK_EVERY_MS = 5_000;
// Between the steps of a pass, for the database's other work.
const PAUSE_MS = 100;
const ACCOUNTS_PER_STEP = 1_000;
const ROWS_PER_STEP = 1_000;
// Longer than their lifetime: a write that finds one just before it expires reads it a second time.
const KEYS_KEPT_MS = LIMITS.idempotencyKeyMs + 60 * 60 * 1000;
// Twice the window, so that the window is complete even if the clock is set back by a day.
const WRITES_KEPT_MS = 2 * LIMITS.dayWindowMs;

/** Starts retention: checks every few seconds. @returns a function that stops it */
export function startRetention(nodes: { readonly sql: Sql }, log: Logger): () => Promise<void> {
  const stop = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  const warn = (error: unknown) => {
    log.warn({ err: loggable(error) }, 'retention failed');
    return false;
  };
  // Not one null: a null in the place of the account, in a call of a distributed function, crashes the server.
  const none = (error: unknown) => {
    warn(error);
    return [];
  };
  const loop = async () => {
    await pause(CHECK_EVERY_MS);
    while (!stop.signal.aborted) {
      let hasMore = false;
      // One after the other, so that a node that hangs takes one connection.
      for (const shard of await listShards(nodes.sql).catch(none)) {
        if (stop.signal.aborted) return;
        if (await deleteExpired(nodes.sql, shard).catch(warn)) hasMore = true;
      }
      await pause(hasMore ? PAUSE_MS : CHECK_EVERY_MS);
    }
  };
  const stopped = loop();
  return () => {
    stop.abort();
    return stopped;
  };
}

/** An account id of each shard; one null if the books are not distributed. */
async function listShards(sql: Sql): Promise<(string | null)[]> {
  const rows = await sql<{ shard: string | null }[]>`select list_shards as shard from ledger.list_shards()`;
  return rows.map(({ shard }) => shard);
}

/** One step in a shard, unless another worker runs one there. @returns whether more rows have expired */
async function deleteExpired(sql: Sql, shard: string | null): Promise<boolean> {
  const [step] = await sql<{ hasMore: boolean }[]>`
    select ledger.delete_expired(${shard}, ${`${PASS_EVERY_MS} ms`}, ${`${WRITES_KEPT_MS} ms`}, ${`${KEYS_KEPT_MS} ms`},
                                 ${ACCOUNTS_PER_STEP}, ${ROWS_PER_STEP}) as "hasMore"`;
  return step?.hasMore ?? false;
}
