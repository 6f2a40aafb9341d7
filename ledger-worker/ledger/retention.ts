/** Forgetting what is over its time: writes that no cap counts any more, and idempotency keys that nobody may repeat. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LIMITS } from '../../proto/vocabulary.ts';
import type { Sql } from '../database/pool.ts';
import { toStatus } from '../grpc/status.ts';

// A pass over all accounts.
const PASS_EVERY_MS = 60 * 60 * 1000;
const LOOK_EVERY_MS = 5_000;
// Between the steps of a pass: the database has other work.
const PAUSE_MS = 100;
const ACCOUNTS_PER_STEP = 1_000;
const ROWS_PER_STEP = 1_000;
// Longer than they count: a write that has found one, just before its time was up, reads it once more.
const KEYS_KEPT_MS = LIMITS.idempotencyKeyMs + 60 * 60 * 1000;
// The window twice: a clock that is set back by a day must not find that the window has lost its beginning.
const WRITES_KEPT_MS = 2 * LIMITS.dayWindowMs;

/** Begins to look, every few seconds, whether something is to be forgotten. Returns what ends it. */
export function forgetting(sql: Sql, log: Logger): () => Promise<void> {
  const ended = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ended.signal }).catch(() => {});
  const go = async () => {
    await pause(LOOK_EVERY_MS);
    while (!ended.signal.aborted) {
      const isMore = await forget(sql).catch((error) => {
        toStatus(error, 'retention', log);
        return false;
      });
      await pause(isMore ? PAUSE_MS : LOOK_EVERY_MS);
    }
  };
  const gone = go();
  return () => {
    ended.abort();
    return gone;
  };
}

/** One step, unless another worker is at it. Answers whether there is more to do at once. */
async function forget(sql: Sql): Promise<boolean> {
  const [step] = await sql<{ isMore: boolean }[]>`
    select ledger.forget_old(${`${PASS_EVERY_MS} ms`}, ${`${WRITES_KEPT_MS} ms`}, ${`${KEYS_KEPT_MS} ms`},
                             ${ACCOUNTS_PER_STEP}, ${ROWS_PER_STEP}) as "isMore"`;
  return step?.isMore ?? false;
}
