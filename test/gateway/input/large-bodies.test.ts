/** Large bodies of one account run one after the other; a write that waits for a lock delays no other account. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { expectNothingHeld } from '../../fixtures/nothing-held.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

const KIB = 1024;
// Large bodies that a gateway works on at once.
const CONCURRENCY_MAX = 8;
const BATCH = JSON.stringify(Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(200) })));
const SIZES = { '27 KiB': 27 * KIB, '100 KiB': 100 * KIB, '1.5 MiB': 1536 * KIB };
const SMALL = JSON.stringify(Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(100) })));
const bodyOf = (size: number) => (size < BATCH.length ? SMALL : BATCH).padEnd(size);

const accounts = (count: number) => Promise.all(Array.from({ length: count }, () => TestAccount.create()));

describe.each(Object.entries(SIZES))('bodies of %s', (_, size) => {
  test.each([3, CONCURRENCY_MAX + 1])(
    '%p accounts whose writes wait for a lock do not delay those of another account',
    async (count) => {
      const [other, ...locked] = (await accounts(count + 1)) as [TestAccount, ...TestAccount[]];
      for (const { accountId } of locked) await locks.account(accountId);
      let ended = 0;
      const waiting = locked.flatMap((account) =>
        // Together within the bound of memory, whatever their size.
        Array.from({ length: 3 }, () => account.post(bodyOf(size)).finally(() => ended++)),
      );
      await until('writes wait for locks', async () => (await backendsWaiting()).length >= 3);
      for (const otherSize of Object.values(SIZES)) {
        expect((await other.post(bodyOf(otherSize))).status).toBe(201);
      }
      expect(ended).toBe(0);
      await locks.release();
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(201);
      await expectNothingHeld(...system.services);
    },
  );
});

test('large bodies of one account run one after the other, those of many at once', async () => {
  const [one, ...others] = (await accounts(4)) as [TestAccount, ...TestAccount[]];
  const locked = [one, ...others];
  for (const { accountId } of locked) await locks.account(accountId);
  const posts = [...Array(5).fill(one), ...others].map((account) => account.post(bodyOf(SIZES['100 KiB'])));
  await until('each account has a write that waits', async () => (await backendsWaiting()).length === 4);
  const [gateway] = system.services as [{ metricsAddress: string }];
  const metrics = await scrape(gateway.metricsAddress);
  expect(metrics.value('ledger_held', { kind: 'large_body_accounts' })).toBe(4);
  expect(metrics.value('ledger_held', { kind: 'requests_pending' })).toBe(4);
  await locks.release();
  for (const { status, body } of await Promise.all(posts)) expect([status, body.created]).toEqual([201, 100]);
});

test('large bodies of many accounts at once are all created', async () => {
  const posts = (await accounts(2 * CONCURRENCY_MAX)).map((account) =>
    account.post(bodyOf(SIZES['1.5 MiB'])),
  );
  const responses = await Promise.all(posts);
  expect(responses.map(({ status, body }) => [status, body.created])).toEqual(
    Array(2 * CONCURRENCY_MAX).fill([201, 100]),
  );
});
