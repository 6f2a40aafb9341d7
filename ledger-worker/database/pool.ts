/** A pool of connections to one server at a time, whose statements can be cancelled, and are repeated after a transient failure. */
import { type BulkheadPolicy, bulkhead, ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { PendingQuery, Row } from 'postgres';
import { type DatabaseOptions, openDatabase, type Sql } from './connection.ts';
import { isReadOnly, isTransient, UnexpectedResult } from './errors.ts';

// The quotas of requests bound the queue: ../quotas.ts.
const QUEUE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Statements wait here for a connection, not in the queue of postgres.js: that cannot tell a statement that waits from one
 * whose connection is being opened, and to cancel the latter would lose the connection for good.
 */
export class Pool {
  /** For statements before the worker serves: they wait for no connection slot. */
  readonly sql: Sql;
  readonly size: number;
  readonly #connectionSlots: BulkheadPolicy;

  /** Opens up to `poolMax` connections, which stay open while no statement runs. */
  constructor(options: DatabaseOptions) {
    this.sql = openDatabase({ ...options, isIdle: () => this.usage().busy === 0 });
    this.size = options.poolMax;
    this.#connectionSlots = bulkhead(this.size, QUEUE_MAX);
  }

  /** Closes the connections, after at most 5 s for the statements that run. */
  async end(): Promise<void> {
    await this.sql.end({ timeout: 5 });
  }

  /** Statements that run, and statements that wait for a connection. */
  usage(): { busy: number; waiting: number } {
    const { executionSlots, queueSlots } = this.#connectionSlots;
    return { busy: this.size - executionSlots, waiting: QUEUE_MAX - queueSlots };
  }

  /**
   * Runs work that needs one connection, because its statements follow each other. They are not cancelled. Work that still waits for a
   * connection when `signal` aborts is never begun.
   * @throws the abort reason
   */
  async withConnection<Result>(work: (sql: Sql) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.#connectionSlots.execute(() => {
        signal?.throwIfAborted();
        return work(this.sql);
      });
    } catch (error) {
      this.#reconnectIfReadOnly(error);
      throw error;
    }
  }

  /**
   * Runs a statement. When `signal` aborts, a statement that waits for a connection is never sent and one that runs is
   * cancelled: the caller has been told that its request failed.
   * @throws the abort reason
   */
  async run<R extends Row>(query: (sql: Sql) => PendingQuery<R[]>, signal: AbortSignal): Promise<R[]> {
    const aborted = Promise.withResolvers<never>();
    let running: PendingQuery<R[]> | undefined;
    const abort = () => {
      if (running) cancel(running);
      aborted.reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const rows = this.#connectionSlots.execute(() => {
        signal.throwIfAborted();
        running = query(this.sql);
        return running;
      });
      return await Promise.race([rows, aborted.promise]);
    } catch (error) {
      this.#reconnectIfReadOnly(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The server has become a standby. The host's name may lead to another one by now. */
  #reconnectIfReadOnly(error: unknown): void {
    if (isReadOnly(error)) this.sql.reconnect();
  }
}

/**
 * Cancels a running statement. One whose connection is still being opened is sent all the same: a write then finds its timeout
 * passed, and a read does no harm. Not by the library's `cancel`: its promise is not returned, so that a database which
 * is unavailable would end the process with an unhandled rejection. Test: `a request whose statement cannot be cancelled`.
 */
function cancel(query: object): void {
  const { active, canceller } = query as {
    active: boolean | null;
    canceller: (query: object) => Promise<void>;
  };
  if (active) canceller(query).catch(() => {});
}

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
