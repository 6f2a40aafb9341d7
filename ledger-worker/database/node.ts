/** A node has the rows of some accounts, or of all: one Postgres, or a node of a Citus cluster. */
import type { Logger } from 'pino';
import type { Host } from './host.ts';
import { Pool } from './pool.ts';

// Requests may use a pool that has been replaced until their deadline, for instance to repeat a statement.
const POOL_KEPT_MS = 10_000;

export interface NodeOptions {
  /** Connections to each node. */
  poolMax: number;
  statementTimeoutMs: number;
  log: Logger;
}

export class Node {
  /** Its number in a cluster. Undefined: it has the rows of all accounts. */
  readonly groupId: number | undefined;
  protected readonly options: NodeOptions;
  /** Its statements go there. */
  protected host: Host;
  #pool: Pool;
  #isUp = true;

  constructor(options: NodeOptions, groupId: number | undefined, host: Host) {
    this.options = options;
    this.groupId = groupId;
    this.host = host;
    this.#pool = this.#openPool();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get pool(): Pool {
    return this.#pool;
  }

  /** The node responds at `host`. */
  connectTo(host: Host): void {
    this.use(host);
    this.markUp(true);
  }

  markUp(isUp: boolean): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    // Those to a server that is no longer the node, and those that were opened while it was down.
    this.#pool.sql.closeConnections();
    if (this.groupId === undefined) return;
    const text = isUp ? 'a node is back' : 'a node is unavailable: its accounts are refused';
    this.options.log.warn({ node: this.groupId }, text);
  }

  /** Sends the next statements to `host`. */
  protected use(host: Host): void {
    if (host === this.host) return;
    const replaced = this.#pool;
    this.host = host;
    this.#pool = this.#openPool();
    setTimeout(() => void replaced.end(), POOL_KEPT_MS);
  }

  /** The node has no accounts any more. */
  retire(): void {
    setTimeout(() => void this.end(), POOL_KEPT_MS);
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #openPool(): Pool {
    const { poolMax, statementTimeoutMs } = this.options;
    const isDistributed = this.groupId !== undefined;
    return new Pool({ url: this.host.url, poolMax, statementTimeoutMs, isDistributed });
  }
}
