/** Entries as JSON, by the worker's contract: as they are sent, and as pages show them. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { TestAccount } from '../../fixtures/client.ts';
import { callerOf, entriesOf, newEntry, openLedger } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(30_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

const account = await TestAccount.create();
const sourceId = account.sources['uk-property'];
const caller = callerOf(account);

const json = (entries: unknown) =>
  Buffer.from(typeof entries === 'string' ? entries : JSON.stringify(entries));

/** What becomes of entries that are sent as these bytes. */
async function create(entriesJson: Buffer) {
  const [response] = await sendRequests(ledger, [{ createEntries: { caller, sourceId, entriesJson } }]);
  return response;
}

test('a page shows the entries that were sent, in JSON', async () => {
  const entries = [
    newEntry({ category: 'periodAmount', description: '"a" \\ b},\n{🏠 {NULL}', externalRef: 'x,y' }),
    newEntry({ amountPence: Number.MAX_SAFE_INTEGER, type: 'expense', date: '0001-01-01' }),
  ];
  const response = await create(json(entries));
  expect(response?.createEntries?.created).toEqual({ newEntries: 2, knownEntries: 0 });
  const request = { caller, sourceId, limit: 1 };
  const first = await ledger.listEntries(request);
  const last = { date: '2026-04-06', id: entries[0]?.id ?? '' };
  expect(first.page?.last).toEqual(last);
  expect(entriesOf(first)).toEqual([entries[0]]);
  const rest = await ledger.listEntries({ ...request, after: last });
  expect(rest.page?.last).toBeNull();
  expect(entriesOf(rest)).toEqual([{ ...entries[1], category: null, description: null, externalRef: null }]);
});

test.each<[what: string, entries: unknown]>([
  ['no JSON', '[{'],
  ['no array', {}],
  ['no objects', [null]],
  ['an amount that is a text', [{ ...newEntry(), amountPence: '1' }]],
  ['an amount that is no whole number', [{ ...newEntry(), amountPence: 1.5 }]],
  ['a reference that is a list', [{ ...newEntry(), externalRef: ['a'] }]],
  ['a type of its own', [{ ...newEntry(), type: 'income","expense' }]],
])('entries sent as JSON that is %s are refused', async (_what, entries) => {
  expect((await create(json(entries)))?.failure?.code).toBe(status.INVALID_ARGUMENT);
});

test.each<[what: string, bytes: number[]]>([
  ['half of a character', [0xc3]],
  ['a byte that begins none', [0xff]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
])('entries whose bytes are not UTF-8 are refused: %s', async (_what, bytes) => {
  const [before = '', after = ''] = JSON.stringify([newEntry({ description: '?' })]).split('?');
  const entriesJson = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  expect((await create(entriesJson))?.failure?.code).toBe(status.INVALID_ARGUMENT);
});

test('U+FFFD that was sent is stored', async () => {
  const entry = newEntry({ description: 'a\ufffdb', externalRef: '\ufffd' });
  await create(json([entry]));
  expect(entriesOf(await ledger.listEntries({ caller, sourceId, limit: 1 }))).toMatchObject([{ ...entry }]);
});
