/** From bytes to entries: encodings, JSON, the number of entries, the size (docs/api/entries.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { type ApiResponse, entry, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

const MIB = 1024 * 1024;
const account = await TestAccount.create();
const valid = JSON.stringify(entry());
const path = account.transactions;

const outcome = ({ status, body }: ApiResponse) => [status, body.error?.code ?? body.created];
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

// The rule requests.not-json of the conformance kit has more.
const NOT_JSON: [name: string, body: string | Uint8Array, message?: RegExp][] = [
  ['not UTF-8: UTF-16', new Uint8Array(Buffer.from(`\ufeff${valid}`, 'utf16le'))],
  ['not UTF-8: a character cut off', new Uint8Array(Buffer.from('"🏠').subarray(0, 3))],
  ['not UTF-8: an encoded surrogate', latin1(valid.replace('income', '\xed\xa0\xbc'))],
  ['nested a million deep and not closed', '['.repeat(1_000_000)],
  ['two texts', `${valid}${valid}`, /more than one JSON text.* as one array/],
  ['a line for each transaction', `${valid}\n${valid}\n`, /more than one JSON text/],
  ['two arrays', `[${valid}] [${valid}]`, /more than one JSON text/],
  ['commas only', `[${','.repeat(501)}]`, /a comma follows no transaction/],
  ['a comma too many', `[${valid}, ,${`${valid},`.repeat(500)}${valid}]`, /a comma follows no transaction/],
];

test.each(NOT_JSON)('a body is invalid_json when it is %s', async (_, body, message = /./) => {
  const response = await account.post(body);
  expect(outcome(response)).toEqual([400, 'invalid_json']);
  expect(response.body.error.message).toMatch(message);
});

test('a body that no entry can have is refused without a 5xx, however it is nested', async () => {
  for (const depth of [10, 5_000, 1_000_000]) {
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    for (const body of [nested, valid.replace('45000', nested)]) {
      const [status, code] = outcome(await account.post(body));
      expect(`${status} ${code}`).toBeOneOf(['400 invalid_json', '422 invalid_transaction']);
    }
  }
});

test('a byte order mark and white space around the body are no part of it', async () => {
  expect(outcome(await account.post(`\ufeff${valid}`))).toEqual([201, 1]);
  expect(outcome(await account.post(`\r\n\t [ ${valid} ]\n\n`))).toEqual([201, 1]);
});

const bytes = new Uint8Array(Buffer.from(valid));
const postAs = (headers: Record<string, string>, body: Uint8Array<ArrayBuffer> = bytes) =>
  account.request(path, { method: 'POST', body, headers });

test('the body is read as JSON unless it is declared as something else', async () => {
  for (const type of ['APPLICATION/JSON', 'application/json;', 'text/json', 'application/vnd.books+json']) {
    expect([type, ...outcome(await postAs({ 'content-type': type }))]).toEqual([type, 201, 1]);
  }
  expect(outcome(await postAs({}))).toEqual([201, 1]);
});

test('a compressed body is an unsupported_encoding; identity is none', async () => {
  for (const encoding of ['gzip', 'GZIP', 'deflate', 'br', 'zstd', 'identity, gzip', 'nonsense']) {
    const response = await postAs({ 'content-encoding': encoding }, Bun.gzipSync(bytes));
    expect([encoding, ...outcome(response)]).toEqual([encoding, 415, 'unsupported_encoding']);
  }
  expect(outcome(await postAs({ 'content-encoding': 'identity' }))).toEqual([201, 1]);
  expect(outcome(await postAs({}, Bun.gzipSync(bytes)))).toEqual([400, 'invalid_json']);
});

/** A body of exactly `size` bytes: one valid entry and white space. */
const padded = (size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length, ' ')]);

test('a body of 5 MiB is read, one byte more is payload_too_large: in chunks', async () => {
  const streamed = (size: number) =>
    account.request(path, { method: 'POST', body: new Blob([padded(size)]).stream() });
  expect(outcome(await streamed(5 * MIB))).toEqual([201, 1]);
  expect(outcome(await streamed(5 * MIB + 1))).toEqual([413, 'payload_too_large']);
  expect(outcome(await streamed(20 * MIB))).toEqual([413, 'payload_too_large']);
});

test('a declared length over 5 MiB is refused before the body is sent', async () => {
  const { socket, received } = beginPost(system.url, account, `content-length: ${6 * MIB}`, '[');
  await until('there is a response', () => received().includes('"payload_too_large"'));
  expect(received()).toStartWith('HTTP/1.1 413 ');
  socket.destroy();
});

test('a full batch of the largest texts, all of it in escapes, comes back as it was sent', async () => {
  const account = await TestAccount.create();
  const entries = Array.from({ length: 500 }, (_, index) => ({
    date: '9999-12-31',
    type: 'expense',
    amountPence: Number.MAX_SAFE_INTEGER,
    category: 'residentialFinancialCostsCarriedForward',
    description: '\u{1f3e0}'.repeat(500),
    externalRef: `${'\u{1f4b7}'.repeat(177)}${String(index).padStart(3, '0')}`,
  }));
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const body = JSON.stringify(entries).replace(/[\ud800-\udfff]/g, escaped);
  expect(body.length).toBeGreaterThan(3.9 * MIB);

  const created = await account.post(body);
  expect(outcome(created)).toEqual([201, 500]);
  const stored = (await account.entries()).reverse();
  expect(stored.map(({ id: _, ...content }) => content)).toEqual(entries as never);
  expect(stored.map(({ id }) => id)).toEqual(created.body.transactions.map(({ id }: { id: string }) => id));
});
