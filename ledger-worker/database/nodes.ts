/** The nodes, which have the rows of accounts: one Postgres, which is one node, or the nodes of a Citus cluster (`citus/cluster.ts`). */
import { openDatabase, type Sql } from './connection.ts';
import type { Pool } from './pool.ts';

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
