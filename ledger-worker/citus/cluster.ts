/**
 * The nodes of a Citus cluster, and the map from accounts to nodes. Each node has connections of its own, so that an unavailable node
 * affects only the requests of its own accounts. Until the database is distributed, the only node is the server that has it.
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ shard map: account ──▶ node ──▶ its own host, or another one that
 *                                                                                      executes the statements on the node
 */
import { openDatabase, type Sql } from '../database/connection.ts';
import { Host, sharedProbe } from '../database/host.ts';
import type { SchemaChanges } from '../database/migrate.ts';
import { Node, Nodes, type NodesOptions } from '../database/nodes.ts';
import { Pool } from '../database/pool.ts';
import { ON_CITUS } from './schema-changes.ts';
import { ShardMap } from './shard-map.ts';

// The next host is tried when a host does not respond.
const LOOKUP_MS_MAX = 200;

/**
 * The nodes of the database, whether or not it has Citus.
 * @throws Error in one sentence when no host can be used, or when the hosts have different databases
 */
export async function openNodes(options: NodesOptions): Promise<Nodes> {
  const nodes = await Nodes.open(options);
  const hasCitus = nodes.hosts.some((host) => host.hasCitus);
  if (hasCitus) await nodes.end();
  const opened = hasCitus ? await Cluster.open(options) : nodes;
  opened.requireOneDatabase();
  return opened;
}

/** The set of nodes, which changes while the worker runs. */
class Cluster extends Nodes<CitusHost> {
  #shards = '';
  #map: ShardMap | undefined;
  // Spreads the workers' lookups over the hosts.
  #preferred = Math.random();

  static override open(options: NodesOptions): Promise<Cluster> {
    const hosts = options.urls.map((url) => new CitusHost(url, options.statementTimeoutMs));
    return new Cluster(options, hosts).checkAll();
  }

  override requireOneDatabase(): void {
    if (!this.#map) super.requireOneDatabase();
  }

  protected override groupOf(accountId: string): number | undefined {
    return this.#map?.groupOf(accountId);
  }

  override async readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    for (let others = this.hosts.length - 1; ; others--) {
      const host = this.#anyHost();
      const limits = others > 0 ? [AbortSignal.timeout(LOOKUP_MS_MAX)] : [];
      try {
        return await read(host.lookups, AbortSignal.any([signal, ...limits]));
      } catch (error) {
        if (signal.aborted || others <= 0) throw error;
        this.#avoid(host);
      }
    }
  }

  /** A host that responds, for statements that any host can execute. */
  #anyHost(): CitusHost {
    const up = this.hosts.filter(({ isUp }) => isUp);
    return up[Math.floor(this.#preferred * up.length)] ?? (this.hosts[0] as CitusHost);
  }

  /** Makes #anyHost return another one than `host`, which did not respond in time. */
  #avoid(host: CitusHost): void {
    if (host === this.#anyHost()) this.#preferred = (this.#preferred + 1 / this.hosts.length) % 1;
    void this.check();
  }

  /** The address of the coordinator, which alone can change the schema, if it is listed and responds; else of any host. */
  override get schemaUrl(): string {
    return (
      this.hosts.find(({ isUp, distribution }) => isUp && distribution?.groupId === 0) ?? this.#anyHost()
    ).url;
  }

  override get schemaChanges(): SchemaChanges {
    return ON_CITUS;
  }

  override withConnection<Result>(
    work: (sql: Sql) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#anyHost().others.withConnection(work, signal);
  }

  protected override update(): void {
    const up = this.hosts.filter(({ isUp }) => isUp);
    const shards = up.map(({ distribution }) => distribution?.shards ?? '').find((text) => text !== '');
    if (shards !== undefined && shards !== this.#shards) {
      this.#shards = shards;
      this.#map = new ShardMap(shards);
    }
    if (!this.#map) {
      super.update();
      return;
    }
    const groups = this.#map.groups();
    for (const [groupId, node] of this.nodes) {
      if (groupId !== undefined && groups.has(groupId)) continue;
      if (groupId === undefined) this.options.log.warn('the database has been distributed');
      this.nodes.delete(groupId);
      node.retire();
    }
    for (const groupId of groups) this.#updateNode(groupId, up);
  }

  #updateNode(groupId: number, up: readonly CitusHost[]): void {
    const hosts = this.hosts.filter(({ distribution }) => distribution?.groupId === groupId);
    const own = hosts.find(({ isUp }) => isUp) ?? hosts[0];
    let node = this.nodes.get(groupId) as ClusterNode | undefined;
    if (!node) {
      const other = up[groupId % up.length] ?? (this.hosts[0] as CitusHost);
      node = new ClusterNode(this.options, groupId, own?.isUp ? own : other);
      this.nodes.set(groupId, node);
    }
    if (own?.isUp) {
      node.connectToOwn(own);
      return;
    }
    const others = up.filter((host) => host !== own);
    void node.checkThrough(others, () => this.#anyIdOn(groupId));
  }

  /** An id that an account of this node could have. */
  #anyIdOn(groupId: number): string {
    for (;;) {
      const id = crypto.randomUUID();
      if (this.#map?.groupOf(id) === groupId) return id;
    }
  }
}

/** A node, which another host can reach when its own is unavailable. */
class ClusterNode extends Node {
  /** Checks the node through another host. */
  #viaOther: { host: Host; sql: Sql; check: () => Promise<unknown> } | undefined;

