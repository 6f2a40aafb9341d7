/** A node has the rows of some accounts, or of all: one Postgres, or a node of a Citus cluster. */
import type { Logger } from 'pino';
import type { Host } from './host.ts';
import { Pool } from './pool.ts';

// The time of a request.
const POOL_KEPT_MS = 10_000;

export interface NodeOptions {
  /** Connections to each node. */
  poolMax: number;
  statementTimeoutMs: number;
  log: Logger;
}

export class Node {
  readonly pool: Pool;
  #server: string | undefined;

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
    this.#server = host?.server;
    this.pool = new Pool({ url, poolMax, statementTimeoutMs, isDistributed: groupId !== undefined });
  }

  get isUp(): boolean {
    return this.host !== undefined;
  }

  /** @param host that the node responds at. Undefined: it is unavailable */
  connectTo(host: Host | undefined): void {
    if (host === this.host && host?.server === this.#server) return;
    if (this.groupId !== undefined && (host === undefined || !this.isUp)) {
      const text = host ? 'a node is back' : 'a node is unavailable: its accounts are refused';
      this.options.log.warn({ node: this.groupId }, text);
    }
    this.host = host;
    this.#server = host?.server;
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
