/** A pool of connections whose statements can be cancelled. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel';
import type { PendingQuery, Row } from 'postgres';
import { type DatabaseOptions, openDatabase, type Sql } from './connection.ts';

// The concurrency limit of the gRPC server bounds the queue.
const QUEUE_MAX = Number.MAX_SAFE_INTEGER;
// How long the preferred connection is not used after a failed statement.
const FAILED_PAUSE_MS = 500;

/**
 * Statements wait here for a connection, not in the queue of postgres.js: that cannot tell a statement that waits from one
 * whose connection is being opened, and to cancel the latter would lose the connection for good.
 */
export class Pool {
  readonly sql: Sql;
  readonly #preferred: Sql | undefined;
  #freePreferred: Sql | undefined;
  readonly #connectionSlots: BulkheadPolicy;

  /**
   * @param sql owns the connections
   * @param preferred owns one more, which a statement uses if it is free
   */
  constructor(sql: Sql, preferred?: Sql) {
    this.sql = sql;
    this.#preferred = preferred;
    this.#freePreferred = preferred;
    this.#connectionSlots = bulkhead(this.size, QUEUE_MAX);
  }

  get size(): number {
    return this.sql.options.max + (this.#preferred ? 1 : 0);
  }

  /** Closes the connections, after at most 5 s for the statements that run. */
  async end(): Promise<void> {
    await Promise.all([this.sql, this.#preferred].map((each) => each?.end({ timeout: 5 })));
  }

  /** Statements that run, and statements that wait for a connection; 1 while the preferred connection is not free. */
  usage(): { busy: number; waiting: number; preferred: 0 | 1 } {
    const { executionSlots, queueSlots } = this.#connectionSlots;
    return {
      busy: this.size - executionSlots,
      waiting: QUEUE_MAX - queueSlots,
      preferred: this.#freePreferred === this.#preferred ? 0 : 1,
    };
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
        running = this.#send(query);
        return running;
      });
      return await Promise.race([rows, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Sends a statement on the preferred connection if it is free, otherwise on another one. */
  #send<R extends Row>(query: (sql: Sql) => PendingQuery<R[]>): PendingQuery<R[]> {
    const preferred = this.#freePreferred;
    if (!preferred) return query(this.sql);
    this.#freePreferred = undefined;
    const free = () => {
      this.#freePreferred = preferred;
    };
    const running = query(preferred);
    // After a failure the connection may be lost, and the statement is repeated on another one.
    running.then(free, () => setTimeout(free, FAILED_PAUSE_MS).unref());
    return running;
  }
}

/**
 * A pool of `poolMax` connections. postgres.js uses its idle connections in turn, so that none of their server processes stays in
 * the processor's caches: a single statement costs Postgres 15 % more. Therefore one connection is preferred.
 */
export function openPool({ poolMax, ...options }: DatabaseOptions): Pool {
  if (poolMax === 1) return new Pool(openDatabase({ ...options, poolMax }));
  const others = openDatabase({ ...options, poolMax: poolMax - 1 });
  return new Pool(others, openDatabase({ ...options, poolMax: 1 }));
}

/**
 * Cancels a running statement. One whose connection is still being opened is sent all the same: a write then finds its timeout
 * passed, and a read does no harm. Not by the library's `cancel`: its promise is not returned, so that a database which
 * is out of reach would end the process with an unhandled rejection.
 */
function cancel(query: object): void {
  const { active, canceller } = query as {
    active: boolean | null;
    canceller: (query: object) => Promise<void>;
  };
  if (active) canceller(query).catch(() => {});
}
