/** The nodes, which have the rows of accounts: one Postgres, which is one node, or the nodes of a Citus cluster (`citus/cluster.ts`). */
import { type DatabaseOptions, openDatabase, requireSettings, type Sql } from './connection.ts';
import { openPool, type Pool } from './pool.ts';

/** What has the rows of some accounts, or of all. */
export interface Node {
  /** Its number in a cluster. Undefined: it has the rows of all accounts. */
  readonly groupId: number | undefined;
  readonly pool: Pool;
  readonly isUp: boolean;
}

export interface Nodes extends Iterable<Node> {
  /** The node that has the account's rows. */
  of(accountId: string): Node;
  /** For statements that name no account, or any. To be read for each statement: it is of a host that responds. */
  readonly sql: Sql;
  /** Runs a read of what every host has a copy of, with a signal that aborts when another host is tried. */
  readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  /** The address for changes of the schema. */
  readonly schemaUrl: string;
  /** @throws Error in one sentence that names the settings that a node lacks */
  requireSettings(): Promise<void>;
  /** @returns whether any host responds */
  check(): Promise<boolean>;
  end(): Promise<void>;
}

const START_MS_MAX = 5_000;

/**
 * Whether the database has Citus.
 * @throws Error in one sentence when the host does not respond
 */
export async function hasCitus(url: string): Promise<boolean> {
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: START_MS_MAX });
  try {
    const [row] = await sql`select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`;
    return row?.hasCitus === true;
  } catch (error) {
    throw databaseUnavailable(error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export function databaseUnavailable(error: unknown): Error {
  const { message, code } = (error ?? {}) as { message?: string; code?: string };
  return new Error(`The database is unavailable: ${message || code || 'no response'}.`, { cause: error });
}

/** One Postgres: the only node, with the rows of all accounts. */
export function openOnePostgres(options: DatabaseOptions): Nodes {
  const { url } = options;
  const pool = openPool(options);
  const probe = openDatabase({ url, poolMax: 1, statementTimeoutMs: CHECK_MS_MAX });
  const check = healthCheck(async () => probe`select 1`);
  const node = { groupId: undefined, pool, isUp: true };
  return {
    [Symbol.iterator]: () => [node].values(),
    of: () => node,
    sql: pool.sql,
    readAnywhere: (read, signal) => read(pool, signal),
    schemaUrl: url,
    requireSettings: () => requireSettings(pool.sql),

    async check() {
      node.isUp = await check();
      return node.isUp;
    },

    async end() {
      await Promise.all([pool.end(), probe.end({ timeout: 5 })]);
    },
  };
}

/** The limit of a check, and the statement timeout of a connection for checks. */
export const CHECK_MS_MAX = 1_000;

/**
 * The health check of a host.
 * @param probe a statement on a connection of its own: a check must not wait for other statements
 * @returns a function that checks whether the probe succeeds within `ms`; at most one probe runs, since one that hangs holds the connection
 */
export function healthCheck(probe: () => Promise<unknown>): (ms?: number) => Promise<boolean> {
  let pending: Promise<boolean> | undefined;
  return (ms = CHECK_MS_MAX) => {
    pending ??= probe()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, Bun.sleep(ms).then(() => false)]);
  };
}
