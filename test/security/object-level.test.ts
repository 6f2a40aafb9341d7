/** API1: another account's ids give no access, and get exactly the response of unknown ids. */
import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { rowsOf } from '../fixtures/books.ts';
import { entry, type RequestOptions, TestAccount } from '../fixtures/client.ts';
import { writesOf } from '../fixtures/day.ts';
import { callerOf, newEntry, openLedger, propertyOf } from '../fixtures/ledger.ts';
import { admin, system } from '../fixtures/system.ts';
import { comparable } from './comparable.ts';

const mine = await TestAccount.create();
const other = await TestAccount.create();
const theirSource = other.sources['uk-property'];
const theirs = await other.post([
  entry({ description: 'private', externalRef: 'theirs', category: 'periodAmount' }),
  entry({ date: '2026-04-05' }),
]);
const theirEntry: string = theirs.body.transactions[0].id;
const theirKey = (await admin.listKeys({ accountId: other.accountId })).keys[0]?.keyId ?? '';

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

/** All rows of both accounts. */
const storedRows = async () =>
  Promise.all([mine, other].flatMap(({ accountId }) => [rowsOf(accountId), writesOf(accountId)]));

const REQUESTS: [name: string, options: RequestOptions][] = [
  ['GET', {}],
  ['HEAD', { method: 'HEAD' }],
  ['POST of an entry', { method: 'POST', body: JSON.stringify(entry({ externalRef: 'new' })) }],
  ['POST of their reference', { method: 'POST', body: JSON.stringify(entry({ externalRef: 'theirs' })) }],
  ['POST of a category', { method: 'POST', body: JSON.stringify(entry({ category: 'turnover' })) }],
  ['DELETE', { method: 'DELETE' }],
];

const IDS: [what: string, id: string][] = [
  ['source', theirSource],
  ['account', other.accountId],
  ['entry', theirEntry],
  ['key', theirKey],
];

test.each(IDS)("another account's %s id as a source gets the response of an unknown id", async (_, id) => {
  const before = await storedRows();
  const absent = Bun.randomUUIDv7();
  for (const [name, options] of REQUESTS) {
    const request = (source: string) => mine.request(`/api/v1/sources/${source}/transactions`, options);
    const [foreign, unknown] = [await request(id), await request(absent)];
    expect(foreign.status).toBeWithin(400, 500);
    expect([name, comparable(foreign, id)]).toEqual([name, comparable(unknown, absent)]);
  }
  expect(await storedRows()).toEqual(before);
});

test("a forged cursor for one's own source at the position of another's entry shows one's own entries", async () => {
  const reader = await TestAccount.create();
  const own = await reader.post([entry({ date: '2026-04-01' }), entry({ date: '2026-04-30' })]);
  const source = reader.sources['uk-property'];
  const position = Buffer.concat([
    Buffer.from('2026-04-06'),
    Buffer.from(theirEntry.replaceAll('-', ''), 'hex'),
  ]);
  // The digest is documented as no secret: anybody can make one.
  const digest = createHash('sha256').update(`${source}|||`).update(position).digest().subarray(0, 8);
  const response = await reader.page({ cursor: Buffer.concat([digest, position]).toString('base64url') });
  expect(response.status).toBe(200);
  expect(response.body.transactions.map(({ id }: { id: string }) => id)).toEqual([
    own.body.transactions[0].id,
  ]);
});

test('at the worker: a key of one account with the account id of another gets the response of an unknown key', async () => {
  const before = await storedRows();
  const entries = [newEntry()];
  const request = (who: { accountId: string; keyHash: Buffer }, sourceId: string) =>
    Promise.all([
      ledger.listSources({ caller: who }),
      ledger.listEntries({ caller: who, sourceId, limit: 200 }),
      ledger.createEntries({ caller: who, sourceId, entries }),
    ]);
  const unknown = await request({ ...callerOf(other), keyHash: Buffer.alloc(32, 1) }, theirSource);
  expect(unknown.map(({ refused }) => refused)).toEqual(Array(3).fill('REFUSAL_INVALID_KEY'));
  for (const source of [theirSource, mine.sources['uk-property']]) {
    expect(await request({ ...callerOf(mine), accountId: other.accountId }, source)).toEqual(unknown);
    expect(await request({ ...callerOf(other), accountId: mine.accountId }, source)).toEqual(unknown);
  }

  const [, page, created] = await request(callerOf(mine), theirSource);
  expect([page.sourceNotFound, created.sourceNotFound]).toEqual([{}, {}]);
  expect(await storedRows()).toEqual(before);
});

test("at the worker: another account's entry id is a new one, and their entry stays as it is", async () => {
  const writer = await TestAccount.create();
  const before = await rowsOf(other.accountId);
  const { created } = await ledger.createEntries({
    ...propertyOf(writer),
    entries: [{ id: theirEntry, date: '2020-01-01', type: 'expense', amountPence: 7, externalRef: 'theirs' }],
  });
  expect([created?.newEntries, created?.knownEntries]).toEqual([1, 0]);
  expect(await rowsOf(other.accountId)).toEqual(before);
});

test("another account's Idempotency-Key is a new one: same response as an unused key, and their entries stay", async () => {
  const headers = { 'idempotency-key': Bun.randomUUIDv7() };
  const body = entry({ description: 'private' });
  await other.post(body, { headers });
  const before = await rowsOf(other.accountId);
  // The same body would be a repeat, and another body a reuse, if the key were known here.
  for (const sent of [body, entry({ amountPence: 7 })]) {
    const writer = await TestAccount.create();
    const theirs = await writer.post(sent, { headers });
    const unknown = await writer.post(sent);
    const [id, unknownId] = [theirs, unknown].map((response) => response.body.transactions[0].id);
    expect(comparable(theirs, id)).toEqual(comparable(unknown, unknownId));
    expect((await writer.entries()).map((stored) => stored.id)).toEqual([unknownId, id]);
  }
  expect(await rowsOf(other.accountId)).toEqual(before);
});
