/** A host of DATABASE_URL: whether it responds and accepts writes. */
import type { DatabaseTime } from '../../proto/contract.ts';
import { openDatabase, type Sql } from './connection.ts';

// The limit of a check, and the statement timeout of its connection.
const CHECK_MS_MAX = 1_000;
const VERSION_MIN = 15;

export const HOST_STATES = ['writable', 'read_only', 'unavailable'] as const;
export type HostState = (typeof HOST_STATES)[number];

export class Host {
  /** The result of the last check. */
  state: HostState = 'unavailable';
  /** The reason why it is not writable. */
  error: unknown;
  /** Known after the first response, as `hasCitus` is. A server that was restarted counts as another one. */
  serverStart = '';
  hasCitus = false;
  /** The server's clock was read between two times of performance.now(). */
  #clock = { ms: Number.NaN, sentAt: 0, receivedAt: 0 };
  /** Part of each check from the migration on. */
  checkSchema: (sql: Sql) => Promise<void> = async () => {};
  /** A connection of its own: a check must not wait for other statements. */
  readonly #sql: Sql;
  readonly #check = sharedProbe(async () => {
    await this.read(this.#sql);
    await this.checkSchema(this.#sql);
  });

  constructor(readonly url: string) {
    this.#sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: CHECK_MS_MAX });
  }

  get isUp(): boolean {
    return this.state === 'writable';
  }

  /** The last check had no response in time: the server may only be slow. */
  get isSilent(): boolean {
    return this.error instanceof NoResponse;
  }

  /** The server's time now, as of its last response. */
  time(): DatabaseTime {
    const { ms, sentAt, receivedAt } = this.#clock;
    const now = performance.now();
    return { earliestMs: ms + now - receivedAt, latestMs: ms + now - sentAt };
  }

  /** Checks whether the host responds within `ms` and accepts writes. */
  async check(ms?: number): Promise<boolean> {
    this.error = await this.#check(ms);
    if (this.error === undefined) this.state = 'writable';
    else this.state = this.error instanceof ReadOnly ? 'read_only' : 'unavailable';
    // A connection without a response is kept: it ends by itself, and on a busy machine a new one may take longer than a check.
    if (!this.isUp && !this.isSilent) this.reconnect();
    return this.isUp;
  }

  /** @throws ReadOnly, Error for a server that cannot keep the promises, or the error of the statement */
  protected async read(probe: Sql): Promise<void> {
    const sentAt = performance.now();
    const [row] = await probe<Properties[]>`
      select current_setting('transaction_read_only') = 'on' as "isReadOnly",
             current_setting('server_version') as version,
             array_to_string(array(select name from unnest(array['fsync', 'full_page_writes']) as name
                                    where current_setting(name) = 'off'), ' and ') as unsafe,
             pg_postmaster_start_time()::text as "serverStart",
             (extract(epoch from clock_timestamp()) * 1000)::float8 as ms,
             to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`;
    if (row) this.#clock = { ms: row.ms, sentAt, receivedAt: performance.now() };
    // A standby, or `default_transaction_read_only`. A standby may lack acknowledged entries, so it serves no reads either.
    if (row?.isReadOnly !== false) throw new ReadOnly();
    if (Number.parseInt(row.version, 10) < VERSION_MIN)
      throw new Error(`it is Postgres ${row.version}: upgrade it to ${VERSION_MIN} or later`);
    // synchronous_commit is not among them: each change sets it for itself.
    if (row.unsafe !== '') throw new Error(`after a crash it may lack entries: set ${row.unsafe} to on`);
    this.serverStart = row.serverStart;
    this.hasCitus = row.hasCitus;
  }

  /** The host's name may lead to another server now. */
  protected reconnect(): void {
    this.#sql.reconnect();
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }
}

interface Properties {
  isReadOnly: boolean;
  version: string;
  /** The settings that are off although a crash then damages the database. */
  unsafe: string;
  serverStart: string;
  /** Its time, since the epoch. */
  ms: number;
  hasCitus: boolean;
}

class ReadOnly extends Error {
  override message = 'it does not accept writes';
}

class NoResponse extends Error {
  override message = 'no response';
}

/**
 * A check by a statement on a connection of its own.
 * @returns a function that resolves with the error of `probe`, and with undefined if it succeeds within `ms`. At most one probe runs,
 *   since one that hangs holds the connection
 */
export function sharedProbe(probe: () => Promise<unknown>): (ms?: number) => Promise<unknown> {
  let pending: Promise<unknown> | undefined;
  return (ms = CHECK_MS_MAX) => {
    pending ??= probe()
      .then(
        () => undefined,
        (error) => error,
      )
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, Bun.sleep(ms).then(() => new NoResponse())]);
  };
}
