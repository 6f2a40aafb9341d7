/** Requests at the same time: their responses, and a key that is revoked meanwhile. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { expectCountsToEqualRows, nameless, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { bearer, failure, statuses } from '../fixtures/endpoints.ts';
import { locks } from '../fixtures/locks.ts';
import { admin, sql } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

afterEach(() => locks.release());

test('concurrent writes get their own responses, in whichever order they finish', async () => {
  const [held, free] = [await TestAccount.create(), await TestAccount.create()];
  // Both are known to the gateway.
  for (const account of [held, free]) await account.request('/api/v1/sources');
  await locks.account(held.accountId);
  const writes = [held, free].map(async (account) => ({ account, response: await account.post(entry()) }));
  const first = await Promise.race(writes);
  expect(first.account).toBe(free);
  await locks.release();
  for (const { account, response } of await Promise.all(writes)) {
    expect(response.status).toBe(201);
    expect((await rowsOf(account.accountId)).map(({ id }) => id)).toEqual([response.body.transactions[0].id]);
  }
});

test('once a revocation has returned no request succeeds with the key, and no row is younger than the revocation', async () => {
  for (let round = 0; round < 4; round++) {
    const account = await TestAccount.create();
    const { accountId } = account;
    const { keyId, key } = await admin.createKey({ accountId });
    const post = () => account.post(nameless(3), { headers: bearer(key) });
    const writing = Array.from({ length: 8 }, async () => {
      const responses: ApiResponse[] = [];
      // Without pause, until the first refusal.
      while (responses.length < 13 && responses.at(-1)?.status !== 401) responses.push(await post());
      return responses;
    });
    await until('there are writes', async () => (await rowsOf(accountId)).length > 30);
    await admin.revokeKey({ keyId });
    const late = await Promise.all(Array.from({ length: 16 }, post));
    expect(late.map(failure)).toEqual(Array(16).fill([401, 'invalid_key']));

    const { 201: written = 0, 401: _, ...others } = statuses((await Promise.all(writing)).flat());
    expect([written > 10, others]).toEqual([true, {}]);
    expect(await rowsOf(accountId)).toHaveLength(3 * written);
    const [times] = await sql`
        select max(written_at) < (select revoked_at from ledger.api_key
                                   where account_id = ${accountId} and key_id = ${keyId}) as older
          from ledger.write_log where account_id = ${accountId}`;
    expect(times).toEqual({ older: true });
    await expectCountsToEqualRows(account);
  }
});
