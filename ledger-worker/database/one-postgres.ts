/** One Postgres: the only node, with the rows of all accounts. */
import { openDatabase, requireSettings } from './connection.ts';
import type { Nodes } from './nodes.ts';
import { openPool } from './pool.ts';

const PROBE_MS_MAX = 1_000;

interface Options {
  url: string;
  poolMax: number;
  statementTimeoutMs: number;
}

export function openOnePostgres({ url, poolMax, statementTimeoutMs }: Options): Nodes {
  const pool = openPool({ url, poolMax, statementTimeoutMs });
  // A connection of its own: the health check must not wait for other statements.
  const probe = openDatabase({ url, poolMax: 1, statementTimeoutMs: PROBE_MS_MAX });
  const node = { groupId: undefined, pool, isUp: true };
  let pending: Promise<boolean> | undefined;
  return {
    [Symbol.iterator]: () => [node].values(),
    of: () => node,
    sql: pool.sql,
    readAnywhere: (read, signal) => read(pool, signal),
    schemaUrl: url,
    requireSettings: () => requireSettings(pool.sql),

    async check() {
      // At most one at a time: a check that hangs holds the connection.
      pending ??= probe`select 1`
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          pending = undefined;
        });
      node.isUp = await Promise.race([pending, Bun.sleep(PROBE_MS_MAX).then(() => false)]);
      return node.isUp;
    },

    async end() {
      await Promise.all([pool.end(), probe.end({ timeout: 5 })]);
    },
  };
}
