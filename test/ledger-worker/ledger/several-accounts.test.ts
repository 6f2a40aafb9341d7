/** Requests of several accounts in one call of the database: each has the outcome that it has alone. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { ResponseOf } from '../../../proto/contract.ts';
import { accountsOnOneNode } from '../../fixtures/accounts-on-one-node.ts';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { expireWritesIn, writesInDatabase } from '../../fixtures/day.ts';
import { callerOf, type Entry, entriesJson, newEntry, openLedger, resultOf } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { admin, sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

interface Write {
  caller: { accountId: string; keyHash: Buffer };
  sourceId: string;
  entries: Entry[];
  idempotency?: { key: string; fingerprint: Buffer };
}

const writeOf = (account: TestAccount, entries = [newEntry()], fields: Partial<Write> = {}): Write => ({
  caller: callerOf(account),
  sourceId: account.sources['uk-property'],
  entries,
  ...fields,
});

/** In one call of the worker, and so in one call of the database. */
async function inOneCall(writes: Write[]): Promise<ResponseOf<'createEntries'>[]> {
  const requests = writes.map(({ entries, ...request }) => ({
    createEntries: { ...request, entriesJson: entriesJson(entries) },
  }));
  const responses = await sendRequests(ledger, requests);
  return responses
    .sort((a, b) => a.index - b.index)
    .map(({ createEntries }) => createEntries as ResponseOf<'createEntries'>);
}

/** Fails unless one transaction has created these entries. A call that fails is repeated with each of its requests alone. */
async function expectOneCommit(writes: Write[]): Promise<void> {
  const ids = `{${writes.flatMap(({ entries }) => entries.map(({ id }) => id)).join()}}`;
  expect(
    await sql`select distinct xmin::text from ledger.entry where entry_id = any (${ids}::uuid[])`,
  ).toHaveLength(1);
}

const plain = (count: number) => Array.from({ length: count }, () => newEntry());

