/** What the worker refuses as malformed from any caller: over real gRPC, by its contract (proto/ledger.proto). */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { type Entry, entriesJson, failure, newEntry, openLedger, propertyOf } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

const account = await TestAccount.create();
const property = propertyOf(account);
const { caller, sourceId, writeId } = property;

const create = (entries: Entry[], fields: object = {}) =>
  ledger.createEntries({ ...property, entries, ...fields });
async function createJson(json: Buffer) {
  const [response] = await sendRequests(ledger, [{ createEntries: { ...property, entriesJson: json } }]);
  if (response?.failure) throw Object.assign(new Error(), response.failure);
  return response;
}
/** An entry whose description has these bytes. */
function createBytes(...bytes: number[]) {
  const [before = '', after = ''] = JSON.stringify([newEntry({ description: '?' })]).split('?');
  return createJson(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
}
const ONE = newEntry();
const idempotency = (key: string, bytes = 32) => ({
  idempotency: { key, fingerprint: Buffer.alloc(bytes) },
});
/** An entry with one of these members is malformed. */
const WRONG: [member: string, ...values: unknown[]][] = [
  ['id', 'x', '', '00000000-0000-0000-0000-000000000000', crypto.randomUUID()],
  ['date', '2023-02-29', '', '0001-01-01 BC', '10000-01-01', 'today', 'infinity'],
  ['amountPence', 0, -1, 2 ** 53, '1', 1.5],
  ['type', 'transfer', '', 'income","expense'],
  ['description', 'x'.repeat(501), 'a\0b', 'a\ud800'],
  ['externalRef', '', 'x'.repeat(181), '\udc00b', ['a']],
  ['category', '\ud800'],
];
const FIELDS = WRONG.flatMap(([member, ...values]) =>
  values.map((value): (typeof MALFORMED)[number] => [
    `an entry with the ${member} ${JSON.stringify(value).slice(0, 40)}`,
    () => createJson(entriesJson([{ ...newEntry(), [member]: value }])),
  ]),
);
const MALFORMED: [name: string, call: () => Promise<unknown>][] = [
  [
    'CreateEntries without a caller',
    () => ledger.createEntries({ sourceId, writeId, entries: [newEntry()] }),
  ],
  ['CreateEntries of no entries', () => create([])],
  ['CreateEntries of 501 entries', () => create(Array.from({ length: 501 }, () => newEntry()))],
  ['a source id that is no uuid', () => create([newEntry()], { sourceId: 'x' })],
  ['a write id that is no uuid', () => create([newEntry()], { writeId: 'x' })],
  ['no write id', () => create([newEntry()], { writeId: '' })],
  ['no source id', () => create([newEntry()], { sourceId: '' })],
  ['an account id that is no uuid', () => create([newEntry()], { caller: { ...caller, accountId: 'x' } })],
  ...FIELDS,
  ['one id twice', () => create([ONE, ONE])],
  ['one id twice, in capitals', () => create([ONE, { ...ONE, id: ONE.id.toUpperCase() }])],
  ['one id for two dates', () => create([ONE, { ...ONE, date: '2026-04-07' }])],
  ['ids that descend', () => create([newEntry(), newEntry()].reverse())],
  ['an idempotency key without characters', () => create([newEntry()], idempotency(''))],
  ...['x', '𝟙'].map((character): (typeof MALFORMED)[number] => [
    `an idempotency key of 256 characters: ${character}`,
    () => create([newEntry()], idempotency(character.repeat(256))),
  ]),
  ['an idempotency key with U+0000', () => create([newEntry()], idempotency('a\0b'))],
  // By the client it is made what is no UTF-8, by its reader U+FFFD.
  ['an idempotency key with half of a surrogate pair', () => create([newEntry()], idempotency('\ud800'))],
  ['a fingerprint of 31 bytes', () => create([newEntry()], idempotency('x', 31))],
  ['no fingerprint', () => create([newEntry()], idempotency('x', 0))],
  [
    'one wrong entry of 500',
    () => create([...Array.from({ length: 499 }, () => newEntry()), newEntry({ amountPence: 0 })]),
  ],
  ['entries that are no JSON', () => createJson(Buffer.from('[{'))],
  ['entries that are no array', () => createJson(Buffer.from('{}'))],
  ['entries that are no objects', () => createJson(entriesJson([null]))],
  ['half of a character of UTF-8', () => createBytes(0xc3)],
  ['a byte that begins no character', () => createBytes(0xff)],
  ['half of a surrogate pair in UTF-8', () => createBytes(0xed, 0xa0, 0x80)],
  ['ListEntries without a caller', () => ledger.listEntries({ sourceId, limit: 1 })],
  ['ListEntries with a limit of 0', () => ledger.listEntries({ caller, sourceId, limit: 0 })],
  ['ListEntries with a limit of 201', () => ledger.listEntries({ caller, sourceId, limit: 201 })],
  ['ListEntries of no uuid', () => ledger.listEntries({ caller, sourceId: 'x', limit: 1 })],
  ['ListEntries from no day', () => ledger.listEntries({ caller, sourceId, limit: 1, from: '2023-02-29' })],
  ['ListEntries to no day', () => ledger.listEntries({ caller, sourceId, limit: 1, to: 'x' })],
  [
    'ListEntries after no position',
    () => ledger.listEntries({ caller, sourceId, limit: 1, after: { date: 'x', id: 'y' } }),
  ],
  ...['2023-02-29', '2026-04-31'].map((date): (typeof MALFORMED)[number] => [
    `ListEntries after ${date}, which is no day, up to an earlier one`,
    () => ledger.listEntries({ caller, sourceId, limit: 1, to: '2020-01-01', after: { date, id: sourceId } }),
  ]),
  ['ListSources without a caller', () => ledger.listSources({})],
];

test.each(MALFORMED)('a malformed request is INVALID_ARGUMENT and stores nothing: %s', async (_, call) => {
  const { code, details } = await failure(call());
  expect([status[code], details]).toEqual(['INVALID_ARGUMENT', expect.stringMatching(/./)]);
  expect(details).not.toMatch(/insert|select|ledger\.entry|values/i);
  expect(await rowsOf(account.accountId)).toEqual([]);
});

test('an idempotency key of 255 characters is accepted, in the BMP and outside', async () => {
  const property = propertyOf(await TestAccount.create());
  for (const character of ['x', 'é', '𝟙']) {
    const request = { ...property, writeId: crypto.randomUUID(), entries: [newEntry()] };
    const { created } = await ledger.createEntries({ ...request, ...idempotency(character.repeat(255)) });
    expect([character, created?.newEntries]).toEqual([character, 1]);
  }
});

test('an id that is stored is taken neither beside new ones nor for another entry: nothing is created', async () => {
  const other = await TestAccount.create();
  const request = (entries: Entry[], sourceId = other.sources['uk-property']) =>
    ledger.createEntries({ ...propertyOf(other), sourceId, entries });
  // One between the ids of those that are stored, one before and one after them.
  const [before, plain, between] = [newEntry(), newEntry(), newEntry()];
  const [named, after] = [newEntry({ externalRef: 'named' }), newEntry()];
  const stored = [plain, named];
  const original = { ...propertyOf(other), entries: stored };
  await ledger.createEntries(original);
  const rows = await rowsOf(other.accountId);
  const reused = [
    stored,
    [before, plain],
    [plain, between],
    [plain, between, named],
    [plain, named, after],
    [named, { ...after, externalRef: 'after' }],
    [plain, { ...after, externalRef: 'named' }, newEntry()],
    ...[plain, named].flatMap((entry) => [
      [{ ...entry, amountPence: 2 }],
      [{ ...entry, type: 'expense' }],
      [{ ...entry, description: 'another' }],
      [{ ...entry, externalRef: 'another' }],
    ]),
    [{ ...named, date: '2026-04-07' }],
  ];
  for (const entries of reused) {
    expect([entries, status[(await failure(request(entries))).code]]).toEqual([entries, 'INVALID_ARGUMENT']);
  }
  for (const wrong of [
    request([named], other.sources['self-employment']),
    ledger.createEntries({ ...original, entries: [...stored, after] }),
  ]) {
    expect(status[(await failure(wrong)).code]).toBe('INVALID_ARGUMENT');
  }
  expect(await rowsOf(other.accountId)).toEqual(rows);
  expect((await ledger.createEntries(original)).created).toMatchObject({ newEntries: 0, knownEntries: 0 });

  // On another date or in another source, the id is that of another entry.
  expect((await request([{ ...plain, date: '2026-04-07' }])).created?.newEntries).toBe(1);
  expect((await request([plain, after], other.sources['self-employment'])).created?.newEntries).toBe(2);
  await expectCountsToEqualRows(other);
});

test('a malformed fingerprint is refused, not compared with the one that is kept', async () => {
  const property = propertyOf(await TestAccount.create());
  const write = (bytes: number) =>
    ledger.createEntries({ ...property, entries: [newEntry()], ...idempotency('kept', bytes) });
  await write(32);
  for (const bytes of [0, 31, 33]) {
    expect(status[(await failure(write(bytes))).code]).toBe('INVALID_ARGUMENT');
  }
  expect(await rowsOf(property.caller.accountId)).toHaveLength(1);
});
