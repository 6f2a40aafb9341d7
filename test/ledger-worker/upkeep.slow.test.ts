/** What is over its time is forgotten, by any number of workers, and nothing that still counts is. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import pino from 'pino';
import { deleteExpired, startRetention } from '../../ledger-worker/upkeep.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { connectionsOf, openOne } from '../fixtures/database.ts';
import { expireWritesIn, writesOf } from '../fixtures/day.ts';
import { backendsWaiting } from '../fixtures/locks.ts';
import { createDatabase } from '../fixtures/own-database.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

const DAY_S = 24 * 60 * 60;

const onePass = () => deleteExpired(connectionsOf(sql), new AbortController().signal);

const keysOf = async (accountId: string) =>
  (
    await sql<{ key: string }[]>`
      select idempotency_key as key from ledger.idempotency_key where account_id = ${accountId} order by used_at`
  ).map(({ key }) => key);

/** Rows of both kinds, as many of them old as an account makes in years. */
async function fill(accountId: string, old: number, young: number): Promise<void> {
  await fillWrites(accountId, old, young);
  await fillKeys(accountId, old, young);
}

async function fillWrites(accountId: string, old: number, young: number): Promise<void> {
  await sql`
    insert into ledger.write_log (account_id, write_id, written_at, created, total)
    select ${accountId}, gen_random_uuid(), now() - case when n <= ${old} then interval '90 days' else interval '1 hour' end + n * interval '1 s', 1, n
      from generate_series(1, ${old + young}::integer) n`;
}

async function fillKeys(accountId: string, old: number, young: number): Promise<void> {
  await sql`
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, used_at)
    select ${accountId}, 'key ' || n, sha256('x'), now() - case when n <= ${old} then interval '26 hours' else interval '23 hours 30 minutes' end
           + n * interval '1 ms'
      from generate_series(1, ${old + young}::integer) n`;
}

test.each([
  [2_500, 5],
  [30, 0],
  [0, 0],
])(
  'old writes and idempotency keys are deleted, except the newest old write; those that count stay: %i and %i',
  async (old, young) => {
    const { accountId } = await TestAccount.create();
    await fill(accountId, old, young);
    const before = await writesOf(accountId);
    await onePass();
    expect(await writesOf(accountId)).toEqual(before.slice(Math.max(old - 1, 0)));
    expect(await keysOf(accountId)).toEqual(Array.from({ length: young }, (_, n) => `key ${old + n + 1}`));
  },
);

test.each([
  ['writes', 2_500, 0],
  ['idempotency keys', 0, 2_500],
])('a pass deletes all old rows of an account that has only old %s', async (_, writes, keys) => {
  const { accountId } = await TestAccount.create();
  await fillWrites(accountId, writes, 0);
  await fillKeys(accountId, keys, 0);
  await onePass();
  expect((await writesOf(accountId)).length).toBe(Math.min(writes, 1));
  expect(await keysOf(accountId)).toEqual([]);
});

test('a worker makes a pass an hour after the last one began', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 30, 0);
  await sql`update ledger.upkeep set last_pass = now() - interval '1 hour'`;
  await until('the pass has come to the account', async () => (await writesOf(accountId)).length === 1);
});

test('of several workers that find a pass due at the same time, one makes it', async () => {
  const databases = [openOne(system.databaseUrl), openOne(system.databaseUrl)] as const;
  const begin = async (database: typeof sql) =>
    (await database`select ledger.begin_retention('10 min') as "isDue"`)[0]?.isDue;
  try {
    // Not due yet for the workers of this test.
    await sql`update ledger.upkeep set last_pass = now() - interval '30 min'`;
    await databases[0].unsafe('begin');
    expect(await begin(databases[0])).toBe(true);
    const second = begin(databases[1]);
    await until('the second waits', async () => (await backendsWaiting('begin_retention')).length === 1);
    await databases[0].unsafe('commit');
    expect(await second).toBe(false);
  } finally {
    for (const database of databases) await database.end();
  }
});

