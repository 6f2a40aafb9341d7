/** A node of a cluster, which another host can reach when its own is unavailable. */
import { openDatabase, type Sql } from '../database/connection.ts';
import { type Host, healthCheck } from '../database/host.ts';
import { Node } from '../database/node.ts';

export class ClusterNode extends Node {
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
      const check = healthCheck(
        async () =>
          sql`select plan, api_access as "apiAccess" from ledger.authenticate(${accountId()}, ${Buffer.alloc(0)})`,
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
