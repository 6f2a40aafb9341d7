/** Requests at the same time: references, and a key that is revoked meanwhile. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, send, TestAccount } from '../fixtures/client.ts';
import { openLocks } from '../fixtures/locks.ts';
import { admin, sql } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

const locks = openLocks();
afterAll(() => locks.close());

interface Reference {
  id: string;
  externalRef: string;
}

/** Fails unless exactly one response created each ref and the others have its id in `existing`. */
async function expectOneCreatorEach(account: TestAccount, refs: string[], responses: ApiResponse[]) {
  for (const { status, body } of responses) {
    expect(status).toBe(body.created > 0 ? 201 : 200);
    expect(body).not.toHaveProperty('conflicts');
  }
  const created: Reference[] = responses.flatMap(({ body }) => body.transactions);
  expect(created.map(({ externalRef }) => externalRef).sort()).toEqual(refs.toSorted());
  const ids = new Map(created.map(({ externalRef, id }) => [externalRef, id]));
  for (const { externalRef, id } of responses.flatMap(({ body }) => body.existing as Reference[])) {
    expect([externalRef, id]).toEqual([externalRef, ids.get(externalRef) as string]);
  }
  const rows = await rowsOf(account.accountId);
  expect(rows).toHaveLength(refs.length);
  expect(new Map(rows.map(({ externalRef, id }) => [externalRef as string, id]))).toEqual(ids);
  await expectCountsToEqualRows(account);
}

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

test('of the same batch sent 20 times at once each reference is created by exactly one request', async () => {
  for (const size of [1, 50, 500]) {
    const account = await TestAccount.create();
    const sent = batch('same', size);
    const responses = await Promise.all(Array.from({ length: 20 }, () => account.post(sent)));
    const refs = sent.map(({ externalRef }) => externalRef);
    await expectOneCreatorEach(account, refs, responses);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  }
});

/** Posts without pause, eight at a time and at most 110 in all, until `enough`; revokes the key on the way. */
async function stormOfWrites(account: TestAccount, source: string) {
  const { keyId, key } = await admin.createKey({ accountId: account.accountId });
  const done: { begun: number; response: ApiResponse }[] = [];
  let left = 110;
  let revokedAt = Number.POSITIVE_INFINITY;
  let after = 0;
  const write = async () => {
    while (left-- > 0 && after < 30) {
      const begun = performance.now();
      if (begun > revokedAt) after++;
      const response = await send(`/api/v1/sources/${source}/transactions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify([entry(), entry(), entry()]),
      });
      done.push({ begun, response });
      if (done.length === 40) {
        await admin.revokeKey({ keyId });
        revokedAt = performance.now();
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return { keyId, done, revokedAt };
}

test('once a revocation has returned no request succeeds with the key, and no row is younger than the revocation', async () => {
  for (let round = 0; round < 4; round++) {
    const account = await TestAccount.create();
    const storm = await stormOfWrites(account, account.sources['uk-property']);

    const late = storm.done.filter(({ begun }) => begun > storm.revokedAt);
    expect(late.length).toBeGreaterThan(20);
    for (const { response } of late) {
      expect([response.status, response.body.error?.code]).toEqual([401, 'invalid_key']);
    }
    const statuses = storm.done.map(({ response }) => response.status);
    expect(new Set(statuses)).toEqual(new Set([201, 401]));

    const written = statuses.filter((status) => status === 201).length;
    expect(written).toBeGreaterThanOrEqual(30);
    expect(await rowsOf(account.accountId)).toHaveLength(3 * written);
    const [times] = await sql`
        select max(written_at) < (select revoked_at from ledger.api_key
                                   where account_id = ${account.accountId} and key_id = ${storm.keyId}) as older
          from ledger.write_log where account_id = ${account.accountId}`;
    expect(times).toEqual({ older: true });
    await expectCountsToEqualRows(account);
  }
});
