/** Large bodies take turns; one account cannot use all of their slots. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

// More than 16 KiB.
const LARGE = Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(200) }));

test('an account whose large writes wait for a lock does not delay those of another account', async () => {
  const [locked, other] = [await TestAccount.create(), await TestAccount.create()];
  await locks.account(locked.accountId);
  const waiting = Array.from({ length: 10 }, () => locked.post(LARGE));
  await until('a write waits for the lock', async () => (await backendsWaiting()).length > 0);
  expect((await other.post(LARGE)).status).toBe(201);
  await locks.release();
  const responses = await Promise.all(waiting);
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
});
