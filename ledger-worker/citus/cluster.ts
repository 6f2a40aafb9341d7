/**
 * The nodes of a Citus cluster, and which of them has an account's rows. Each has connections of its own, so that one which
 * is unavailable costs only its own accounts. Until the database is distributed, the only node is the server that has it.
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ shard map: account ──▶ node ──▶ its own host, or another one that
 *                                                                                      executes the statements on the node
 */
import { requireSettings, type Sql } from '../database/connection.ts';
import { isTransient } from '../database/errors.ts';
import { databaseUnavailable, type Nodes } from '../database/nodes.ts';
import type { Pool } from '../database/pool.ts';
import { Host } from './host.ts';
import { ClusterNode, type NodeOptions } from './node.ts';
import { ShardMap } from './shard-map.ts';

export interface ClusterOptions extends Omit<NodeOptions, 'groupId'> {
  /** One for each host. */
  urls: readonly string[];
}

// Of the first check: an unavailable host must not delay the start for long.
const START_MS_MAX = 5_000;
// The next host is tried when a host does not respond.
const LOOKUP_MS_MAX = 200;

const NOT_DISTRIBUTED = 'The database is not distributed: DATABASE_URL must name one host, the primary.';

/** Which nodes there are changes while the worker runs. */
export class Cluster implements Nodes {
  readonly #options: ClusterOptions;
  readonly #hosts: Host[];
  readonly #nodes = new Map<number | undefined, ClusterNode>();
  #shards = '';
  #map: ShardMap | undefined;
  // Spreads the workers' lookups over the hosts.
  #preferred = Math.random();

  private constructor(options: ClusterOptions) {
    this.#options = options;
    this.#hosts = options.urls.map((url) => new Host(url, options.statementTimeoutMs));
  }

  /** @throws Error in one sentence when no host responds */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    await Promise.all(cluster.#hosts.map((host) => host.check(START_MS_MAX)));
    const [first] = cluster.#hosts as [Host];
    if (!cluster.#hosts.some(({ isUp }) => isUp)) {
      throw isNoTable(first.error) ? new Error(NOT_DISTRIBUTED) : databaseUnavailable(first.error);
    }
    cluster.#update();
    if (!cluster.#map && options.urls.length > 1) throw new Error(NOT_DISTRIBUTED);
    return cluster;
  }

  /** The node that has the account's rows. */
  of(accountId: string): ClusterNode {
    return this.#nodes.get(this.#map?.groupOf(accountId)) as ClusterNode;
  }

  async readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    for (let others = this.#hosts.length - 1; ; others--) {
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

  /** A host that responds, for statements that any of them can execute. */
  #anyHost(): Host {
    const up = this.#hosts.filter(({ isUp }) => isUp);
    return up[Math.floor(this.#preferred * up.length)] ?? (this.#hosts[0] as Host);
  }

  /** Makes #anyHost return another one than `host`, which did not respond in time. */
  #avoid(host: Host): void {
    if (host === this.#anyHost()) this.#preferred = (this.#preferred + 1 / this.#hosts.length) % 1;
    void this.check();
  }

  /** Of the coordinator, which alone can change the schema, if it is listed and responds; else of any host. */
  get schemaUrl(): string {
    return (this.#hosts.find(({ isUp, known }) => isUp && known?.groupId === 0) ?? this.#anyHost()).url;
  }

  get sql(): Sql {
    return this.#anyHost().sql;
  }

  /** @throws Error in one sentence that names the settings that a node lacks */
  async requireSettings(): Promise<void> {
    for (const node of this) {
      await requireSettings(node.pool.sql).catch((error) => {
        // An unavailable node does not prevent the start.
        if (node.groupId === undefined || !isTransient(error)) throw error;
      });
    }
  }

  [Symbol.iterator](): IterableIterator<ClusterNode> {
    return this.#nodes.values();
  }

  /** Checks every host. @returns whether any responds, as soon as that is known */
  async check(): Promise<boolean> {
    const checks = this.#hosts.map(async (host) => {
      const isUp = await host.check();
      this.#update();
      if (!isUp) throw new Error();
      return true;
    });
    return Promise.any(checks).catch(() => false);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#hosts, ...this].map((each) => each.end()));
  }

  /** Brings the nodes in line with what the hosts know. */
  #update(): void {
    const up = this.#hosts.filter(({ isUp }) => isUp);
    const shards = up.map(({ known }) => known?.shards ?? '').find((text) => text !== '');
    if (shards !== undefined && shards !== this.#shards) {
      if (this.#nodes.has(undefined)) this.#options.log.warn('the database has been distributed');
      this.#shards = shards;
      this.#map = new ShardMap(shards);
    }
    const groups: Set<number | undefined> = this.#map?.groups() ?? new Set([undefined]);
    for (const [groupId, node] of this.#nodes) {
      if (groups.has(groupId)) continue;
      this.#nodes.delete(groupId);
      node.retire();
    }
    for (const groupId of groups) this.#updateNode(groupId, up);
  }

  #updateNode(groupId: number | undefined, up: readonly Host[]): void {
    const hosts = this.#hosts.filter(({ known }) => groupId === undefined || known?.groupId === groupId);
    const own = hosts.find(({ isUp }) => isUp) ?? hosts[0];
    let node = this.#nodes.get(groupId);
    if (!node) {
      const other = up[(groupId ?? 0) % up.length] ?? (this.#hosts[0] as Host);
      node = new ClusterNode({ ...this.#options, groupId }, own?.isUp ? own : other);
      this.#nodes.set(groupId, node);
    }
    if (own?.isUp) {
      node.connectTo(own);
      return;
    }
    if (groupId === undefined) {
      node.markUp(false);
      return;
    }
    const others = up.filter((host) => host !== own);
    void node.checkThrough(others, () => this.#accountOf(groupId));
  }

  /** An id that an account of this node could have. */
  #accountOf(groupId: number): string {
    for (;;) {
      const id = crypto.randomUUID();
      if (this.#map?.groupOf(id) === groupId) return id;
    }
  }
}

/** As a server without Citus reports it. */
function isNoTable(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '42P01';
}