  /** The node responds at its own host. */
  connectToOwn(host: Host): void {
    this.connectTo(host);
    this.#endViaOther();
  }

  /**
   * Checks the node, whose own host is unavailable or not listed, through one of `others`.
   * @param accountId returns an id that the node would have
   */
  async checkThrough(others: readonly Host[], accountId: () => string): Promise<void> {
    const current = others.find((host) => host === this.host);
    if (!current) this.connectTo(undefined);
    if (!this.#viaOther || !others.includes(this.#viaOther.host)) {
      this.#endViaOther();
      const host = current ?? others[(this.groupId ?? 0) % others.length];
      if (!host) return;
      // Without a timeout: on a node that hangs, each cancelled statement would keep a server process of the host.
      const sql = openDatabase({ url: host.url, poolMax: 1, statementTimeoutMs: 0, isDistributed: true });
      const check = sharedProbe(
        async () =>
          sql`select plan, api_access as "apiAccess", read_only as "readOnly"
            from ledger.authenticate(${accountId()}, ${Buffer.alloc(0)})`,
      );
      this.#viaOther = { host, sql, check };
    }
    const via = this.#viaOther;
    const error = await via.check();
    if (this.#viaOther === via) this.connectTo(error === undefined ? via.host : undefined);
  }

  override async end(): Promise<void> {
    this.#endViaOther();
    await super.end();
  }

  #endViaOther(): void {
    void this.#viaOther?.sql.end({ timeout: 0 });
    this.#viaOther = undefined;
  }
}

// The connections of each pool of a host. Any host can execute their statements.
const HOST_CONNECTIONS = 2;

interface Distribution {
  /** The group of this host's node. */
  groupId: number;
  /** The text for ShardMap. Empty: the database is not distributed. */
  shards: string;
}

/** A host of the cluster, and its copy of the distribution. */
class CitusHost extends Host {
  /** The state at the last response. */
  distribution: Distribution | undefined;
  /** For lookups, which must not wait for others. */
  readonly lookups: Pool;
  /** For the Admin service and the upkeep. */
  readonly others: Pool;

  constructor(url: string, statementTimeoutMs: number) {
    super(url);
    const options = { url, poolMax: HOST_CONNECTIONS, statementTimeoutMs, isDistributed: true };
    this.lookups = new Pool(options);
    this.others = new Pool(options);
  }

  /** With its standby listed as well, a node is found again after a failover: one of the two accepts writes. */
  protected override async read(probe: Sql): Promise<void> {
    await super.read(probe);
    const [row] = await probe<Distribution[]>`
      select (select groupid from pg_dist_local_group) as "groupId",
             coalesce(string_agg(shardminvalue || ' ' || placement.groupid, ',' order by shardminvalue::integer), '') as shards
        from pg_dist_partition as distributed
        join pg_class on pg_class.oid = distributed.logicalrelid
        join pg_dist_shard as shard on shard.logicalrelid = distributed.logicalrelid
        join pg_dist_placement as placement using (shardid)
       where relname = 'account' and relnamespace = (select oid from pg_namespace where nspname = 'ledger')
         and partmethod = 'h' and placement.shardstate = 1`;
    this.distribution = row;
  }

  protected override reconnect(): void {
    super.reconnect();
    for (const { sql } of [this.lookups, this.others]) sql.reconnect();
  }

  override async end(): Promise<void> {
    await Promise.all([super.end(), this.lookups.end(), this.others.end()]);
  }
}
