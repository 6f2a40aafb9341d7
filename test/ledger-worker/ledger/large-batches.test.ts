/** Group commit, by the worker's contract: requests with a megabyte of entries do not keep others waiting. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { accountsOnOneNode } from '../../fixtures/accounts-on-one-node.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { type Entry, newEntry } from '../../fixtures/ledger.ts';
import { backendsWaiting } from '../../fixtures/locks.ts';
import { startOwnWorker } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const { ledger, locks } = await startOwnWorker();

const write = ({ key, accountId, sources }: TestAccount, entries: Entry[]) =>
  ledger.createEntries(
    { caller: { keyHash: hashApiKey(key), accountId }, sourceId: sources['uk-property'], entries },
    { deadline: Date.now() + 15_000 },
  );

const large = () => Array.from({ length: 500 }, () => newEntry({ description: '\u{1f3e0}'.repeat(500) }));

test('of requests with a megabyte of entries one is executed at a time, and singles do not wait for it', async () => {
  const [first, second, single] = (await accountsOnOneNode(3)) as [TestAccount, TestAccount, TestAccount];
  const waiting = (count: number) => async () => (await backendsWaiting()).length === count;
  await locks.table('ledger.source');
  const writes = [write(first, large())];
  await until('a large request waits', waiting(1));
  writes.push(write(second, large()));
  // Time enough to begin, if it did.
  await Bun.sleep(500);
  expect(await waiting(1)()).toBeTrue();
  writes.push(write(single, [newEntry()]));
  await until('the single entry waits for the table only', waiting(2));
  await locks.release();
  const added = (await Promise.all(writes)).map(({ created }) => created?.newEntries);
  expect(added).toEqual([500, 500, 1]);
});
