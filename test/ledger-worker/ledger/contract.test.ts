/** The worker by its contract, over real gRPC (proto/ledger.proto). */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { MESSAGE_BYTES_MAX } from '../../../proto/contract.ts';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { writesOf } from '../../fixtures/day.ts';
import {
  entriesOf,
  failure,
  newEntry,
  openLedger,
  propertyOf,
  resultOf,
  writeOf,
} from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
const wrongClients = {
  adminOnLedgerAddress: createAdminClient(system.workerAddress),
  ledgerOnAdminAddress: openLedger(system.adminAddress),
};
afterAll(() => {
  ledger.close();
  for (const client of Object.values(wrongClients)) client.close();
});

const account = await TestAccount.create();
const { caller, sourceId } = propertyOf(account);

test('repeating a CreateEntries with the same ids changes nothing and reports the entries as created', async () => {
  const other = await TestAccount.create();
  const entries = [
    newEntry({ externalRef: 'a', category: 'periodAmount', description: 'first' }),
    newEntry(),
    newEntry({ externalRef: 'a' }),
    newEntry({ externalRef: 'b' }),
  ];
  const request = { ...propertyOf(other), entries };
  const first = await ledger.createEntries(request);
  expect(first.created?.newEntries).toBe(3);
  const known = { id: entries[0]?.id, externalRef: 'a' };
  expect(resultOf(first, request.entries)).toMatchObject({
    existing: [known],
    conflicts: [{ ...known, index: 2, fields: ['category', 'description'] }],
  });
  const [rows, writes] = [await rowsOf(other.accountId), await writesOf(other.accountId)];
  expect(rows.map(({ id }) => id).sort()).toEqual(
    [0, 1, 3].map((index) => entries[index]?.id as string).sort(),
  );

  for (let repeat = 0; repeat < 3; repeat++) {
    const again = await ledger.createEntries(request);
    expect(again.created?.newEntries).toBe(0);
    expect(resultOf(again, request.entries)).toEqual(resultOf(first, request.entries));
  }
  expect(await rowsOf(other.accountId)).toEqual(rows);
  expect(await writesOf(other.accountId)).toEqual(writes);
  await expectCountsToEqualRows(other);
});

test('the same CreateEntries sent many times at once adds its entries once', async () => {
  const other = await TestAccount.create();
  const entries = Array.from({ length: 100 }, (_, n) =>
    newEntry(n % 2 === 0 ? { externalRef: `r${n}` } : {}),
  );
  const request = { ...propertyOf(other), entries };
  const replies = await Promise.all(Array.from({ length: 12 }, () => ledger.createEntries(request)));
  expect(replies.map(({ created }) => created?.newEntries).sort()).toEqual(
    [...Array(11).fill(0), 100].sort(),
  );
  expect(replies.map(({ created }) => created?.knownEntries)).toEqual(Array(12).fill(0));
  expect(await rowsOf(other.accountId)).toHaveLength(100);
  expect((await writesOf(other.accountId)).map(({ created }) => created)).toEqual([100]);
  await expectCountsToEqualRows(other);
});

test('a repeat at the daily cap is still reported as created', async () => {
  const other = await TestAccount.create();
  const request = () => ({ ...propertyOf(other), entries: Array.from({ length: 500 }, () => newEntry()) });
  const requests = Array.from({ length: 10 }, request);
  for (const each of requests) expect((await ledger.createEntries(each)).created?.newEntries).toBe(500);
  const refused = await ledger.createEntries(request());
  expect(refused.dailyCapReached?.entriesLeft).toBe(0);
  expect(refused.dailyCapReached?.retryAfterMs).toBeGreaterThan(86_000_000);
  for (const each of requests.slice(-1)) {
    expect((await ledger.createEntries(each)).created).toMatchObject({ newEntries: 0, knownEntries: 0 });
  }
  expect(await rowsOf(other.accountId)).toHaveLength(5_000);
});

test('a write with less time left than its commit may need is refused, and nothing is stored', async () => {
  const other = await TestAccount.create();
  // One after the other: a single one might be late anyway.
  for (let n = 0; n < 10; n++) {
    const [response] = await sendRequests(ledger, [{ ...writeOf(other), timeoutMs: 90 }]);
    expect(response?.failure?.code).toBe(status.CANCELLED);
  }
  expect(await rowsOf(other.accountId)).toEqual([]);
});

