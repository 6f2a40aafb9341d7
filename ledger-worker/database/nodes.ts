/**
 * The nodes of the database. One Postgres is one node; a Citus cluster (`citus/cluster.ts`) has several.
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ the host that accepts writes ──▶ node ──▶ its pool of connections
 */
import { requireSettings, type Sql } from './connection.ts';
import { isTransient } from './errors.ts';
import { Host, type HostState, reasonOf } from './host.ts';
import { Node, type NodeOptions } from './node.ts';
import type { Pool } from './pool.ts';

export interface NodesOptions extends NodeOptions {
  /** One for each host of DATABASE_URL. */
  urls: readonly string[];
}

// The limit of the first check: an unavailable host must not delay the start for long.
const START_MS_MAX = 5_000;

export class Nodes<H extends Host = Host> implements Iterable<Node> {
  #host: H;
  readonly #node: Node;
  /** The last logged state of each host. */
  readonly #states: Map<H, HostState>;

  protected constructor(
    protected readonly options: NodesOptions,
    readonly hosts: readonly H[],
  ) {
    this.#host = hosts[0] as H;
    this.#states = new Map(hosts.map((host) => [host, 'writable']));
    this.#node = new Node(options, undefined, this.#host);
  }

  /** @throws Error in one sentence when no host can be used */
  static open(options: NodesOptions): Promise<Nodes> {
    return new Nodes(
      options,
      options.urls.map((url) => new Host(url)),
    ).start();
  }

  protected async start(): Promise<this> {
    await Promise.all(this.hosts.map((host) => host.check(START_MS_MAX)));
    if (!this.hosts.some(({ isUp }) => isUp))
      throw new Error(`The database is unavailable: ${this.reasons()}.`);
    for (const host of this.hosts) this.#logState(host);
    this.update();
    return this;
  }

  /** The node that has the account's rows. */
  of(_accountId: string): Node {
    return this.#node;
  }

  [Symbol.iterator](): Iterator<Node> {
    return [this.#node].values();
  }

  /** For statements that name no account, or any. Read it before each statement: it always points to a responding host. */
  get sql(): Sql {
    return this.#node.pool.sql;
  }

  /** The address for changes of the schema. */
  get schemaUrl(): string {
    return this.#host.url;
  }

  /** Runs a read of rows that every host has. The signal aborts when another host is tried. */
  readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return read(this.#node.pool, signal);
  }

  /** @throws Error in one sentence that names the settings that a node lacks */
  async requireSettings(): Promise<void> {
    for (const { groupId, pool } of this) {
      await requireSettings(pool.sql).catch((error) => {
        // An unavailable node of several does not prevent the start.
        if (groupId === undefined || !isTransient(error)) throw error;
      });
    }
  }

  /** Checks every host. @returns whether any can be used, as soon as that is known */
  async check(): Promise<boolean> {
    const checks = this.hosts.map(async (host) => {
      const isUp = await host.check();
      this.#logState(host);
      this.update();
      if (!isUp) throw host.error;
      return true;
    });
    return Promise.any(checks).catch(() => false);
  }

  #logState(host: H): void {
    const { url, state, error } = host;
    if (state === this.#states.get(host)) return;
    this.#states.set(host, state);
    const details = { host: new URL(url).host, state, reason: reasonOf(error) };
    this.options.log.info(details, 'the state of a database host has changed');
  }

  /** Why no host can be used. */
  reasons(): string {
    return this.hosts.map(({ error }) => reasonOf(error)).join('; ');
  }

  /** Brings the nodes in line with the state of the hosts. */
  protected update(): void {
    const host = this.#host.isUp ? this.#host : this.hosts.find(({ isUp }) => isUp);
    this.#node.connectTo(host);
    this.#host = host ?? this.#host;
  }

  async end(): Promise<void> {
    await Promise.all([...new Set([this.#node, ...this]), ...this.hosts].map((each) => each.end()));
  }
}
