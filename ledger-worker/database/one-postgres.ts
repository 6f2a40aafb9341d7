/** One Postgres: the only node, with the rows of all accounts. */
import { openDatabase, requireSettings } from './connection.ts';
import { CHECK_MS_MAX, healthCheck } from './health-check.ts';
import type { Nodes } from './nodes.ts';
import { openPool } from './pool.ts';

interface Options {
  url: string;
  poolMax: number;
  statementTimeoutMs: number;
}

export function openOnePostgres({ url, poolMax, statementTimeoutMs }: Options): Nodes {
  const pool = openPool({ url, poolMax, statementTimeoutMs });
  const probe = openDatabase({ url, poolMax: 1, statementTimeoutMs: CHECK_MS_MAX });
  const check = healthCheck(async () => probe`select 1`);
  const node = { groupId: undefined, pool, isUp: true };
  return {
    [Symbol.iterator]: () => [node].values(),
    of: () => node,
    sql: pool.sql,
    readAnywhere: (read, signal) => read(pool, signal),
    schemaUrl: url,
    requireSettings: () => requireSettings(pool.sql),

    async check() {
      node.isUp = await check();
      return node.isUp;
    },

    async end() {
      await Promise.all([pool.end(), probe.end({ timeout: 5 })]);
    },
  };
}
