/**
 * The nodes of the database, and which of them has an account's rows. Each has connections of its own, so that one which hangs
 * or is down costs only its own accounts. Books that are not distributed have one node.
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ shard map: account ──▶ node ──▶ its own host, or another one that
 *                                                                                      executes the statements on the node
 */
import { requireSettings, type Sql } from './connection.ts';
import { isTransient } from './errors.ts';
import { Host } from './host.ts';
import { Node, type NodeOptions } from './node.ts';
import type { Pool } from './pool.ts';
import { ShardMap } from './shard-map.ts';

export interface NodesOptions extends Omit<NodeOptions, 'groupId'> {
  /** One for each host. */
  urls: readonly string[];
}

// Of the first check: a host that is down must not keep the worker down for long.
const START_MS_MAX = 5_000;
// The next host is tried when a host does not respond.
const LOOKUP_MS_MAX = 200;

export class Nodes {
  readonly #options: NodesOptions;
  readonly #hosts: Host[];
  readonly #nodes = new Map<number | undefined, Node>();
  #shards = '';
  #map: ShardMap | undefined;
  // Spreads the workers' lookups over the hosts.
  #preferred = Math.random();

  private constructor(options: NodesOptions) {
    this.#options = options;
    this.#hosts = options.urls.map((url) => new Host(url, options.statementTimeoutMs));
  }

  /** @throws Error in one sentence when no host responds */
  static async open(options: NodesOptions): Promise<Nodes> {
    const nodes = new Nodes(options);
    await Promise.all(nodes.#hosts.map((host) => host.check(START_MS_MAX)));
    const [first] = nodes.#hosts as [Host];
    if (!nodes.#hosts.some(({ isUp }) => isUp)) {
      const { message, code } = (first.error ?? {}) as { message?: string; code?: string };
      throw new Error(`The database is out of reach: ${message || code || 'no response'}.`, {
        cause: first.error,
      });
    }
    nodes.#update();
    return nodes;
  }

  get isDistributed(): boolean {
    return this.#map !== undefined;
  }

  /** The node that has the account's rows. */
  of(accountId: string): Node {
    return this.#nodes.get(this.#map?.groupOf(accountId)) as Node;
  }

  /**
   * Runs a read of what every host has a copy of, at one that responds.
   * @param read is given a signal that aborts when the next host is tried
   */
  async anyHost<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    if (!this.isDistributed) return read(this.of('').pool, signal);
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

  /** The host that can change the schema, if it is listed and responds; else any. */
  coordinator(): Host {
    return this.#hosts.find(({ isUp, known }) => isUp && known?.groupId === 0) ?? this.#anyHost();
  }

  /** For statements that name no account, or any: they run on a host that responds when they are sent. */
  readonly sql: Sql = new Proxy((() => {}) as unknown as Sql, {
    apply: (_, __, args: Parameters<Sql>) => this.#anySql()(...args),
    get: (_, name) => Reflect.get(this.#anySql(), name),
  });

  #anySql(): Sql {
    return this.isDistributed ? this.#anyHost().sql : (this.#nodes.get(undefined) as Node).pool.sql;
  }

  /** @throws Error in one sentence that names the settings that a node lacks */
  async requireSettings(): Promise<void> {
    for (const node of this) {
      await requireSettings(node.pool.sql).catch((error) => {
        // A node that is down does not prevent the start.
        if (!node.isDistributed || !isTransient(error)) throw error;
      });
    }
  }

  [Symbol.iterator](): Iterator<Node> {
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
      if (this.#nodes.has(undefined)) this.#options.log.warn('the books have been distributed');
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
      node = new Node({ ...this.#options, groupId }, own?.isUp ? own : other);
      this.#nodes.set(groupId, node);
    }
    if (own?.isUp) {
      node.connectTo(own);
      return;
    }
    if (groupId === undefined) {
      node.isUp = false;
      return;
    }
    const others = up.filter((host) => host !== own);
    void node.checkThrough(others, this.#accountOf(groupId));
  }

  /** An id that an account of this node could have. */
  #accountOf(groupId: number): string {
    for (;;) {
      const id = crypto.randomUUID();
      if (this.#map?.groupOf(id) === groupId) return id;
    }
  }
}
