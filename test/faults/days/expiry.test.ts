/** What is kept for a time, and what is kept for good: idempotency keys, the write log, write ids, deleted accounts. */
import { afterAll, expect, setDefaultTimeout } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { newEntry, openLedger } from '../../fixtures/ledger.ts';
import { until } from '../../fixtures/until.ts';
import { dayTest } from './clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type OwnSystem, startOwnSystem } from './own-system.ts';
import { entries, entry, newOwner } from './owner.ts';

setDefaultTimeout(60_000);

// The end of summer time is 13 hours later.
const BEGIN = '2026-10-24T12:00Z';
const system = await startOwnSystem({ at: BEGIN });

// A pass comes to the accounts in the order of their ids.
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lets time pass, an hour at least, and waits until a worker has made its pass over all accounts. */
async function passWithRetention({ pass, sql }: OwnSystem, ms: number) {
  await sql`insert into ledger.account (account_id, plan) values (${LAST}, 'pro') on conflict do nothing`;
  await sql`
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, used_at)
    values (${LAST}, 'key', sha256(''), clock_timestamp() - interval '24 hours')`;
  pass(ms);
  await until('retention has passed', async () => (await keysOf(LAST)).length === 0);
}

const keysOf = async (accountId: string) =>
  (
    await system.sql<{ key: string }[]>`
      select idempotency_key as key from ledger.idempotency_key where account_id = ${accountId} order by used_at`
  ).map(({ key }) => key);

const writesOf = async (accountId: string) =>
  (
    await system.sql<{ total: number }[]>`
      select total from ledger.write_log where account_id = ${accountId} order by total`
  ).map(({ total }) => total);

dayTest(
  'an Idempotency-Key is remembered for 24 hours, over the end of summer time, and not longer',
  async () => {
    const owner = await newOwner(system);
    const post = () => owner.post(entry(), { idempotencyKey: 'rent' });
    const first = await post();
    expect(first.status).toBe(201);
    for (const ms of [23 * HOUR_MS, HOUR_MS - MINUTE_MS]) {
      system.pass(ms);
      const again = await post();
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      const other = await owner.post(entry({ amountPence: 2 }), { idempotencyKey: 'rent' });
      expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    }
    system.pass(2 * MINUTE_MS);
    const next = await owner.post(entry({ amountPence: 2 }), { idempotencyKey: 'rent' });
    expect(next.status).toBe(201);
    // From now on the key is bound to this request, for 24 hours again.
    system.pass(DAY_MS - MINUTE_MS);
    expect((await post()).status).toBe(422);
    expect(await owner.transactionCount()).toBe(2);
  },
);

dayTest(
  'retention deletes keys after 24 hours and writes after 48, but the newest of these, and no entry',
  async () => {
    const owner = await newOwner(system);
    const { accountId } = owner;
    await owner.post(entries(3), { idempotencyKey: 'one' });
    system.pass(2 * HOUR_MS);
    await owner.post(entries(4), { idempotencyKey: 'two' });
    await passWithRetention(system, 23 * HOUR_MS);
    expect([await keysOf(accountId), await writesOf(accountId)]).toEqual([['two'], [3, 7]]);
    // 49 hours after the first write, and 47 after the second: the window begins at the total of the first.
    await passWithRetention(system, 24 * HOUR_MS);
    expect([await keysOf(accountId), await writesOf(accountId)]).toEqual([[], [3, 7]]);
    await passWithRetention(system, 2 * HOUR_MS);
    expect(await writesOf(accountId)).toEqual([7]);
    await passWithRetention(system, 400 * DAY_MS);
    expect(await writesOf(accountId)).toEqual([7]);
    await owner.fill();
    expect((await owner.post(entry())).status).toBe(429);
    expect(await owner.transactionCount()).toBe(5_007);
  },
);

dayTest('a repeated write id creates nothing, however late, and whatever retention has deleted', async () => {
  const { accountId, source, key, post, transactionCount } = await newOwner(system);
  const ledger = openLedger(system.worker.address);
  afterAll(() => ledger.close());
  const own = [newEntry(), newEntry({ externalRef: 'rent' })];
  const request = {
    caller: { accountId, keyHash: hashApiKey(key) },
    sourceId: source,
    writeId: `${own[0]?.id}`,
    entries: own,
  };
  expect((await ledger.createEntries(request)).created?.newEntries).toBe(2);
  for (const ms of [23 * HOUR_MS, 24 * HOUR_MS]) {
    system.pass(ms);
    const { created } = await ledger.createEntries(request);
    expect([created?.newEntries, created?.knownEntries]).toEqual([0, 0]);
  }
  // A newer write, so that retention deletes the first from the log.
  await post(entry());
  await passWithRetention(system, 50 * HOUR_MS);
  expect(await writesOf(accountId)).toEqual([3]);
  // Its references and its ids are still known.
  await ledger.createEntries(request).catch(() => {});
  expect(await transactionCount()).toBe(3);
});

dayTest('a deleted account can be restored whole after years, until it is erased', async () => {
  const owner = await newOwner(system);
  const { accountId } = owner;
  await owner.post([entry({ externalRef: 'rent' }), entry()], { idempotencyKey: 'one' });
  await system.admin.deleteAccount({ accountId });
  expect((await owner.request('/me')).status).toBe(401);
  await passWithRetention(system, 3 * 365 * DAY_MS);
  expect((await owner.request('/me')).status).toBe(401);
  await system.admin.restoreAccount({ accountId });
  expect(await owner.transactionCount()).toBe(2);
  expect((await owner.post(entry({ externalRef: 'rent' }))).body.deduplicated).toBe(1);

  await system.admin.deleteAccount({ accountId });
  system.pass(DAY_MS);
  await system.admin.eraseAccount({ accountId });
  for (const table of ['account', 'api_key', 'source', 'entry', 'write_log', 'idempotency_key']) {
    const rows =
      await system.sql`select from ${system.sql(`ledger.${table}`)} where account_id = ${accountId}`;
    expect([table, rows.length]).toEqual([table, 0]);
  }
  const { actions = [] } = await system.admin.listActions({ accountId, limit: 200 });
  expect(actions.map(({ action }) => action).filter((action) => action.startsWith('account '))).toEqual([
    'account erase',
    'account delete',
    'account restore',
    'account delete',
    'account create',
  ]);
});
