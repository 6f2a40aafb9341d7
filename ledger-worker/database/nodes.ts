/**
 * The servers of the database: one Postgres (`OnePostgres`), or the nodes of a Citus cluster (`citus/cluster.ts`).
 *
 *   DATABASE_URL ──▶ hosts ── checked every second ──▶ those that accept writes ──▶ node ──▶ its pool of connections
 */
import { openDatabase, requireSettings, type Sql } from './connection.ts';
import { Host, type HostState, reasonOf } from './host.ts';
import { Node, type NodeOptions } from './node.ts';
import type { Pool } from './pool.ts';

export interface DatabaseHosts extends NodeOptions {
  /** One for each host of DATABASE_URL. */
  urls: readonly string[];
}

// Of the first check: an unavailable host must not delay the start for long.
const START_MS_MAX = 5_000;

export abstract class Nodes<H extends Host = Host> implements Iterable<Node> {
  protected constructor(
    protected readonly options: DatabaseHosts,
    protected readonly hosts: readonly H[],
  ) {}

  /** The node that has the account's rows. */
  abstract of(accountId: string): Node;
  abstract [Symbol.iterator](): Iterator<Node>;
  /** For statements that name no account, or any. Read it before each statement: it always points to a responding host. */
  abstract readonly sql: Sql;
  /** The address for changes of the schema. */
  abstract readonly schemaUrl: string;
  /** Runs a read of rows that every host has a copy of, with a signal that aborts when another host is tried. */
  abstract readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  /** Brings the nodes in line with the state of the hosts. */
  protected abstract update(): void;

  /** The first check. @throws Error in one sentence when no host can be used */
  protected async start(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.check(START_MS_MAX)));
    if (!this.hosts.some(({ isUp }) => isUp)) throw databaseUnavailable(this.hosts.map(({ error }) => error));
    this.update();
  }

  /** Checks every host. @returns whether any can be used, as soon as that is known */
  async check(): Promise<boolean> {
    const checks = this.hosts.map(async (host) => {
      const isUp = await host.check();
      this.update();
      if (!isUp) throw host.error;
      return true;
    });
    return Promise.any(checks).catch(() => false);
  }

  /** Why no host can be used: a sentence for each. */
  reasons(): string {
    return reasonsIn(this.hosts.map(({ error }) => error));
  }

  /** The number of hosts in each state. */
  states(): Record<HostState, number> {
    const states = { writable: 0, read_only: 0, unavailable: 0 };
    for (const { state } of this.hosts) states[state]++;
    return states;
  }

  /** @throws Error in one sentence that names the settings that the database lacks */
  async requireSettings(): Promise<void> {
    await requireSettings(this.sql);
  }

  async end(): Promise<void> {
    await Promise.all([...this.hosts, ...this].map((each) => each.end()));
  }
}

/** One Postgres, at the host that accepts writes. */
export class OnePostgres extends Nodes {
  readonly #node: Node;
  #host: Host;

  private constructor(options: DatabaseHosts, hosts: readonly [Host, ...Host[]]) {
    super(options, hosts);
    this.#host = hosts[0];
    this.#node = new Node(options, undefined, this.#host);
  }

  /** @throws Error in one sentence when no host can be used */
  static async open(options: DatabaseHosts): Promise<OnePostgres> {
    const database = new OnePostgres(
      options,
      options.urls.map((url) => new Host(url, options.log)) as [Host],
    );
    await database.start();
    return database;
  }

  of(): Node {
    return this.#node;
  }

  [Symbol.iterator](): Iterator<Node> {
    return [this.#node].values();
  }

  get sql(): Sql {
    return this.#node.pool.sql;
  }

  get schemaUrl(): string {
    return this.#host.url;
  }

  readAnywhere<Result>(
    read: (pool: Pool, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return read(this.#node.pool, signal);
  }

  protected update(): void {
    const host = this.#host.isUp ? this.#host : this.hosts.find(({ isUp }) => isUp);
    if (!host) {
      this.#node.markUp(false);
      return;
    }
    if (host !== this.#host) this.options.log.warn({ host: host.name }, 'the database is at another host');
    this.#host = host;
    this.#node.connectTo(host);
  }
}

/**
 * Whether the database has Citus, which every host of it knows.
 * @throws Error in one sentence when no host responds
 */
export async function hasCitus(urls: readonly string[]): Promise<boolean> {
  const answers = urls.map(async (url) => {
    const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: START_MS_MAX });
    try {
      const [row] = await sql`select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`;
      return row?.hasCitus === true;
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
  return Promise.any(answers).catch(({ errors }: AggregateError) => {
    throw databaseUnavailable(errors);
  });
}

function databaseUnavailable(errors: readonly unknown[]): Error {
  return new Error(`The database is unavailable: ${reasonsIn(errors)}.`, { cause: errors[0] });
}

function reasonsIn(errors: readonly unknown[]): string {
  return errors.map(reasonOf).join('; ');
}
