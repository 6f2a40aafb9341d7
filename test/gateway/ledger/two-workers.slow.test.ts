/**
 * Races between two workers: each serialises the writes of an account, so only the database coordinates the two
 * (docs/api/entries.md).
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { batch, expectCountsToEqualRows, nameless, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { statuses } from '../../fixtures/endpoints.ts';
import { newEntry, openLedger } from '../../fixtures/ledger.ts';
import { startOwnServices } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const { worker, gateway } = await startOwnServices();

/** The n-th request of a race goes to the one or the other. */
const url = (n: number) => (n % 2 === 0 ? system.url : gateway.url);

test('of concurrent batches through both at the daily cap exactly 5,000 entries are stored', async () => {
  const account = await TestAccount.create();
  const responses = await Promise.all(
    Array.from({ length: 24 }, (_, n) => account.post(batch(`batch ${n}`, 300), { url: url(n) })),
  );
  expect(statuses(responses)).toEqual({ 201: 16, 429: 8 });
  const rest = await Promise.all(
    Array.from({ length: 30 }, (_, n) => account.post(nameless(10), { url: url(n) })),
  );
  expect(statuses(rest)).toEqual({ 201: 20, 429: 10 });
  expect(await rowsOf(account.accountId)).toHaveLength(5_000);
  await expectCountsToEqualRows(account);
});

test('of one batch sent many times to both each entry is created once, and all responses have the same ids', async () => {
  const account = await TestAccount.create();
  const entries = batch('same', 200);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => account.post(entries, { url: url(n) })),
  );
  expect(statuses(responses)).toEqual({ 200: 19, 201: 1 });
  const ids = responses.map(({ body }) =>
    [...body.transactions, ...body.existing].map(({ id }: { id: string }) => id).join(),
  );
  expect(new Set(ids).size).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(200);
  await expectCountsToEqualRows(account);
});

test('of one request sent many times to both under one Idempotency-Key one creates, and all get its response', async () => {
  const account = await TestAccount.create();
  const headers = { 'idempotency-key': Bun.randomUUIDv7() };
  const entries = nameless(40);
  const responses = await Promise.all(
    Array.from({ length: 24 }, (_, n) => account.post(entries, { url: url(n), headers })),
  );
  expect(statuses(responses)).toEqual({ 201: 24 });
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(40);
});

test('the same references in opposite orders to both do not deadlock', async () => {
  const { accountId, key, sources } = await TestAccount.create();
  const caller = { keyHash: hashApiKey(key), accountId };
  const clients = [system.workerAddress, worker.address].map((address) => openLedger(address));
  const references = batch('opposite', 400).map(({ externalRef }) => externalRef);
  for (let round = 0; round < 8; round++) {
    // Straight to the workers: the gateway would hide a deadlock by trying again.
    const outcomes = await Promise.all(
      clients.map(async (client, n) => {
        const refs = references.map((ref) => `${round} ${ref}`);
        const reply = await client.createEntries({
          caller,
          sourceId: sources['uk-property'],
          entries: (n === 0 ? refs : refs.reverse()).map((externalRef) => newEntry({ externalRef })),
        });
        return reply.created?.newEntries;
      }),
    );
    expect(outcomes.sort()).toEqual([0, 400]);
  }
  for (const client of clients) client.close();
});
