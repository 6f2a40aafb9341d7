/** Retention on distributed books: a pass for each shard, on the shard's node. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import pino from 'pino';
import { distribute } from '../../ledger-worker/citus/distribute.ts';
import { ON_CITUS } from '../../ledger-worker/citus/schema-changes.ts';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { SQL_FOLDER } from '../../ledger-worker/database/sql-files.ts';
import { startRetention } from '../../ledger-worker/ledger/retention.ts';
import { startCitusCluster } from '../fixtures/citus-cluster.ts';
import { execute } from '../fixtures/citus-database.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(300_000);

const BOOKS = await Bun.file(join(import.meta.dir, 'books.sql')).text();
const SHARDS = 32;
const ACCOUNTS = 50;
/** Of 20 writes the last 8 are younger than 48 hours, and of those before one is kept; of 5 keys 2 are younger than 25 hours. */
const LEFT = { writes: ACCOUNTS * 9, keys: ACCOUNTS * 2 };
const STATEMENT_TIMEOUT_MS = 1_000;

const cluster = await startCitusCluster({ nodes: 2 });
const [first, second] = cluster.nodes as [CitusNode, CitusNode];
const sql = openDatabase({
  url: cluster.coordinator.url,
  poolMax: 1,
  statementTimeoutMs: 0,
  isDistributed: true,
});
afterAll(async () => {
  await sql.end();
  await cluster.stop();
});

beforeAll(async () => {
  await migrate(sql, SQL_FOLDER, ON_CITUS);
  await sql.unsafe(BOOKS);
  await distribute(sql, () => {});
});

const stored = async () => {
  const [row] = await sql<[typeof LEFT]>`
    select (select count(*)::integer from ledger.write_log) as writes,
           (select count(*)::integer from ledger.idempotency_key) as keys`;
  return row;
};
const finishedPasses = async () => {
  const rows =
    await sql`select from ledger.retention where finished_at > '-infinity' and after_account is null`;
  return rows.length;
};

/** Runs retention as a worker does, connected to a server, until `isDone`. */
async function retain(url: string, isDone: () => Promise<boolean>): Promise<void> {
  const db = openDatabase({ url, poolMax: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, isDistributed: true });
  const stop = startRetention({ sql: db }, pino({ level: 'silent' }));
  try {
    await until('the pass is finished', isDone, 120_000);
  } finally {
    await stop();
    await db.end({ timeout: 1 });
  }
}

test('each shard has an account id by which statements name it', async () => {
  for (const { url } of [cluster.coordinator, first]) {
    const rows = (await execute(
      url,
      `select get_shard_id_for_distribution_column('ledger.account', id) as shard from ledger.list_shards() as id`,
    )) as { shard: string }[];
    expect(new Set(rows.map(({ shard }) => shard)).size).toBe(SHARDS);
    expect(rows.length).toBe(SHARDS);
  }
});

test('while a node is frozen, the accounts of the others are passed over', async () => {
  const before = await stored();
  const onFirst = await execute(
    cluster.coordinator.url,
    `select count(*)::integer as accounts from ledger.account
       join citus_shards on shardid = get_shard_id_for_distribution_column('ledger.account', account_id)
      where nodeport = ${first.port}`,
  );
  const { accounts } = onFirst[0] as { accounts: number };
  expect(accounts).toBeGreaterThan(5);
  const own = openDatabase({ url: first.url, poolMax: 1, statementTimeoutMs: 0 });
  second.freeze();
  const startedAt = performance.now();
  try {
    // Read on the node itself: the tables would be the shards of all nodes.
    await own`set citus.override_table_visibility = off`;
    const shards = await own<{ shard: string }[]>`
      select relname as shard from pg_class where relname ~ '^retention_[0-9]+$' and relnamespace = 'ledger'::regnamespace`;
    const finished = shards
      .map(
        ({ shard }) =>
          `select from ledger.${shard} where finished_at > '-infinity' and after_account is null`,
      )
      .join(' union all ');
    await retain(cluster.coordinator.url, async () => (await own.unsafe(finished)).length === SHARDS / 2);
  } finally {
    second.thaw();
    await own.end();
  }
  console.log(`passes of the other node: ${Math.round(performance.now() - startedAt)} ms`);
  const after = await stored();
  expect(before.writes - after.writes).toBe(accounts * 11);
  expect(before.keys - after.keys).toBe(accounts * 3);
});

test('a worker that is connected to a node finishes all passes', async () => {
  await retain(first.url, async () => (await finishedPasses()) === SHARDS);
  expect(await stored()).toEqual(LEFT);
});

test('a step is executed whole on the node of its shard', async () => {
  const [shard] = await sql<{ id: string; port: number }[]>`
    select id, nodeport as port from ledger.list_shards() as id
      join citus_shards on shardid = get_shard_id_for_distribution_column('ledger.account', id) limit 1`;
  await sql`select citus_stat_counters_reset(0::oid)`;
  const calls = 20;
  for (let n = 0; n < calls; n++) {
    await sql`select ledger.delete_expired(${shard?.id ?? ''}::uuid, '1 h', '48 h', '25 h', 1000, 1000)`;
  }
  const [counters] = await sql<{ single: number; multi: number }[]>`
    select query_execution_single_shard::integer as single, query_execution_multi_shard::integer as multi
      from citus_stat_counters where name = current_database()`;
  expect(counters).toEqual({ single: calls, multi: 0 });
});

test('an account that is being erased is left to the erasure, and holds nothing up', async () => {
  const [account] = await sql<{ id: string }[]>`
    update ledger.account set deleted_at = now(), erasing_at = now()
     where account_id = md5('account 1')::uuid returning account_id as id`;
  const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000);
  await sql`update ledger.write_log set written_at = ${tenDaysAgo} where account_id = ${account?.id ?? ''}`;
  const erasing = openDatabase({ url: cluster.coordinator.url, poolMax: 1, statementTimeoutMs: 0 });
  await erasing.unsafe(`begin; select ledger.erase_some('${account?.id}', 5)`);
  const [step] = await sql<{ hasMore: boolean }[]>`
    select ledger.delete_expired(${account?.id ?? ''}::uuid, '0 s', '48 h', '25 h', 1000, 1000) as "hasMore"`;
  expect(step?.hasMore).toBe(false);
  await erasing.unsafe('commit');
  let isDone = false;
  while (!isDone) {
    const [row] = await erasing.unsafe<[{ isDone: boolean }]>(
      `select ledger.erase_some('${account?.id}', 50) as "isDone"`,
    );
    isDone = row.isDone;
  }
  await erasing.end();
  expect(await sql`select from ledger.write_log where account_id = ${account?.id ?? ''}`).toHaveLength(0);
});
