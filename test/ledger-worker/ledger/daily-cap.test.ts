/** The daily cap, by the worker's contract, of several accounts in one group. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { accountsOnOneNode } from '../../fixtures/accounts-on-one-node.ts';
import { expectCountsToEqualRows } from '../../fixtures/books.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { expireWritesIn, writesInDatabase } from '../../fixtures/day.ts';
import { callerOf, entriesJson, newEntry, openLedger } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

/** In one message, and so in one group. @param writes how many entries each has. @returns what becomes of each */
async function inOneGroup(writes: [account: TestAccount, entries: number][]): Promise<string[]> {
  const requests = writes.map(([account, entries]) => ({
    createEntries: {
      caller: callerOf(account),
      sourceId: account.sources['uk-property'],
      entriesJson: entriesJson(Array.from({ length: entries }, () => newEntry())),
    },
  }));
  const responses = await sendRequests(ledger, requests);
  return responses
    .sort((a, b) => a.index - b.index)
    .map(({ createEntries: result }) =>
      result?.created ? `${result.created.newEntries} created` : `${result?.dailyCapReached?.fitsNow} fit`,
    );
}

test('the daily cap counts the writes of 24 h, and neither a clock set back nor another request of the group adds to it', async () => {
  const accounts = await accountsOnOneNode(6);
  const [exact, above, left, ahead, second, fine] = accounts as [
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  for (const account of accounts) {
    if (account === fine) continue;
    for (let n = 0; n < 10; n++) await inOneGroup([[account, n === 9 ? 490 : 500]]);
  }
  // The oldest write leaves the window in 30 s.
  await expireWritesIn(above.accountId, [30]);
  // The oldest one has left it.
  await expireWritesIn(left.accountId, [-30]);
  // The newest is dated an hour ahead, and the oldest leaves the window before the clock has caught up.
  await expireWritesIn(ahead.accountId, [1_800, ...Array(8).fill(80_000), 90_000]);
  expect(
    await inOneGroup([
      [exact, 10],
      [above, 11],
      [left, 11],
      [ahead, 11],
      [second, 6],
      [second, 6],
      [fine, 1],
    ]),
  ).toEqual(['10 created', '10 fit', '11 created', '11 created', '6 created', '4 fit', '1 created']);

  // What the group has created counts from then on.
  expect(
    await inOneGroup([
      [exact, 1],
      [fine, 3],
      [left, 500],
      [ahead, 1],
    ]),
  ).toEqual(['0 fit', '3 created', '499 fit', '1 created']);
  expect((await writesInDatabase(fine.accountId)).map(({ total }) => total)).toEqual([1, 4]);
  // A write is dated no earlier than the last one.
  const dated = (await writesInDatabase(ahead.accountId)).map(({ latestUs }) => latestUs);
  expect(dated.slice(-2)).toEqual([dated.at(-3) ?? 0, dated.at(-3) ?? 0]);
  for (const account of accounts) await expectCountsToEqualRows(account);
});
