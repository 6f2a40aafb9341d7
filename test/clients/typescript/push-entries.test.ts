/** What a push sends and reports, and which rows are stored then, also when responses are lost. Its other rules: test/clients/python/. */
import { expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { Ledger, type NewTransaction, type PushOptions } from '../../../clients/typescript/index.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { type Action, startProxy } from '../proxy.ts';

setDefaultTimeout(60_000);

const entry = (fields: Partial<NewTransaction> = {}): NewTransaction => ({
  date: '2026-04-06',
  type: 'income',
  amountPence: 45_000,
  ...fields,
});
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => entry({ amountPence: n + 1, externalRef: `ref-${n}` }));

/** A client of a new account, behind a proxy that does as `act` says. */
async function pusher(act: (ordinal: number) => Action = () => 'pass') {
  const account = await TestAccount.create();
  const proxy = await startProxy((_, ordinal) => act(ordinal));
  const ledger = new Ledger({ url: proxy.url, apiKey: account.key });
  return {
    push: (entries: Iterable<NewTransaction>, options?: PushOptions) =>
      ledger.push(account.sources['uk-property'], entries, options),
    /** The number of entries of each request. */
    sizes: () => proxy.requests.map(({ body }) => JSON.parse(body).length),
    keys: () => proxy.requests.map(({ idempotencyKey }) => idempotencyKey),
    stored: () => rowsOf(account.accountId),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

const LOSSES = ['drop response', 'replace response'] as const;

test.each([
  ['with references', [entry({ externalRef: 'a' }), entry({ externalRef: 'b' })]],
  ['without references', [entry(), entry()]],
  ['of both kinds, the first with a reference', [entry({ externalRef: 'a' }), entry()]],
  ['of both kinds, the first without one', [entry(), entry({ externalRef: 'a' })]],
])('entries whose response is lost are stored once: %s', async (_, entries) => {
  await using client = await pusher((ordinal) => LOSSES[ordinal - 1] ?? 'pass');
  // The repetition has the outcomes of the first attempt.
  expect(await client.push(entries)).toMatchObject({ created: 2, deduplicated: 0, remaining: 0 });
  expect(client.sizes()).toEqual([2, 2, 2]);
  expect(new Set(client.keys()).size).toBe(1);
  expect(await client.stored()).toHaveLength(entries.length);
});

test('an iterable of entries is sent whole', async () => {
  await using client = await pusher();
  expect(await client.push(numbered(3).values())).toMatchObject({ created: 3, remaining: 0 });
});

test.each<[string, unknown, string]>([
  ['no list', { date: '2026-04-06' }, 'entries must be an array, or another iterable of entries'],
  ['an entry that is none', [...numbered(550), null], 'entries[550] must be an object, one entry'],
  ['a BigInt', [...numbered(550), entry({ amountPence: 1n as never })], 'entries[550] has no JSON: '],
])('%s is refused before anything is sent', async (_, entries, message) => {
  await using client = await pusher();
  const failure = await client.push(entries as NewTransaction[]).catch((error) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure.message).toStartWith(message);
  expect(client.sizes()).toEqual([]);
});

test('an error of onProgress stops the push, and loses no outcome', async () => {
  await using client = await pusher();
  const onProgress = () => {
    throw new Error('no terminal');
  };
  const failure = await client.push(numbered(501), { onProgress }).catch((error) => error);
  expect(failure).toMatchObject({
    name: 'PushError',
    code: 'callback_failed',
    message: 'onProgress failed: no terminal',
    result: { created: 500, remaining: 1 },
  });
  expect(client.sizes()).toEqual([500]);
});

test('an abort lets the running request finish, and sends no other', async () => {
  const abort = new AbortController();
  await using client = await pusher(() => {
    abort.abort();
    return 'pass';
  });
  const result = await client.push(numbered(900), { signal: abort.signal });
  expect(result).toMatchObject({ created: 500, remaining: 400, stoppedBy: 'interrupted' });
  expect(client.sizes()).toEqual([500]);
});

test.each<[string, Action, string]>([
  [
    'a 401',
    { status: 401, body: '{"error":{"code":"invalid_key","message":"It is revoked."}}' },
    'It is revoked.',
  ],
  ['a failing callback', 'pass', 'onProgress failed: no terminal.'],
  ['an abort', 'pass', 'It is enough.'],
])('after a lost response, %s leaves the outcome unknown', async (reason, later, message) => {
  await using client = await pusher((ordinal) => (ordinal === 1 ? 'drop response' : later));
  const abort = new AbortController();
  const onProgress = () => {
    if (reason === 'a failing callback') throw new Error('no terminal');
    if (reason === 'an abort') abort.abort(new Error('It is enough.'));
  };
  const entries = [entry({ externalRef: 'a' }), entry()];
  const failure = await client.push(entries, { onProgress, signal: abort.signal }).catch((error) => error);
  expect(failure).toMatchObject({
    code: 'unknown_outcome',
    result: { created: 0, remaining: 2, unknown: 2 },
  });
  expect(failure.message).toStartWith(`${message} The entries of this request may be stored`);
  const { idempotencyKey } = failure;
  expect(new Set(client.keys())).toEqual(new Set([idempotencyKey]));
  expect(await client.stored()).toHaveLength(2);
});

test('the key of another push is for the entries of one request', async () => {
  await using client = await pusher();
  for (const count of [0, 501]) {
    const failure = await client.push(numbered(count), { idempotencyKey: 'key' }).catch((error) => error);
    expect(failure).toBeInstanceOf(TypeError);
  }
  expect(client.sizes()).toEqual([]);
});

test('a request without a readable response is not repeated after its key may be forgotten', async () => {
  await using client = await pusher((ordinal) => (ordinal === 1 ? 'drop response' : 'pass'));
  const onProgress = () => setSystemTime(Date.now() + 24 * 60 * 60 * 1_000);
  try {
    const failure = await client.push([entry()], { onProgress }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'unknown_outcome', result: { unknown: 1 } });
    expect(failure.message).toStartWith('It is too late for another attempt');
    // Sent again, it could be stored twice.
    expect(failure.message).toEndWith('Look for them in the books, and send only the missing ones.');
  } finally {
    setSystemTime();
  }
  expect(client.keys()).toHaveLength(1);
});
