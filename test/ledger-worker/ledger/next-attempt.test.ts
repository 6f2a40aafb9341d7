/**
 * What a request has stored is reported as created by its next attempt, whatever was changed in between: who is refused takes
 * it that nothing was stored, and sends the entries elsewhere (proto/ledger.proto, CreateEntries).
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { ResponseOf } from '../../../proto/contract.ts';
import { ACCESS_LOST } from '../../fixtures/access-lost.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { writesOf } from '../../fixtures/day.ts';
import { callerOf, type Entry, newEntry, openLedger, propertyOf, resultOf } from '../../fixtures/ledger.ts';
import { admin, sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

const requestOf = (account: TestAccount, entries: Entry[], fields: object = {}) => ({
  ...propertyOf(account),
  entries,
  ...fields,
});
const idempotency = (key: string) => ({ idempotency: { key, fingerprint: Buffer.alloc(32) } });

function expectCreatedAgain(
  again: ResponseOf<'createEntries'>,
  first: ResponseOf<'createEntries'>,
  entries: Entry[],
): void {
  expect(again.created).toMatchObject({ newEntries: 0, knownEntries: first.created?.knownEntries });
  expect(resultOf(again, entries)).toEqual(resultOf(first, entries));
}

const entriesOf = (...references: (string | undefined)[]) =>
  references.map((externalRef) =>
    newEntry(externalRef === undefined ? {} : { externalRef, description: externalRef }),
  );
/** The references of a request, and how many entries it adds. `earlier` is stored before. */
const REQUESTS: [references: (string | undefined)[], added: number, fields?: object][] = [
  [Array(500).fill(undefined), 500],
  [['a'], 1],
  [['earlier', 'b', undefined, 'b', undefined, 'c'], 4],
  [[undefined, undefined], 2, idempotency('once')],
];

test.each(ACCESS_LOST)(
  '%s between two attempts: what is stored is reported as created, and a request with a new entry is refused',
  async (_, lose) => {
    const account = await TestAccount.create();
    await ledger.createEntries(requestOf(account, entriesOf('earlier')));
    const sent = [];
    for (const [references, added, fields] of REQUESTS) {
      const entries = entriesOf(...references);
      const request = requestOf(account, entries, fields);
      const first = await ledger.createEntries(request);
      expect(first.created?.newEntries).toBe(added);
      sent.push({ entries, request, first });
    }
    const [rows, writes] = [await rowsOf(account.accountId), await writesOf(account.accountId)];

    await lose(account);
    for (const { entries, request, first } of [...sent, ...sent]) {
      expectCreatedAgain(await ledger.createEntries(request), first, entries);
    }
    const refused = await ledger.createEntries(requestOf(account, [newEntry()]));
    expect(refused.refused ?? refused.sourceNotFound).toBeTruthy();
    const stored = sent[1]?.entries ?? [];
    // The last is known, but by another request.
    for (const entries of [[...stored, newEntry()], [...stored, ...entriesOf('new')], entriesOf('a')]) {
      expect(await ledger.createEntries(requestOf(account, entries))).toEqual(refused);
    }
    expect(await rowsOf(account.accountId)).toEqual(rows);
    expect(await writesOf(account.accountId)).toEqual(writes);
  },
);

test('neither another type of the source nor another use of the idempotency key refuses what is stored', async () => {
  const account = await TestAccount.create();
  const entries = [newEntry({ category: 'periodAmount' })];
  const request = requestOf(account, entries, idempotency('once'));
  const first = await ledger.createEntries(request);
  // What only another version of the service, or a day, could do.
  await sql`
    update ledger.idempotency_key set fingerprint = ${Buffer.alloc(32, 1)} where account_id = ${account.accountId}`;
  expectCreatedAgain(await ledger.createEntries(request), first, entries);
  await sql`delete from ledger.idempotency_key where account_id = ${account.accountId}`;
  await sql`
    update ledger.source set type = 'self-employment' where source_id = ${account.sources['uk-property']}`;
  expectCreatedAgain(await ledger.createEntries(request), first, entries);
  const other = await ledger.createEntries(requestOf(account, [newEntry({ category: 'periodAmount' })]));
  expect(other.invalidCategories).toEqual({ sourceType: 'self-employment', indexes: [0] });
  expect(await rowsOf(account.accountId)).toHaveLength(1);
});

test('a key of another account gets nothing by the ids of the first', async () => {
  const [account, stranger] = [await TestAccount.create(), await TestAccount.create()];
  const entries = [newEntry(), newEntry({ externalRef: 'a' })];
  const request = requestOf(account, entries);
  await ledger.createEntries(request);
  const { keyHash } = callerOf(stranger);
  const asFirst = { ...request, caller: { ...request.caller, keyHash } };
  const asItself = { ...request, caller: callerOf(stranger) };
  const unknown = { ...request, caller: { ...request.caller, keyHash: Buffer.alloc(32) } };
  for (const lose of [async () => {}, async () => admin.removeSource({ id: request.sourceId })]) {
    await lose();
    expect((await ledger.createEntries(asFirst)).refused).toBe('REFUSAL_INVALID_KEY');
    expect((await ledger.createEntries(unknown)).refused).toBe('REFUSAL_INVALID_KEY');
    expect((await ledger.createEntries(asItself)).sourceNotFound).toEqual({});
  }
  expect(await rowsOf(stranger.accountId)).toEqual([]);
});

test('of an account that was erased nothing is stored, and its next attempt is refused', async () => {
  const account = await TestAccount.create();
  const request = requestOf(account, [newEntry()]);
  await ledger.createEntries(request);
  await admin.deleteAccount({ accountId: account.accountId });
  expect((await ledger.createEntries(request)).created?.newEntries).toBe(0);
  await admin.eraseAccount({ accountId: account.accountId });
  expect((await ledger.createEntries(request)).refused).toBe('REFUSAL_INVALID_KEY');
});
