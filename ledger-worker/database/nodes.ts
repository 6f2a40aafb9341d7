/**
 * The nodes of the database. One Postgres is one node; a Citus cluster (`citus/cluster.ts`) has several.
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ the host that accepts writes ──▶ node ──▶ its pool of connections
 */
import type { Logger } from 'pino';
import type { DatabaseTime } from '../../proto/contract.ts';
import { requireSessionSettings, type Sql } from './connection.ts';
import { isTransient, reasonOf } from './errors.ts';
import { Host, type HostState } from './host.ts';
import type { SchemaChanges } from './migrate.ts';
import { Pool } from './pool.ts';
import { schemaCheck } from './schema-check.ts';

interface NodeOptions {
  /** Connections to each node. */
  poolMax: number;
  statementTimeoutMs: number;
  log: Logger;
}

export interface NodesOptions extends NodeOptions {
  /** One for each host of DATABASE_URL. */
  urls: readonly string[];
}

// The limit of the first check: an unavailable host must not delay the start for long.
const START_MS_MAX = 5_000;

export class Nodes<H extends Host = Host> implements Iterable<Node> {
  #host: H;
  /** By their groups in a cluster. The only node of one Postgres has none. */
  protected readonly nodes = new Map<number | undefined, Node>();
  /** The last logged state of each host. */
  readonly #states: Map<H, HostState>;

  protected constructor(
    protected readonly options: NodesOptions,
    readonly hosts: readonly H[],
  ) {
    this.#host = hosts[0] as H;
    this.#states = new Map(hosts.map((host) => [host, 'writable']));
  }

  /** @throws Error in one sentence when no host can be used */
  static open(options: NodesOptions): Promise<Nodes> {
    return new Nodes(
      options,
      options.urls.map((url) => new Host(url)),
    ).checkAll();
  }

  protected async checkAll(): Promise<this> {
    await Promise.all(this.hosts.map((host) => host.check(START_MS_MAX)));
    if (!this.hosts.some(({ isUp }) => isUp))
      throw new Error(`The database of DATABASE_URL is unavailable: ${this.reasons()}.`);
    for (const host of this.hosts) this.#logState(host);
    this.update();
    return this;
  }

  /** @throws Error in one sentence when several servers accept writes: entries could go to any of them */
  requireOneDatabase(): void {
    const writable = this.hosts.filter(({ isUp }) => isUp);
    // Two names of one server are one database.
    if (new Set(writable.map(({ serverStart }) => serverStart)).size < 2) return;
    const names = writable.map(({ url }) => new URL(url).host).join(' and ');
    throw new Error(
      `DATABASE_URL names several databases: ${names} accept writes, and the database is not distributed. Name the primary and its standbys only.`,
    );
  }

  /** The node that has the account's rows. */
  of(accountId: string): Node {
    return this.nodes.get(this.groupOf(accountId)) as Node;
  }

  protected groupOf(_accountId: string): number | undefined {
    return undefined;
  }