test('a refused key is an outcome in an OK response', async () => {
  const refusals = async (of: { caller: typeof caller; sourceId: string }) =>
    [
      await ledger.createEntries({ ...of, entries: [newEntry()] }),
      await ledger.listEntries({ ...of, limit: 1 }),
      await ledger.listSources(of),
    ].map(({ refused }) => refused);
  const unknown = { ...caller, keyHash: Buffer.alloc(32) };
  const foreign = { ...caller, accountId: (await TestAccount.create()).accountId };
  const short = { ...caller, keyHash: Buffer.alloc(3) };
  for (const stranger of [unknown, foreign, short]) {
    expect(await refusals({ caller: stranger, sourceId })).toEqual(Array(3).fill('REFUSAL_INVALID_KEY'));
  }
  const free = await TestAccount.create('free');
  const ofFree = propertyOf(free);
  const { refused } = await ledger.authenticate({ keyHash: ofFree.caller.keyHash });
  expect([refused, ...(await refusals(ofFree))]).toEqual(Array(4).fill('REFUSAL_UPGRADE_REQUIRED'));
  expect(await rowsOf(free.accountId)).toEqual([]);
  expect(await rowsOf(account.accountId)).toEqual([]);
});

test('a page shows the entries that were sent, in JSON', async () => {
  const own = propertyOf(await TestAccount.create());
  const texts = { description: '"a" \\ b},\n{🏠 {NULL} \ufffd', externalRef: 'x,y\ufffd' };
  const entries = [
    newEntry({ category: 'periodAmount', ...texts }),
    newEntry({ amountPence: Number.MAX_SAFE_INTEGER, type: 'expense', date: '0001-01-01' }),
  ];
  const { created } = await ledger.createEntries({ ...own, entries });
  expect(created).toMatchObject({ newEntries: 2, knownEntries: 0 });
  const first = await ledger.listEntries({ ...own, limit: 1 });
  const last = { date: '2026-04-06', id: entries[0]?.id ?? '' };
  expect(first.page?.last).toEqual(last);
  expect(entriesOf(first)).toEqual([entries[0]]);
  const rest = await ledger.listEntries({ ...own, limit: 1, after: last });
  expect(rest.page?.last).toBeNull();
  expect(entriesOf(rest)).toEqual([{ ...entries[1], category: null, description: null, externalRef: null }]);
});

test('a service is served on its own address only', async () => {
  const calls = [
    wrongClients.adminOnLedgerAddress.createAccount({ plan: 'pro' }),
    wrongClients.adminOnLedgerAddress.listAccounts({ limit: 1 }),
    wrongClients.adminOnLedgerAddress.createKey({ accountId: account.accountId }),
    wrongClients.ledgerOnAdminAddress.authenticate({ keyHash: caller.keyHash }),
    wrongClients.ledgerOnAdminAddress.listSources({ caller }),
  ];
  const codes = (await Promise.all(calls.map(failure))).map(({ code }) => status[code]);
  expect(codes).toEqual(calls.map(() => 'UNIMPLEMENTED'));
});

test('an account with a list of sources of 2 MiB can be listed', async () => {
  const other = await TestAccount.create();
  await sql`
    insert into ledger.source (account_id, source_id, type, name, role, share_percent)
    select ${other.accountId}, gen_random_uuid(), 'uk-property', repeat('🏠', 200), 'owner', 100
      from generate_series(1, 2000)`;
  const { sources } = await ledger.listSources(propertyOf(other));
  expect(sources?.sources).toHaveLength(2_003);
  expect(Buffer.byteLength(JSON.stringify(sources))).toBeWithin(1.5 * 2 ** 20, MESSAGE_BYTES_MAX);
});

test('a key is known as soon as it exists, also one that was unknown to the same worker before', async () => {
  const keyHash = crypto.getRandomValues(Buffer.alloc(32));
  expect((await ledger.authenticate({ keyHash })).refused).toBe('REFUSAL_INVALID_KEY');
  const { accountId } = account;
  // As the Admin service makes one, whose hash nobody knows before.
  await sql`select ledger.create_key(${accountId}, ${Bun.randomUUIDv7()}, 'a test', ${Bun.randomUUIDv7()}, ${keyHash}, false)`;
  expect((await ledger.authenticate({ keyHash })).identity).toEqual({
    accountId,
    plan: 'pro',
    readOnly: false,
  });
});
