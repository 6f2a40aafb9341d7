/** An account that is locked stays on its node until the transaction ends: a lock on another node's copy would exclude no other. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { startDistributedBooks } from '../fixtures/distributed-books.ts';

setDefaultTimeout(120_000);

// Longer than a move takes between its start and its end, if nothing holds it up.
const LOCKED_MS = 400;
const MOVES = 2;

const cluster = await startDistributedBooks();
const sql = postgres(cluster.coordinator.url, { max: 3, onnotice: () => {} });
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await cluster.stop();
});

async function placementOf(accountId: string): Promise<{ shardId: string; port: number }> {
  const [placement] = await sql<[{ shardId: string; port: number }]>`
    select shardid as "shardId", nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('ledger.account', ${accountId}::text)`;
  return placement;
}

/** Locks the account and holds the lock for some time. @returns where the account was at the beginning and at the end */
async function holdLock(accountId: string): Promise<[number, number]> {
  const { port } = await placementOf(accountId);
  const own = postgres({ host: '127.0.0.1', port, username: 'ledger', database: 'ledger', max: 1 });
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
  const accountId = Bun.randomUUIDv7();
  await sql`insert into ledger.account (account_id, plan) values (${accountId}, 'pro')`;
  const ports = cluster.nodes.map(({ port }) => port);
  for (let move = 0; move < MOVES; move++) {
    const { shardId, port } = await placementOf(accountId);
    const to = ports.find((each) => each !== port) as number;
    let isMoving = true;
    const moving = sql`
      select citus_move_shard_placement(${shardId}::bigint, '127.0.0.1', ${port}, '127.0.0.1', ${to})`.finally(
      () => {
        isMoving = false;
      },
    );
    while (isMoving) {
      const [before, after] = await holdLock(accountId);
      expect(after).toBe(before);
    }
    await moving;
    expect((await placementOf(accountId)).port).toBe(to);
  }
});
