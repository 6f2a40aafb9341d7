/** A node has the rows of some accounts, or of all: one Postgres, or a node of a Citus cluster. */
import type { Logger } from 'pino';
import type { Host } from './host.ts';
import { Pool } from './pool.ts';

export interface NodeOptions {
  /** Connections to each node. */
  poolMax: number;
  statementTimeoutMs: number;
  log: Logger;
}

export class Node {
  readonly pool: Pool;

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
    this.pool = new Pool({ url, poolMax, statementTimeoutMs, isDistributed: groupId !== undefined });
  }

  get isUp(): boolean {
    return this.host !== undefined;
  }

  /** @param host that the node responds at. Undefined: it is unavailable */
  connectTo(host: Host | undefined): void {
    if (host === this.host) return;
    if (this.groupId !== undefined && (host === undefined || !this.isUp)) {
      const text = host ? 'a node is back' : 'a node is unavailable: its accounts are refused';
      this.options.log.warn({ node: this.groupId }, text);
    }
    this.host = host;
    // Also ends connections that were opened while the node was unavailable.
    this.pool.sql.reconnect(host?.url);
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}