  /** Of one Postgres: a cluster overrides the methods that read it. */
  get #onlyNode(): Node {
    return this.nodes.get(undefined) as Node;
  }

  [Symbol.iterator](): Iterator<Node> {
    return this.nodes.values();
  }

  /** Runs work whose statements name no account, or any, on a connection of a host that responds. */
  withConnection<Result>(work: (sql: Sql) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#onlyNode.pool.withConnection(work, signal);
  }

  /** The address for changes of the schema. */
  get schemaUrl(): string {
    return this.#host.url;
  }

  /** The extra steps of such a change. Undefined for one server. */
  get schemaChanges(): SchemaChanges | undefined {
    return undefined;
  }

  /** Runs a read of rows that every host has. The signal aborts when another host is tried. */
  readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return read(this.#onlyNode.pool, signal);
  }

  /**
   * Warns of a pool that exceeds a server.
   * @throws Error in one sentence that names the settings that a node lacks
   */
  async requireSettings(): Promise<void> {
    for (const { groupId, pool } of this) {
      try {
        await requireSessionSettings(pool.sql);
        await this.#warnOfPool(pool.sql);
      } catch (error) {
        // An unavailable node of several does not prevent the start.
        if (groupId === undefined || !isTransient(error)) throw error;
      }
    }
  }

  /** A warning only: with a pooler in between the pool may be larger. */
  async #warnOfPool(sql: Sql): Promise<void> {
    const [row] = await sql<{ max: number }[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max`;
    // One more connection checks the host.
    if (row === undefined || this.options.poolMax < row.max) return;
    const remedy = 'lower it or raise max_connections, unless a pooler is in between';
    this.options.log.warn(
      { max: row.max },
      `the server accepts fewer connections than DATABASE_POOL_MAX: ${remedy}`,
    );
  }

  /** Makes the schema a part of each check, once it is migrated. @throws Error in one sentence when it does not serve this worker */
  async requireSchema(): Promise<void> {
    const check = schemaCheck();
    for (const host of this.hosts) host.checkSchema = check;
    await this.checkAll();
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

  /** The times of the hosts that can be used. */
  times(): DatabaseTime[] {
    return this.hosts.filter(({ isUp }) => isUp).map((host) => host.time());
  }

  #logState(host: H): void {
    const { url, state, error } = host;
    if (state === this.#states.get(host)) return;
    this.#states.set(host, state);
    const details = { host: new URL(url).host, state, reason: reasonOf(error) };
    this.options.log.info(details, 'the state of a database host has changed');
  }

  /** Why no host can be used, and the way out. */
  reasons(): string {
    const isOne = this.hosts.length === 1;
    const reasons = this.hosts.map(
      ({ url, error }) => (isOne ? '' : `${new URL(url).host} `) + reasonOf(error),
    );
    return reasons.join('; ');
  }

  /** Brings the nodes in line with the state of the hosts. */
  protected update(): void {
    const host = this.#host.isUp ? this.#host : this.hosts.find(({ isUp }) => isUp);
    this.#host = host ?? this.#host;
    const node = this.nodes.get(undefined);
    if (node) node.connectTo(host);
    else this.nodes.set(undefined, new Node(this.options, undefined, this.#host));
  }

  async end(): Promise<void> {
    await Promise.all([...this, ...this.hosts].map((each) => each.end()));
  }
}

// The time of a request.
const POOL_KEPT_MS = 10_000;

/** Has the rows of some accounts, or of all: one Postgres, or a node of a Citus cluster. */
export class Node {
  readonly pool: Pool;
  /** The server that its connections lead to, by its host and its start. Without a start they lead to none. */
  #server: { host: Host | undefined; start: string | undefined };

  /**
   * @param groupId its number in a cluster. Undefined: it has the rows of all accounts
   * @param host that it responds at
   */
  constructor(
    private readonly options: NodeOptions,
    readonly groupId: number | undefined,
    protected host: Host | undefined,
  ) {
    const { poolMax, statementTimeoutMs } = options;
    const url = host?.url ?? '';
    this.#server = { host, start: host?.serverStart };
    this.pool = new Pool({ url, poolMax, statementTimeoutMs, isDistributed: groupId !== undefined });
  }

  get isUp(): boolean {
    return this.host !== undefined;
  }

  /** @param host that the node responds at. Undefined: it is unavailable */
  connectTo(host: Host | undefined): void {
    if (this.groupId !== undefined && this.isUp !== (host !== undefined)) {
      const text = host ? 'a node is back' : 'a node is unavailable: its accounts are refused';
      this.options.log.warn({ node: this.groupId }, text);
    }
    this.host = host;
    // The same server may respond again. A connection without a response ends by itself.
    if (!host && this.#server.host?.isSilent) return;
    const server = { host: host ?? this.#server.host, start: host?.serverStart };
    if (server.host === this.#server.host && server.start === this.#server.start) return;
    this.#server = server;
    // Also ends connections to a server that the host's name no longer leads to.
    this.pool.sql.reconnect(host?.url);
  }

  /** The node has no accounts any more. Requests may still repeat a statement. */
  retire(): void {
    setTimeout(() => void this.end(), POOL_KEPT_MS);
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}
