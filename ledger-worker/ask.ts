/** Asking the database for somebody who waits: again where that helps, and no longer than there is anybody. */
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { PendingQuery, Row } from 'postgres';
import type { CallContext } from '../proto/ledger.ts';
import { AnswerLost, mayPass } from './status.ts';

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
  query: () => PendingQuery<R[]>,
  column: keyof R & string,
  call: CallContext,
): Promise<[R, ...R[]]> {
  return attempts.execute(async () => {
    const [first, ...rest] = await unlessCancelled(query, call);
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
  query: () => PendingQuery<R[]>,
  { cancelled }: CallContext,
): Promise<R[]> {
  cancelled.throwIfAborted();
  const underWay = query();
  const cancel = () => withdraw(underWay);
  cancelled.addEventListener('abort', cancel, { once: true });
  try {
    return await underWay;
  } catch (error) {
    // What ended it was our withdrawal, whatever the library calls that.
    cancelled.throwIfAborted();
    throw error;
  } finally {
    cancelled.removeEventListener('abort', cancel);
  }
}

/**
 * The library's own `cancel` lets nobody wait for its outcome: where the database cannot be reached to be told, the
 * rejection would end the process. Then the statement ends by its timeout, and a write by its patience.
 */
function withdraw(query: object): void {
  const { canceller } = query as { canceller: (query: object) => Promise<void> };
  canceller(query).catch(() => {});
}
