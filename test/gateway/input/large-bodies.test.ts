/** Large bodies: many at once are created, and a write that waits for a lock delays no other account. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBodyReader } from '../../../gateway/input/body-reader.ts';
import { createQuota } from '../../../platform/quota.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { expectNoLeaks } from '../../fixtures/no-leaks.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

afterEach(() => locks.release());

const KIB = 1024;
const MIB = 1024 * KIB;
const BATCH = JSON.stringify(Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(200) })));
const SIZES = { '27 KiB': 27 * KIB, '1.5 MiB': 1536 * KIB };
const SMALL = JSON.stringify(Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(100) })));
const bodyOf = (size: number) => (size < BATCH.length ? SMALL : BATCH).padEnd(size);

const accounts = (count: number) => Promise.all(Array.from({ length: count }, () => TestAccount.create()));

test.each(Object.entries(SIZES))(
  'bodies of %s of nine accounts whose writes wait for a lock do not delay those of another account',
  async (_, size) => {
    const [other, ...locked] = (await accounts(10)) as [TestAccount, ...TestAccount[]];
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
    await expectNoLeaks(...system.services);
  },
);

test('large bodies that arrive together are returned one in each turn of the event loop', async () => {
  const quota = createQuota(64 * MIB, 64 * MIB);
  const reader = createBodyReader({ timeoutMs: 10_000, bytes: quota });
  const order: string[] = [];
  const read = async () => {
    const request = new Request('http://x', { method: 'POST', body: ' '.repeat(MIB) });
    using _ = await reader.read(request, 'account');
    order.push('body');
  };
  const all = Promise.all(Array.from({ length: 4 }, read)).then(() => order.push('end'));
  while (!order.includes('end')) {
    await nextTurn();
    order.push('turn');
  }
  await all;
  expect(order.filter((each) => each === 'body')).toHaveLength(4);
  expect(order.join(' ')).not.toContain('body body');
  expect(quota.used()).toBe(0);
});
