/** A host of a Citus cluster, and its copy of the distribution. */
import { openDatabase, type Sql } from '../database/connection.ts';
import { Host } from '../database/host.ts';
import { Pool } from '../database/pool.ts';

// The connections of each pool. Any host can execute their statements.
const CONNECTIONS = 2;

interface Known {
  /** The group of this host's node. */
  groupId: number;
  /** The text for ShardMap. Empty: the database is not distributed. */
  shards: string;
}

export class CitusHost extends Host {
  /** The state at the last response. */
  known: Known | undefined;
  /** For statements of the Admin service. */
  readonly sql: Sql;
  /** For lookups, which must not wait for the Admin service. */
  readonly lookups: Pool;

  constructor(url: string, statementTimeoutMs: number) {
    super(url);
    const options = { url, poolMax: CONNECTIONS, statementTimeoutMs, isDistributed: true };
    this.sql = openDatabase(options);
    this.lookups = new Pool(options);
  }

  /** With its standby listed as well, a node is found again after a failover: one of the two accepts writes. */
  protected override async read(probe: Sql): Promise<void> {
    await super.read(probe);
    const [row] = await probe<Known[]>`
      select (select groupid from pg_dist_local_group) as "groupId",
             coalesce(string_agg(shardminvalue || ' ' || placement.groupid, ',' order by shardminvalue::integer), '') as shards
        from pg_dist_partition as distributed
        join pg_class on pg_class.oid = distributed.logicalrelid
        join pg_dist_shard as shard on shard.logicalrelid = distributed.logicalrelid
        join pg_dist_placement as placement using (shardid)
       where relname = 'account' and relnamespace = (select oid from pg_namespace where nspname = 'ledger')
         and partmethod = 'h' and placement.shardstate = 1`;
    this.known = row;
  }

  protected override reconnect(): void {
    super.reconnect();
    for (const sql of [this.sql, this.lookups.sql]) sql.reconnect();
  }

  override async end(): Promise<void> {
    await Promise.all([super.end(), this.sql.end({ timeout: 5 }), this.lookups.end()]);
  }
}
