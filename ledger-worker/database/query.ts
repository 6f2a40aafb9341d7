/** Asking the database for somebody who waits: again where that helps, and no longer than there is anybody. */
import { type BulkheadPolicy, bulkhead, ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { PendingQuery, Row } from 'postgres';
import type { CallContext } from '../../proto/client.ts';
import { AnswerLost, mayPass } from '../grpc/status.ts';
import type { Sql } from './pool.ts';

// A few quick attempts: what takes longer to pass, the gateway tries again, on another worker.
const attempts = retry(handleWhen(mayPass), {
  maxAttempts: 3,
  backoff: new ExponentialBackoff({ initialDelay: 10, maxDelay: 200 }),
});

/**
 * The rows that `query` answers: one at least, with `column`, or the answer is not its own. Asked anew after that, a
 * deadlock or a lost connection: what is asked must bear that.
 */
export function ask<R extends Row>(
  sql: Sql,
  query: () => PendingQuery<R[]>,
  column: keyof R & string,
  call: Pick<CallContext, 'cancelled'>,
): Promise<[R, ...R[]]> {
  return attempts.execute(async () => {
    const [first, ...rest] = await unlessCancelled(sql, query, call);
    // Nobody may be told "no such key" because an answer went astray.
    if (first?.[column] === undefined) throw new AnswerLost();
    return [first, ...rest];
  });
}

/**
 * What the query answers, unless the call is cancelled first: its client gave up, or its deadline passed. A statement
 * that still waits for a connection is then never sent, and one that runs is stopped: the client has been told that
 * its request failed, and nothing should happen behind its back.
 */
async function unlessCancelled<R extends Row>(
  sql: Sql,
  query: () => PendingQuery<R[]>,
  { cancelled }: Pick<CallContext, 'cancelled'>,
): Promise<R[]> {
  const gone = Promise.withResolvers<never>();
  let underWay: PendingQuery<R[]> | undefined;
  const giveUp = () => {
    if (underWay) withdraw(underWay);
    gone.reject(cancelled.reason);
  };
  cancelled.addEventListener('abort', giveUp, { once: true });
  try {
    cancelled.throwIfAborted();
    const rows = placesOf(sql).execute(() => {
      cancelled.throwIfAborted();
      underWay = query();
      return underWay;
    });
    return await Promise.race([rows, gone.promise]);
  } finally {
    cancelled.removeEventListener('abort', giveUp);
  }
}

// How many may wait is bounded at the door.
const WAITING_MAX = Number.MAX_SAFE_INTEGER;
const places = new WeakMap<Sql, BulkheadPolicy>();

/** How many statements run, and how many wait for a connection. */
export function poolUse(sql: Sql): { busy: number; waiting: number } {
  const { executionSlots, queueSlots } = placesOf(sql);
  return { busy: sql.options.max - executionSlots, waiting: WAITING_MAX - queueSlots };
}

/**
 * One place for each connection. Who waits, waits here: the library's own queue cannot tell a statement that waits from
 * one for which a connection is being made, and to withdraw the latter would lose that connection for good.
 */
function placesOf(sql: Sql): BulkheadPolicy {
  let own = places.get(sql);
  if (!own) {
    own = bulkhead(sql.options.max, WAITING_MAX);
    places.set(sql, own);
  }
  return own;
}

/**
 * Stops a statement that runs. One that has not been sent yet, because its connection is still being made, is sent all the
 * same: a write has then no patience left, and a read does no harm. The library's own `cancel` lets nobody wait for its
 * outcome: where the database cannot be reached to be told, the rejection would end the process.
 */
function withdraw(query: object): void {
  const { active, canceller } = query as {
    active: boolean | null;
    canceller: (query: object) => Promise<void>;
  };
  if (active) canceller(query).catch(() => {});
}
