/** What a request costs in Redis: one command to admit it, and one that it does not wait for if it created entries. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { batch } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { dayOf } from '../../fixtures/day.ts';
import { ENDPOINTS } from '../../fixtures/endpoints.ts';
import { startGatewayWithOwnRedis } from '../../fixtures/own-redis.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const { redis, url } = await startGatewayWithOwnRedis();

/** How many scripts Redis has executed. */
async function scripts(): Promise<number> {
  const statistics = await redis.info('commandstats');
  return [...statistics.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

const created = async ({ accountId }: TestAccount) =>
  Number((await redis.lindex(dayOf(accountId), -1))?.split(':')[1] ?? 0);

test('every endpoint executes one script, and a write that creates entries one more', async () => {
  const account = await TestAccount.create();
  const options = { url };
  let expected = 0;
  // Also those that ioredis sends to find out that Redis does not know a script yet.
  for (const { request } of ENDPOINTS) await request(account, account.key, options);
  await until('the write is recorded', async () => (await created(account)) === 1);
  expected = await scripts();

  for (const { name, request } of ENDPOINTS) {
    const before = await created(account);
    await request(account, account.key, options);
    const isWrite = name.startsWith('POST');
    if (isWrite) await until('the write is recorded', async () => (await created(account)) > before);
    expected += isWrite ? 2 : 1;
    expect([name, await scripts()]).toEqual([name, expected]);
  }

  await account.post(batch('known', 20), options);
  await until('the write is recorded', async () => (await created(account)) === 22);
  expected = await scripts();
  // Creates nothing.
  expect((await account.post(batch('known', 20), options)).status).toBe(200);
  expect(await scripts()).toBe(expected + 1);
});

test('writes of several accounts at once are each counted in the day of their account', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => TestAccount.create()));
  const posts = accounts.flatMap((account, n) =>
    Array.from({ length: 3 }, () =>
      account.post(
        Array.from({ length: n + 1 }, () => entry()),
        { url },
      ),
    ),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(201);
  await until('all are recorded', async () => {
    const totals = await Promise.all(accounts.map(created));
    return totals.every((total, n) => total === 3 * (n + 1));
  });
  const days = await Promise.all(accounts.map(({ accountId }) => redis.llen(dayOf(accountId))));
  // One element for each write, after the one where the window begins.
  expect(days).toEqual(accounts.map(() => 4));
});
