/** Group commit, by the worker's contract: writes that wait at the same time share a commit and nothing else. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import type { RpcContext } from '../../../ledger-worker/handler-types.ts';
import { GroupCommit } from '../../../ledger-worker/ledger/group-commit.ts';
import { accountsOnOneNode } from '../../fixtures/accounts-on-one-node.ts';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { type Entry, newEntry, propertyOf, writeOf } from '../../fixtures/ledger.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnWorker } from '../../fixtures/own-services.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { sql } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const { worker, ledger, locks } = await startOwnWorker();

const inFlight = async (kind: string) =>
  (await scrape(worker.metricsAddress)).value('ledger_in_flight', { kind });
const untilInFlight = (count: number) =>
  until(`${count} requests are in flight`, async () => (await inFlight('ledger_requests')) === count);

const write = (
  account: TestAccount,
  entries: Entry[] = [newEntry()],
  options: { signal?: AbortSignal } = {},
) => ledger.createEntries({ ...propertyOf(account), entries }, { deadline: Date.now() + 45_000, ...options });

/** Groups that may run at once. */
const RUNNING = 2;

const entriesOf = (count: number) => Array.from({ length: count }, () => newEntry());

/** The transactions that created the entries of these accounts, and how many entries each. */
async function commits(...owners: TestAccount[]): Promise<number[]> {
  const ids = `{${owners.map(({ accountId }) => accountId).join()}}`;
  const rows = await sql<{ entries: number }[]>`
    select count(*)::integer as entries from ledger.entry where account_id = any (${ids}::uuid[])
     group by xmin order by 1 desc`;
  return rows.map(({ entries }) => entries);
}

/**
 * Makes the `count` requests of `send` wait at the same time: they are sent while as many groups as may run at once wait for the
 * locked table of the sources.
 */
async function together<Reply>(count: number, send: () => Promise<Reply>[]): Promise<Reply[]> {
  const first = await accountsOnOneNode(RUNNING);
  const before = [];
  let pending: Promise<Reply[]>;
  await locks.table('ledger.source');
  try {
    for (const [n, account] of first.entries()) {
      before.push(write(account));
      await until('a group waits', async () => (await backendsWaiting()).length === n + 1);
    }
    pending = Promise.all(send());
    await untilInFlight(RUNNING + count);
  } finally {
    // Also for a test whose time is over: the lock blocks all other tests.
    await locks.release();
  }
  const replies = await pending;
  await Promise.all(before);
  return replies;
}

test('a request that the database refuses fails alone: the others of its group are created', async () => {
  const owners = await accountsOnOneNode(8);
  const stored = newEntry();
  await write(owners[3], [stored]);
  const refused = new Map([
    [1, newEntry({ date: '2023-02-29' })],
    [2, newEntry({ description: 'x'.repeat(501) })],
    [3, { ...stored, amountPence: 2 }],
    [4, newEntry({ externalRef: 'a\0b' })],
    [5, newEntry({ amountPence: 0 })],
  ]);
  const replies = await together(owners.length, () =>
    owners.map((account, n) => write(account, [refused.get(n) ?? newEntry()]).catch(({ code }) => code)),
  );
  expect(replies.map((reply) => reply.created?.newEntries ?? reply)).toEqual(
    owners.map((_, n) => (refused.has(n) ? status.INVALID_ARGUMENT : 1)),
  );
  expect(await commits(...owners)).toEqual([1, 1, 1, 1]);
  for (const account of owners) await expectCountsToEqualRows(account);
});

test('a locked account delays no other account of its group', async () => {
  const [held, ...others] = await accountsOnOneNode(12);
  await locks.account(held.accountId);
  // In one call, and so in one group.
  const order: number[] = [];
  const requests = [held, ...others].map((account) => writeOf(account));
  const all = sendRequests(ledger, requests, {
    onResponses(responses) {
      for (const { index, createEntries } of responses) {
        expect(createEntries?.created?.newEntries).toBe(1);
        order.push(index);
      }
    },
  });
  await until('the others have their responses', () => order.length === others.length);
  expect(order).not.toContain(0);
  // In one group, not each alone after the group had failed.
  expect(await commits(...others)).toEqual([11]);
  await until('it waits for its account', async () => (await backendsWaiting()).length === 1);
  await locks.release();
  await all;
  expect(order).toContain(0);
});

test('writes of an account keep their order, also if its lock is released in the middle of their group', async () => {
  const [held, other] = await accountsOnOneNode(2);
  const middle = openLocks();
  try {
    await locks.account(held.accountId);
    await middle.sourcesOf(other.accountId);
    // In one call, and so in one group.
    const requests = [held, other, held].map((account) => writeOf(account));
    const all = sendRequests(ledger, requests);
    await until('the group waits in its second write', async () => (await backendsWaiting()).length === 1);
    await locks.release();
    await middle.release();
    for (const { createEntries } of await all) expect(createEntries?.created?.newEntries).toBe(1);
    expect([await commits(held), await commits(other)]).toEqual([[2], [1]]);
  } finally {
    await middle.close();
  }
});

test('locked accounts do not take all connections', async () => {
  const held = await accountsOnOneNode(12);
  const [other] = await accountsOnOneNode(1);
  for (const { accountId } of held) await locks.account(accountId);
  const waiting = held.map((account) => write(account));
  await until('some wait for their accounts', async () => (await backendsWaiting()).length >= 5);
  expect((await write(other)).created?.newEntries).toBe(1);
  await locks.release();
  for (const { created } of await Promise.all(waiting)) expect(created?.newEntries).toBe(1);
});

test('a group is bounded: 64 writes, 1,000 entries', async () => {
  const [many, large] = [await accountsOnOneNode(7), await accountsOnOneNode(3)];
  const ten = Array.from({ length: 10 });
  await together(70, () => many.flatMap((account) => ten.map(() => write(account))));
  expect(await commits(...many)).toEqual([64, 6]);
  await together(large.length, () => large.map((account) => write(account, entriesOf(400))));
  expect(await commits(...large)).toEqual([800, 400]);
});

test('a request that was cancelled before it came to the groups is executed in none', async () => {
  const executed: object[] = [];
  const groups = new GroupCommit({
    execute: async (members: readonly { context: RpcContext }[]) => {
      executed.push(...members);
      return members.map(() => 'done');
    },
    sizeOf: () => 1,
    groupsMax: 1,
    lockWaitersMax: 1,
    membersMax: 64,
    sizeMax: 1_000,
  });
  const of = (signal: AbortSignal) => ({ context: { signal, remainingMs: () => 1_000 } });
  const [cancelled, other] = [of(AbortSignal.abort('cancelled')), of(new AbortController().signal)];
  const results = [groups.add(cancelled).catch((reason) => reason), groups.add(other)];
  expect(await Promise.all(results)).toEqual(['cancelled', 'done']);
  expect(executed).toEqual([other]);
});

test('a write whose key is revoked while it waits for its account creates nothing', async () => {
  const [account] = await accountsOnOneNode(1);
  await locks.account(account.accountId);
  const waiting = write(account);
  await until('it waits for its account', async () => (await backendsWaiting()).length === 1);
  // By the admin service it would wait for the account as well.
  await sql`update ledger.api_key set revoked_at = now() where account_id = ${account.accountId}`;
  await locks.release();
  expect((await waiting).refused).toBe('REFUSAL_INVALID_KEY');
  expect(await rowsOf(account.accountId)).toEqual([]);
});
