/** A node of a cluster: the server that has the rows of some accounts, or of all until the database is distributed. */
import type { Logger } from 'pino';
import { openDatabase, type Sql } from '../database/connection.ts';
import { healthCheck, type Node } from '../database/nodes.ts';
import { openPool, type Pool } from '../database/pool.ts';
import type { Host } from './host.ts';

// Requests may use a pool that has been replaced until their deadline, for instance to repeat a statement.
const POOL_KEPT_MS = 10_000;

export interface NodeOptions {
  poolMax: number;
  statementTimeoutMs: number;
  /** The node's group in the cluster. Undefined: the database is not distributed. */
  groupId: number | undefined;
  log: Logger;
}

export class ClusterNode implements Node {
  readonly groupId: number | undefined;
  #isUp = true;
  readonly #options: NodeOptions;
  #host: Host;
  #pool: Pool;
  /** Checks the node through another host, which executes the statement on the node. */
  #viaOther: { host: Host; sql: Sql; check: () => Promise<boolean> } | undefined;

  /** @param host that the statements go to */
  constructor(options: NodeOptions, host: Host) {
    this.#options = options;
    this.groupId = options.groupId;
    this.#host = host;
    this.#pool = this.#openPool(host);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  markUp(isUp: boolean): void {
    const { log, groupId } = this.#options;
    if (isUp !== this.#isUp && groupId !== undefined) {
      log.warn(
        { node: groupId },
        isUp ? 'a node is back' : 'a node is unavailable: its accounts are refused',
      );
    }
    this.#isUp = isUp;
  }

  /** Of connections to the node's own host, or to another one, which executes the statements on the node. */
  get pool(): Pool {
    return this.#pool;
  }

  /** The node responds at its own host. */
  connectTo(host: Host): void {
    this.#use(host);
    this.markUp(true);
    this.#endViaOther();
  }

  /**
   * Checks the node, whose own host is unavailable or not listed, through one of `others`.
   * @param accountId returns an id that the node would have
   */
  async checkThrough(others: readonly Host[], accountId: () => string): Promise<void> {
    if (!others.includes(this.#host)) this.markUp(false);
    if (!this.#viaOther || !others.includes(this.#viaOther.host)) {
      this.#endViaOther();
      const host = others.includes(this.#host) ? this.#host : others[(this.groupId ?? 0) % others.length];
      if (!host) return;
      // Without a timeout: on a node that hangs, each cancelled statement would keep a server process of the host.
      const sql = openDatabase({ url: host.url, poolMax: 1, statementTimeoutMs: 0, isDistributed: true });
      const check = healthCheck(
        async () => sql`select from ledger.account where account_id = ${accountId()}`,
      );
      this.#viaOther = { host, sql, check };
    }
    const via = this.#viaOther;
    const isUp = await via.check();
    if (this.#viaOther !== via) return;
    if (isUp) this.#use(via.host);
    this.markUp(isUp);
  }

  /** The node has no accounts any more. */
  retire(): void {
    setTimeout(() => void this.end(), POOL_KEPT_MS);
  }

  async end(): Promise<void> {
    this.#endViaOther();
    await this.#pool.end();
  }

  #use(host: Host): void {
    if (host === this.#host) return;
    const replaced = this.#pool;
    this.#host = host;
    this.#pool = this.#openPool(host);
    setTimeout(() => void replaced.end(), POOL_KEPT_MS);
  }

  #endViaOther(): void {
    void this.#viaOther?.sql.end({ timeout: 0 });
    this.#viaOther = undefined;
  }

  #openPool({ url }: Host): Pool {
    const { poolMax, statementTimeoutMs } = this.#options;
    return openPool({ url, poolMax, statementTimeoutMs, isDistributed: this.groupId !== undefined });
  }
}
