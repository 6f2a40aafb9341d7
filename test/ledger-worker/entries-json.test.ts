/** Entries as JSON, by the worker's contract: what the gateway sends and asks for in the place of messages. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { hashApiKey } from '../../proto/api-key.ts';
import { createLedgerClient, type Entry } from '../../proto/ledger.ts';
import { TestAccount } from '../client.ts';
import { system } from '../system.ts';

setDefaultTimeout(30_000);

const ledger = createLedgerClient(system.workerAddress, {});
afterAll(() => ledger.close());

const account = await TestAccount.create();
const sourceId = account.sources['uk-property'];
const caller = { accountId: account.accountId, keyHash: hashApiKey(account.key) };

const newEntry = (fields: Entry = {}): Entry => ({
  id: Bun.randomUUIDv7(),
  date: '2026-04-06',
  type: 'income',
  amountPence: 1,
  ...fields,
});

const json = (entries: unknown) =>
  Buffer.from(typeof entries === 'string' ? entries : JSON.stringify(entries));

test('entries may be sent, and a page asked for, as JSON: it is the same', async () => {
  const entries = [
    newEntry({ category: 'periodAmount', description: '"a" \\ b},\n{🏠 {NULL}', externalRef: 'x,y' }),
    newEntry({ amountPence: Number.MAX_SAFE_INTEGER, type: 'expense', date: '0001-01-01' }),
  ];
  const { created } = await ledger.createEntries({
    caller,
    sourceId,
    entriesJson: json(entries),
  });
  expect(created).toEqual({ added: 2, existing: [], ids: [] });
  const question = { caller, sourceId, limit: 1 };
  const [plain, asJson] = [
    await ledger.listEntries(question),
    await ledger.listEntries({ ...question, asJson: true }),
  ];
  const last = { date: '2026-04-06', id: entries[0]?.id as string };
  expect(plain.page).toMatchObject({ entries: [entries[0] as object], hasMore: true, last });
  expect(asJson.page).toMatchObject({ entries: [], hasMore: true, last });
  expect(JSON.parse(`[${asJson.page?.entriesJson}]`)).toEqual([entries[0]]);
  const rest = await ledger.listEntries({ ...question, after: last, asJson: true });
  expect(rest.page).toMatchObject({ hasMore: false, last: null });
  expect(JSON.parse(`[${rest.page?.entriesJson}]`)).toEqual([
    { ...entries[1], category: null, description: null, externalRef: null },
  ]);
});

test.each<[what: string, entries: unknown]>([
  ['no JSON', '[{'],
  ['no array', {}],
  ['no entries', []],
  ['more than 500', Array(501).fill(newEntry())],
  ['no objects', [null]],
  ['an amount that is a text', [{ ...newEntry(), amountPence: '1' }]],
  ['an amount that is no whole number', [{ ...newEntry(), amountPence: 1.5 }]],
  ['a reference that is a list', [{ ...newEntry(), externalRef: ['a'] }]],
  ['a type of its own', [{ ...newEntry(), type: 'income","expense' }]],
  ['an id that is none', [{ ...newEntry(), id: '{}' }]],
  ['a date that is none', [{ ...newEntry(), date: 'today' }]],
  ['half of a surrogate pair in a description', [newEntry({ description: '\ud800' })]],
  ['half of a surrogate pair in a reference', [newEntry({ externalRef: 'a\udfffb' })]],
  ['half of a surrogate pair in a category', [newEntry({ category: '\udc00\ud800' })]],
  ['an id twice', Array(2).fill(newEntry())],
  ['the nil id', [newEntry({ id: '00000000-0000-0000-0000-000000000000' })]],
])('entries sent as JSON that is %s are refused', async (_what, entries) => {
  const refused = ledger.createEntries({ caller, sourceId, entriesJson: json(entries) });
  expect<unknown>(await refused.catch(({ code }) => code)).toBe(status.INVALID_ARGUMENT);
});

test.each<[what: string, bytes: number[]]>([
  ['half of a character', [0xc3]],
  ['a byte that begins none', [0xff]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
])('entries whose bytes are not UTF-8 are refused: %s', async (_what, bytes) => {
  const [before = '', after = ''] = JSON.stringify([newEntry({ description: '?' })]).split('?');
  const entriesJson = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  const refused = ledger.createEntries({ caller, sourceId, entriesJson });
  expect<unknown>(await refused.catch(({ code }) => code)).toBe(status.INVALID_ARGUMENT);
});

test('U+FFFD that was sent is stored', async () => {
  const entry = newEntry({ description: 'a\ufffdb', externalRef: '\ufffd' });
  await ledger.createEntries({ caller, sourceId, entriesJson: json([entry]) });
  const { page } = await ledger.listEntries({ caller, sourceId, limit: 1 });
  expect(page?.entries[0]).toMatchObject(entry as object);
});
