/** What is over its time is forgotten, by any number of workers, and nothing that still counts is. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { startWorker, type Worker } from '../../../local/servers/worker.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { expireWritesIn, writesOf } from '../../fixtures/day.ts';
import { sql, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const DAY_S = 24 * 60 * 60;
const others: Worker[] = [];
beforeAll(async () => {
  for (let n = 0; n < 2; n++) others.push(await startWorker({ databaseUrl: system.databaseUrl }));
});
afterAll(async () => {
  for (const worker of others) await worker.stop();
});

/** Lets a pass begin, which the workers would begin within the hour, and waits for its end. */
async function onePass(): Promise<void> {
  await sql`update ledger.retention set after_account = null, finished_at = '-infinity'`;
  await until('a pass has ended', async () => {
    const done =
      await sql`select from ledger.retention where after_account is null and finished_at > '-infinity'`;
    return done.length > 0;
  });
}

/** Lets a pass be under way that has come up to the account before this one. */
async function beginBefore(accountId: string, connection = sql): Promise<void> {
  await connection`
    update ledger.retention
       set finished_at = '-infinity',
           after_account = (select account_id from ledger.account where account_id < ${accountId}
                             order by account_id desc limit 1)`;
}

/** One step of a pass, as a worker takes it. */
async function step(accounts: number, rows: number, connection = sql): Promise<boolean> {
  const [response] = await connection`
    select ledger.delete_expired(null, '1 h', '48 h', '25 h', ${accounts}, ${rows}) as more`;
  return response?.more;
}

const keysOf = async (accountId: string) =>
  (
    await sql<{ key: string }[]>`
      select idempotency_key as key from ledger.idempotency_key where account_id = ${accountId} order by used_at`
  ).map(({ key }) => key);

/** Rows of both kinds, as many of them old as an account makes in years. */
async function fill(accountId: string, old: number, young: number): Promise<void> {
  await sql`
    insert into ledger.write_log (account_id, written_at, created, total)
    select ${accountId}, now() - case when n <= ${old} then interval '90 days' else interval '1 hour' end + n * interval '1 s', 1, n
      from generate_series(1, ${old + young}::integer) n`;
  await sql`
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, used_at)
    select ${accountId}, 'key ' || n, sha256('x'), now() - case when n <= ${old} then interval '26 hours' else interval '24 hours 30 minutes' end
           + n * interval '1 ms'
      from generate_series(1, ${old + young}::integer) n`;
}

test('old writes and idempotency keys are deleted, except the newest old write; those that count stay', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 2_500, 5);
  const before = await writesOf(accountId);
  await onePass();
  expect(await writesOf(accountId)).toEqual(before.slice(2_499));
  expect(await keysOf(accountId)).toEqual([1, 2, 3, 4, 5].map((n) => `key ${2_500 + n}`));
});

test('a pass begins an hour after the last one ended', async () => {
  await sql`update ledger.retention set after_account = null, finished_at = now() - interval '1 hour'`;
  await until('another has ended', async () => {
    const [pass] = await sql`
      select after_account is null and finished_at > now() - interval '1 minute' as ended from ledger.retention`;
    return pass?.ended;
  });
});

test('an account that has written nothing for long keeps its last write, and one without any is passed over', async () => {
  const [idle, empty] = [await TestAccount.create(), await TestAccount.create()];
  await fill(idle.accountId, 30, 0);
  const [last] = (await writesOf(idle.accountId)).toReversed();
  await onePass();
  expect(await writesOf(idle.accountId)).toEqual(last ? [last] : []);
  expect(await keysOf(idle.accountId)).toEqual([]);
  expect(await writesOf(empty.accountId)).toEqual([]);
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
  const refused = await account.post(entry());
  expect([refused.status, refused.body.error.code, refused.body.error.remaining]).toEqual([
    429,
    'daily_cap',
    0,
  ]);
});

test('an idempotency key that may still be repeated is repeated after a pass', async () => {
  const account = await TestAccount.create();
  const headers = { 'idempotency-key': 'still-good' };
  const first = await account.post(entry(), { headers });
  await sql`
    update ledger.idempotency_key set used_at = now() - interval '23 hours 59 minutes' where account_id = ${account.accountId}`;
  await onePass();
  const again = await account.post(entry(), { headers });
  expect([again.status, again.body.transactions]).toEqual([201, first.body.transactions]);
});

test('a step is bounded, in accounts and in rows of each kind, and the next continues where it ended', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, () => TestAccount.create()));
  const ids = accounts.map(({ accountId }) => accountId).sort();
  for (const id of ids) await fill(id, 25, 0);
  // In a transaction of its own the test is the only worker.
  const own = openDatabase({ url: system.databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  const left = async () => {
    const [rows] = await own<[{ writes: number; keys: number }]>`
      select (select count(*)::integer from ledger.write_log where account_id = any (${`{${ids}}`}::uuid[])) as writes,
             (select count(*)::integer from ledger.idempotency_key where account_id = any (${`{${ids}}`}::uuid[])) as keys`;
    return rows;
  };
  try {
    await own.unsafe('begin');
    await beginBefore(ids[0] ?? '', own);
    const steps = [];
    for (let isMore = true; isMore && steps.length < 100; ) {
      const before = await left();
      isMore = await step(2, 10, own);
      const after = await left();
      steps.push([before.writes - after.writes, before.keys - after.keys]);
    }
    for (const [writes, keys] of steps) {
      expect(writes).toBeLessThanOrEqual(10);
      expect(keys).toBeLessThanOrEqual(10);
    }
    expect(steps.length).toBeGreaterThan(12);
    expect(await left()).toEqual({ writes: 5, keys: 0 });
  } finally {
    await own.unsafe('commit');
    await own.end();
  }
});

test('while one worker runs a pass, another does nothing and does not wait', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 30, 0);
  const locks = openDatabase({ url: system.databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  try {
    // As a worker holds it that is in the middle of a step.
    await locks.unsafe('begin; select from ledger.retention for update');
    await beginBefore(accountId, locks);
    expect(await step(1_000, 1_000)).toBe(false);
    expect(await writesOf(accountId)).toHaveLength(30);
    await locks.unsafe('commit');
  } finally {
    await locks.end();
  }
  await until('the pass has gone on', async () => (await writesOf(accountId)).length === 1);
});

test('a step does not wait for a write in flight', async () => {
  const { accountId } = await TestAccount.create();
  await fill(accountId, 30, 0);
  const locks = openDatabase({ url: system.databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  try {
    // As a batch holds them: its account, and the keys that it forgets itself.
    await locks.unsafe(`begin; select from ledger.account where account_id = '${accountId}' for no key update;
      select from ledger.idempotency_key where account_id = '${accountId}' and idempotency_key <= 'key 2' for update`);
    await onePass();
    expect(await writesOf(accountId)).toHaveLength(1);
    expect((await keysOf(accountId)).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `key ${n + 1}`)
        .filter((key) => key <= 'key 2')
        .sort(),
    );
  } finally {
    await locks.end();
  }
});
