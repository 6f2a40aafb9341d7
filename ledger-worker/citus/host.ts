/** A host of DATABASE_URL: whether it responds, and what it knows of the distribution. */
import { openDatabase, type Sql } from '../database/connection.ts';
import { CHECK_MS_MAX, healthCheck } from '../database/nodes.ts';
import { openPool, type Pool } from '../database/pool.ts';

// Each: for statements that any host can execute.
const CONNECTIONS = 2;

interface Known {
  /** Of this host's node. */
  groupId: number;
  /** As in ShardMap. Empty: the database is not distributed. */
  shards: string;
}

export class Host {
  readonly url: string;
  isUp = false;
  /** Of the last check that failed. */
  error: unknown;
  /** As it was when the host last responded. */
  known: Known | undefined;
  /** For statements of the Admin service. */
  readonly sql: Sql;
  /** For lookups, which must not wait for those. */
  readonly lookups: Pool;
  readonly #probe: Sql;
  readonly #check = healthCheck(() => this.#read());

  constructor(url: string, statementTimeoutMs: number) {
    this.url = url;
    const options = { url, poolMax: CONNECTIONS, statementTimeoutMs, isDistributed: true };
    this.sql = openDatabase(options);
    this.lookups = openPool(options);
    this.#probe = openDatabase({ url, poolMax: 1, statementTimeoutMs: CHECK_MS_MAX });
  }

  /** Checks whether the host responds within `ms`. */
  async check(ms?: number): Promise<boolean> {
    this.isUp = await this.#check(ms);
    return this.isUp;
  }

  async #read(): Promise<void> {
    const [row] = await this.#probe<(Known & { isStandby: boolean })[]>`
      select (select groupid from pg_dist_local_group) as "groupId", pg_is_in_recovery() as "isStandby",
             coalesce(string_agg(shardminvalue || ' ' || placement.groupid, ',' order by shardminvalue::integer), '') as shards
        from pg_dist_partition as distributed
        join pg_class on pg_class.oid = distributed.logicalrelid
        join pg_dist_shard as shard on shard.logicalrelid = distributed.logicalrelid
        join pg_dist_placement as placement using (shardid)
       where relname = 'account' and relnamespace = (select oid from pg_namespace where nspname = 'ledger')
         and partmethod = 'h' and placement.shardstate = 1`.catch((error) => {
      this.error = error;
      throw error;
    });
    // With its standby listed as well, a node is found again after a failover.
    if (row?.isStandby && row.shards !== '') throw new Error('the host is a standby');
    this.known = row;
  }

  async end(): Promise<void> {
    await Promise.all([this.sql, this.lookups.sql, this.#probe].map((each) => each.end({ timeout: 5 })));
  }
}
