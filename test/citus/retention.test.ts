/** Retention on a distributed database. */
import { expect, setDefaultTimeout } from 'bun:test';
import pino from 'pino';
import { distribute } from '../../ledger-worker/citus/distribute.ts';
import { openDatabase, type Sql } from '../../ledger-worker/database/connection.ts';
import { deleteExpired, startRetention } from '../../ledger-worker/upkeep.ts';
import { type CitusDatabase, createCitusDatabase, migrateAndFill } from '../fixtures/citus-database.ts';
import { connectionsOf, openOne } from '../fixtures/database.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { until } from '../fixtures/until.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(300_000);

const ACCOUNTS = 50;
/** Of 20 writes the last 8 are younger than 48 hours, and of those before one is kept; of 5 keys 2 are younger than 24 hours. */
const LEFT = { writes: ACCOUNTS * 9, keys: ACCOUNTS * 2 };

let database: CitusDatabase;
let coordinator: string;
let node: string;
let sql: Sql;
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

beforeAll(async () => {
  database = await createCitusDatabase(await sharedDistributedDatabase());
  [coordinator, node] = database.urls as [string, string];
  sql = openDatabase({ url: coordinator, poolMax: 1, statementTimeoutMs: 0, isDistributed: true });
  await migrateAndFill(sql);
  await distribute(sql, () => {});
});

const stored = async () => {
  const [row] = await sql<[typeof LEFT]>`
    select (select count(*)::integer from ledger.write_log) as writes,
           (select count(*)::integer from ledger.idempotency_key) as keys`;
  return row;
};

test('a worker that is connected to a node makes the pass', async () => {
  const db = openDatabase({ url: node, poolMax: 1, statementTimeoutMs: 10_000, isDistributed: true });
  const stop = startRetention(connectionsOf(db), pino({ level: 'silent' }));
  try {
    await until('the pass is finished', async () => Bun.deepEquals(await stored(), LEFT), 60_000);
  } finally {
    await stop();
    await db.end({ timeout: 1 });
  }
});

test('a call is executed whole on the node of its account', async () => {
  const [account] = await sql<{ id: string }[]>`select account_id as id from ledger.account limit 1`;
  await sql`select citus_stat_counters_reset(0::oid)`;
  const calls = 20;
  for (let n = 0; n < calls; n++) {
    await sql`select ledger.delete_expired(${account?.id ?? ''}::uuid, '48 h', '24 h', 1000)`;
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
  const erasing = openOne(coordinator);
  await erasing.unsafe(`begin; select ledger.erase_some('${account?.id}', 5)`);
  await deleteExpired(connectionsOf(sql), new AbortController().signal);
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
