/** An account that is locked stays on its node until the transaction ends: a lock on another node's copy would exclude no other. */
import { expect, setDefaultTimeout } from 'bun:test';
import postgres, { type Sql } from 'postgres';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

// Longer than a move takes between its start and its end, if nothing holds it up.
const LOCKED_MS = 400;
const MOVES = 2;

let cluster: CitusCluster;
let sql: Sql;
beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
  sql = postgres(cluster.coordinator.url, { max: 3, onnotice: () => {} });
});
afterAll(() => sql?.end({ timeout: 1 }));

async function placementOf(accountId: string): Promise<{ shardId: string; port: number }> {
  const [placement] = await sql<[{ shardId: string; port: number }]>`
    select shardid as "shardId", nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('ledger.account', ${accountId}::text)`;
  return placement;
}

async function createAccount(): Promise<string> {
  const accountId = Bun.randomUUIDv7();
  await sql`insert into ledger.account (account_id, plan) values (${accountId}, 'pro')`;
  return accountId;
}

const nodeAt = (port: number) =>
  postgres({ host: '127.0.0.1', port, username: 'ledger', database: 'ledger', max: 1 });

async function moveTo(port: number, accountId: string, mode = 'auto'): Promise<void> {
  const { shardId, port: from } = await placementOf(accountId);
  await sql`
    select citus_move_shard_placement(${shardId}::bigint, '127.0.0.1', ${from}, '127.0.0.1', ${port}, ${mode}::citus.shard_transfer_mode)`;
}

const otherThan = (port: number) => cluster.nodes.find((node) => node.port !== port)?.port as number;

/** Locks the account and holds the lock for some time. @returns where the account was at the beginning and at the end */
async function holdLock(accountId: string): Promise<[number, number]> {
  const { port } = await placementOf(accountId);
  const own = nodeAt(port);
  try {
    return await own.begin(async (transaction) => {
      await transaction`select ledger.lock_account(${accountId}, true)`;
      const before = await placementOf(accountId);
      await Bun.sleep(LOCKED_MS);
      return [before.port, (await placementOf(accountId)).port] as [number, number];
    });
  } finally {
    await own.end();
  }
}

test('a shard does not move while an account of it is locked, and moves in between', async () => {
  const accountId = await createAccount();
  for (let move = 0; move < MOVES; move++) {
    const to = otherThan((await placementOf(accountId)).port);
    let isMoving = true;
    const moving = moveTo(to, accountId).finally(() => {
      isMoving = false;
    });
    while (isMoving) {
      const [before, after] = await holdLock(accountId);
      expect(after).toBe(before);
    }
    await moving;
    expect((await placementOf(accountId)).port).toBe(to);
  }
});

test('the deletion of an account stops a key that is being created while the shard moves', async () => {
  const accountId = await createAccount();
  const { port } = await placementOf(accountId);
  const [keys] = await sql<[{ shard: string }]>`
    select 'ledger.account_of_key_' || shardid as shard from pg_dist_shard
     where logicalrelid = 'ledger.account_of_key'::regclass`;
  const node = nodeAt(port);
  const [id, hash] = [crypto.randomUUID(), crypto.getRandomValues(Buffer.alloc(32))];
  const { creating, deleting } = await node.begin(async (transaction) => {
    // Holds up the key's creation after it has read the account.
    await transaction`set local citus.enable_manual_changes_to_shards to on`;
    await transaction.unsafe(`lock table ${keys.shard} in exclusive mode`);
    const created =
      sql`select ledger.create_key(${accountId}, ${id}, 'test', ${id}, ${hash}, false)`.execute();
    await Bun.sleep(LOCKED_MS);
    const deleted = moveTo(otherThan(port), accountId, 'block_writes').then(
      () => sql`select ledger.delete_account(${accountId}, ${crypto.randomUUID()}, 'test')`,
    );
    await Promise.race([deleted, Bun.sleep(5 * LOCKED_MS)]);
    return { creating: created, deleting: deleted };
  });
  await Promise.all([creating, deleting]);
  await node.end();
  const [key] =
    await sql`select revoked_at as "revokedAt" from ledger.api_key where account_id = ${accountId}`;
  expect(key?.revokedAt).toBeInstanceOf(Date);
});