test('the daily window of an account is the same before and after: deleted writes did not count', async () => {
  const account = await TestAccount.create();
  const batch = () => Array.from({ length: 500 }, () => entry());
  for (let n = 0; n < 10; n++) expect((await account.post(batch())).status).toBe(201);
  // Three of them out of the window, two of these long enough to be forgotten but for the newer; seven within.
  await expireWritesIn(account.accountId, [-3 * DAY_S, -2 * DAY_S, -DAY_S / 2, ...Array(7).fill(DAY_S / 2)]);
  await onePass();
  expect(await writesOf(account.accountId)).toHaveLength(9);
  for (let n = 0; n < 3; n++) expect((await account.post(batch())).status).toBe(201);
  const { status, body } = await account.post(entry());
  expect([status, body.error.code, body.error.remaining]).toEqual([429, 'daily_cap', 0]);
});

test('a call deletes a bounded number of rows of each kind, and says whether there may be more', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 25, 0);
  const call = async () => {
    const [row] = await sql`select ledger.delete_expired(${accountId}, '48 h', '24 h', 10) as "hasMore"`;
    return [row?.hasMore, (await writesOf(accountId)).length, (await keysOf(accountId)).length];
  };
  expect(await call()).toEqual([true, 15, 15]);
  expect(await call()).toEqual([true, 5, 5]);
  expect(await call()).toEqual([false, 1, 0]);
});

test('also of writes that have one time, as after the clock was set back; of these it waits for none that is held', async () => {
  const { accountId } = await TestAccount.create();
  await fillWrites(accountId, 25, 0);
  await sql`update ledger.write_log set written_at = now() - interval '90 days' where account_id = ${accountId}`;
  const locks = openOne(system.databaseUrl);
  try {
    await locks.unsafe(
      `begin; select from ledger.write_log where account_id = '${accountId}' and total = 3 for update`,
    );
    const [row] = await sql`select ledger.delete_expired(${accountId}, '48 h', '24 h', 10) as "hasMore"`;
    expect(row?.hasMore).toBe(true);
    const left = await sql<{ total: number }[]>`
      select total::integer from ledger.write_log where account_id = ${accountId} order by total`;
    expect(left.map(({ total }) => total)).toEqual([3, ...Array.from({ length: 14 }, (_, n) => n + 12)]);
  } finally {
    await locks.end();
  }
});

test('a pass waits for no lock: what another transaction holds is left to the next', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 30, 0);
  const locks = openOne(system.databaseUrl);
  try {
    await locks.unsafe(`begin; select from ledger.account where account_id = '${accountId}' for update;
      select from ledger.write_log where account_id = '${accountId}' and total = 1 for update;
      select from ledger.idempotency_key where account_id = '${accountId}' and idempotency_key = 'key 2' for update`);
    await onePass();
    expect(await writesOf(accountId)).toHaveLength(2);
    expect(await keysOf(accountId)).toEqual(['key 2']);
  } finally {
    await locks.end();
  }
});

test('of passes that fail in succession the first one is logged, and the next pass is made', async () => {
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  // It has no function yet.
  const { db, drop } = await createDatabase();
  let statements = 0;
  const counted = (...args: Parameters<typeof db>) => {
    statements++;
    return db(...args);
  };
  const stop = startRetention(connectionsOf(counted as typeof db), log);
  try {
    await until('two passes have failed', () => statements === 2);
    await db.unsafe(`create schema ledger;
      create function ledger.begin_retention(interval) returns boolean language sql as 'select false'`);
    await until('one works', () => lines.length > 1);
    expect(lines.map(({ msg }) => msg)).toEqual(['retention failed', 'retention works again']);
  } finally {
    await stop();
    await drop();
  }
});

test('a pass that is stopped deletes nothing more, however many rows an account has', async () => {
  const stop = new AbortController();
  let statements = 0;
  // More rows than any account has.
  const endless = async () => {
    if (++statements === 5) stop.abort();
    if (statements > 20) throw new Error('it goes on');
    return [{ id: Bun.randomUUIDv7(), hasMore: true }];
  };
  await deleteExpired(connectionsOf(endless as never), stop.signal);
  expect(statements).toBe(5);
});
