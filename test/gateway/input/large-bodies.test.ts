/** Large bodies take turns; one account cannot use all of their slots. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

// More than 16 KiB, and more than 1 MiB.
const LARGE = JSON.stringify(Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(200) })));
const HUGE = LARGE.padEnd(1.5 * 1024 * 1024);

test.each([
  ['large', LARGE, LARGE],
  ['huge', HUGE, HUGE],
  ['huge', HUGE, LARGE],
])(
  'an account whose %s writes wait for a lock does not delay those of another account',
  async (_, body, otherBody) => {
    const [locked, other] = [await TestAccount.create(), await TestAccount.create()];
    await locks.account(locked.accountId);
    const waiting = Array.from({ length: 10 }, () => locked.post(body));
    await until('a write waits for the lock', async () => (await backendsWaiting()).length > 0);
    expect((await other.post(otherBody)).status).toBe(201);
    await locks.release();
    const responses = await Promise.all(waiting);
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  },
);

test('huge bodies of many accounts at once are all created', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => TestAccount.create()));
  const responses = await Promise.all(accounts.map((account) => account.post(HUGE)));
  expect(responses.map(({ status, body }) => [status, body.created])).toEqual(Array(8).fill([201, 100]));
});