test('an entry that is known, sent twice or stored by an earlier attempt is not created', async () => {
  const [known, knownLast, twice, retried, retriedWithRef, fine] = (await accountsOnOneNode(6)) as [
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  const stored = newEntry({ externalRef: 'a' });
  const retry = writeOf(retried, plain(3));
  const retryWithRef = writeOf(retriedWithRef, [newEntry({ externalRef: 'b' }), newEntry()]);
  const storedLast = newEntry({ externalRef: 'a' });
  await inOneCall([writeOf(known, [stored])]);
  await inOneCall([writeOf(knownLast, [storedLast])]);
  await inOneCall([retry]);
  await inOneCall([retryWithRef]);
  const sentTwice = [newEntry({ externalRef: 'c' }), newEntry({ externalRef: 'c' }), newEntry()];
  const knownAndNew = writeOf(known, [newEntry({ externalRef: 'a' }), newEntry({ externalRef: 'd' })]);
  const newAndKnown = writeOf(knownLast, [newEntry({ externalRef: 'd' }), newEntry({ externalRef: 'a' })]);

  const writes = [
    knownAndNew,
    newAndKnown,
    writeOf(twice, sentTwice),
    retry,
    retryWithRef,
    writeOf(fine, plain(2)),
  ];
  const replies = await inOneCall(writes);
  const outcomes = replies.map((reply) => [
    reply.created?.newEntries,
    resultOf(reply)?.existing.map(({ id }: Entry) => id),
  ]);
  expect(outcomes).toEqual([
    [1, [stored.id]],
    [1, [storedLast.id]],
    [2, [sentTwice[0]?.id]],
    [0, []],
    [0, []],
    [2, undefined],
  ]);
  const creating = writes.filter((write) => write !== retry && write !== retryWithRef);
  await expectOneCommit(creating);
  const rows = await Promise.all(writes.map(async ({ caller }) => (await rowsOf(caller.accountId)).length));
  expect(rows).toEqual([2, 2, 2, 3, 2, 2]);
  for (const account of [known, knownLast, twice, retried, retriedWithRef, fine])
    await expectCountsToEqualRows(account);
});

test('a request without access is refused: by its key, its plan or its source', async () => {
  const [fine, victim, revoked, free, removed, deleted] = (await accountsOnOneNode(6)) as [
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  const { keys } = await admin.listKeys({ accountId: revoked.accountId });
  await admin.revokeKey({ keyId: keys[0]?.keyId ?? '' });
  await admin.setPlan({ accountId: free.accountId, plan: 'free' });
  await admin.removeSource({ id: removed.sources['uk-property'] });
  await admin.deleteAccount({ accountId: deleted.accountId });
  const ofVictim = { accountId: victim.accountId, keyHash: callerOf(fine).keyHash };
  const replies = await inOneCall([
    writeOf(fine),
    writeOf(victim, [newEntry()], { caller: ofVictim }),
    writeOf(revoked),
    writeOf(free),
    writeOf(removed),
    writeOf(deleted),
  ]);
  expect(replies.map(({ outcome }) => outcome)).toEqual([
    'created',
    'rejected',
    'rejected',
    'rejected',
    'sourceNotFound',
    'rejected',
  ]);
  expect(replies.map(({ rejected }) => rejected).filter(Boolean)).toEqual([
    'REJECTION_INVALID_KEY',
    'REJECTION_INVALID_KEY',
    'REJECTION_UPGRADE_REQUIRED',
    'REJECTION_INVALID_KEY',
  ]);
  for (const { accountId } of [victim, revoked, free, removed, deleted])
    expect(await rowsOf(accountId)).toEqual([]);
});

test('a category must fit the type of the entry and of the source', async () => {
  const [fine, type, source] = (await accountsOnOneNode(3)) as [TestAccount, TestAccount, TestAccount];
  const valid = newEntry({ category: 'periodAmount' });
  const replies = await inOneCall([
    writeOf(fine, [valid]),
    writeOf(type, [newEntry(), newEntry({ type: 'expense', category: 'periodAmount' })]),
    writeOf(source, [newEntry({ category: 'periodAmount' })], {
      sourceId: source.sources['self-employment'],
    }),
  ]);
  expect(replies.map(({ created, invalidCategories }) => created?.newEntries ?? invalidCategories)).toEqual([
    1,
    { sourceType: 'uk-property', indexes: [1] },
    { sourceType: 'self-employment', indexes: [0] },
  ]);
  expect((await rowsOf(fine.accountId)).map(({ category }) => category)).toEqual(['periodAmount']);
  for (const { accountId } of [type, source]) expect(await rowsOf(accountId)).toEqual([]);
});

test('a repeated idempotency key creates nothing, and another request under it is refused', async () => {
  const [account, reused, fine] = (await accountsOnOneNode(3)) as [TestAccount, TestAccount, TestAccount];
  const under = (fill: number) => ({ idempotency: { key: 'once', fingerprint: Buffer.alloc(32, fill) } });
  const first = [writeOf(account, plain(2), under(1)), writeOf(reused, plain(1), under(1)), writeOf(fine)];
  expect((await inOneCall(first)).map(({ created }) => created?.newEntries)).toEqual([2, 1, 1]);
  const [repeated, other] = await inOneCall([
    writeOf(account, plain(2), under(1)),
    writeOf(reused, plain(1), under(2)),
    writeOf(fine),
  ]);
  expect(repeated?.created?.newEntries).toBe(0);
  const { transactions } = resultOf(repeated as ResponseOf<'createEntries'>);
  expect(transactions.map(({ id }: Entry) => id)).toEqual(first[0]?.entries.map(({ id }) => id));
  expect(other?.idempotencyKeyReused).toEqual({});
  expect(await rowsOf(account.accountId)).toHaveLength(2);
  expect(await rowsOf(reused.accountId)).toHaveLength(1);
});

test('the daily cap counts the writes of 24 h, and neither a clock set back nor another request of the call adds to it', async () => {
  const [exact, above, left, ahead, second, fine] = (await accountsOnOneNode(6)) as [
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  const used = [exact, above, left, ahead, second];
  for (let n = 0; n < 10; n++) {
    for (const account of used) await inOneCall([writeOf(account, plain(n === 9 ? 490 : 500))]);
  }
  // The oldest write leaves the window in 30 s.
  await expireWritesIn(above.accountId, [30]);
  // The oldest one has left it.
  await expireWritesIn(left.accountId, [-30]);
  // The newest is dated an hour ahead, and the oldest leaves the window before the clock has caught up.
  await expireWritesIn(ahead.accountId, [1_800, ...Array(8).fill(80_000), 90_000]);
  const sizes = [10, 11, 11, 11, 6, 6, 1];
  const replies = await inOneCall(
    [exact, above, left, ahead, second, second, fine].map((account, n) =>
      writeOf(account, plain(sizes[n] ?? 0)),
    ),
  );
  expect(
    replies.map(({ created, dailyCapReached }) => created?.newEntries ?? dailyCapReached?.fitsNow),
  ).toEqual([10, 10, 11, 11, 6, 4, 1]);
  expect(replies.flatMap(({ dailyCapReached }, n) => (dailyCapReached ? [n] : []))).toEqual([1, 5]);

  // What the call has created counts from then on.
  const next = await inOneCall([
    writeOf(exact),
    writeOf(fine, plain(3)),
    writeOf(left, plain(500)),
    writeOf(ahead),
  ]);
  expect(next.map(({ created, dailyCapReached }) => created?.newEntries ?? dailyCapReached?.fitsNow)).toEqual(
    [0, 3, 499, 1],
  );
  expect((await writesInDatabase(fine.accountId)).map(({ total }) => total)).toEqual([1, 4]);
  const dated = (await writesInDatabase(ahead.accountId)).map(({ latestUs }) => latestUs);
  expect(dated.slice(-2)).toEqual([dated.at(-3) ?? 0, dated.at(-3) ?? 0]);
  for (const account of [...used, fine]) await expectCountsToEqualRows(account);
});

test('a write is dated no earlier than the last one, although the clock was set back', async () => {
  const [account, other] = (await accountsOnOneNode(2)) as [TestAccount, TestAccount];
  await inOneCall([writeOf(account, plain(500)), writeOf(other)]);
  // An hour ahead of the clock.
  await expireWritesIn(account.accountId, [25 * 3_600]);
  for (let n = 0; n < 2; n++) await inOneCall([writeOf(account, plain(5)), writeOf(other)]);
  const writes = await writesInDatabase(account.accountId);
  expect(writes.map(({ total }) => total)).toEqual([500, 505, 510]);
  expect(new Set(writes.map(({ latestUs }) => latestUs)).size).toBe(1);
});
