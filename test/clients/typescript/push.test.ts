/** What a push sends and reports, also through a network that loses responses, to a service that refuses; and which rows are stored then. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { chunkAt } from '../../../clients/typescript/chunks.ts';
import {
  Ledger,
  type NewTransaction,
  type Pause,
  PushError,
  type PushOptions,
} from '../../../clients/typescript/index.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { type Action, RATE_LIMITED, startProxy } from '../proxy.ts';

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
async function pusher(act: (entries: NewTransaction[], ordinal: number) => Action = () => 'pass') {
  const account = await TestAccount.create();
  const proxy = await startProxy(({ body }, ordinal) => act(JSON.parse(body), ordinal));
  const ledger = new Ledger({ url: proxy.url, apiKey: account.key });
  return {
    push: (entries: NewTransaction[], options?: PushOptions) =>
      ledger.push(account.sources['uk-property'], entries, options),
    /** The number of entries of each request. */
    sizes: () => proxy.requests.map(({ body }) => JSON.parse(body).length),
    keys: () => proxy.requests.map(({ idempotencyKey }) => idempotencyKey),
    stored: () => rowsOf(account.accountId),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

test.each([
  ['with references', [entry({ externalRef: 'a' }), entry({ externalRef: 'b' })]],
  ['without references', [entry(), entry()]],
  ['of both kinds, the first with a reference', [entry({ externalRef: 'a' }), entry()]],
  ['of both kinds, the first without one', [entry(), entry({ externalRef: 'a' })]],
])('entries whose response is lost are stored once: %s', async (_, entries) => {
  await using client = await pusher((_, ordinal) => (ordinal <= 2 ? 'drop response' : 'pass'));
  const { created, deduplicated } = await client.push(entries);
  expect(created + deduplicated).toBe(entries.length);
  expect(client.sizes()).toEqual([2, 2, 2]);
  expect(new Set(client.keys()).size).toBe(1);
  expect(await client.stored()).toHaveLength(entries.length);
});

test('requests of one push have different keys', async () => {
  await using client = await pusher();
  await client.push(Array(501).fill(entry()));
  expect(new Set(client.keys()).size).toBe(2);
  expect(await client.stored()).toHaveLength(501);
  expect(client.keys()[0]).toMatch(/^[0-9a-f]{32}$/);
});

const capReached = (remaining: number): Action => ({
  status: 429,
  headers: { 'retry-after': '0' },
  body: JSON.stringify({ error: { code: 'daily_cap', message: 'The cap is reached.', remaining } }),
});

test('after the wait at the daily cap, requests have 500 entries again', async () => {
  let hasWaited = false;
  await using client = await pusher((entries) => {
    if (hasWaited) return 'pass';
    hasWaited = entries.length === 1;
    return capReached(0);
  });
  const pauses: Pause[] = [];
  const onProgress = ({ pause }: { pause: Pause | undefined }) => pause && pauses.push(pause);
  await client.push(numbered(1_000), { onProgress });
  expect(pauses.map(({ reason }) => reason)).toEqual(['daily_cap']);
  expect(client.sizes().slice(-2)).toEqual([500, 500]);
  expect(await client.stored()).toHaveLength(1_000);
});

test('at the daily cap, the next request has as many entries as fit', async () => {
  await using client = await pusher((entries) => (entries.length > 30 ? capReached(30) : 'pass'));
  await client.push(numbered(60));
  expect(client.sizes()).toEqual([60, 30, 30]);
});

test('a request has at most 5 MiB, counted in bytes of UTF-8', async () => {
  // Two of these have 2 Mi characters and 6 MiB. The service refuses such a description by name, and larger bodies as a whole.
  const long = entry({ description: '€'.repeat(2 ** 20) });
  expect(chunkAt([long, long], 0).entries).toHaveLength(1);
  await using client = await pusher();
  const error = await client.push([entry(), long, long]).catch((error) => error);
  expect([error.code, error.issues[0]?.path]).toEqual(['invalid_transaction', '/1/description']);
});

test('waits for the minute limit do not count as failures of the service', async () => {
  // Longer than the failures may take: without the wait they take no time.
  const limited = { ...RATE_LIMITED, headers: { 'retry-after': '2' } };
  const actions: Action[] = [limited, { status: 503, body: '' }];
  await using client = await pusher((_, ordinal) => actions[ordinal - 1] ?? 'pass');
  const pauses: string[] = [];
  const onProgress = ({ pause }: { pause: Pause | undefined }) => pause && pauses.push(pause.reason);
  const options = { retryTimeoutMs: 1_900, onProgress };
  const { created } = await client.push([entry()], options);
  expect([created, client.sizes().length]).toEqual([1, 3]);
  expect(pauses).toEqual(['minute_limit', 'unavailable']);
});

test('a service that fails is given up after `retryTimeoutMs`', async () => {
  await using client = await pusher(() => ({ status: 503, body: '' }));
  const error = await client.push([entry()], { retryTimeoutMs: 500 }).catch((error) => error);
  expect(error).toMatchObject({ status: 503, result: { remaining: 1 } });
});

test('Retry-After is waited out', async () => {
  const times: number[] = [];
  await using client = await pusher((_, ordinal) => {
    times.push(Date.now());
    return ordinal === 1 ? { status: 503, headers: { 'retry-after': '1' }, body: '' } : 'pass';
  });
  const pauses: number[] = [];
  const onProgress = ({ pause }: { pause: Pause | undefined }) => pause && pauses.push(pause.until.getTime());
  await client.push([entry()], { onProgress });
  const [first = 0, second = 0] = times;
  expect(pauses).toHaveLength(1);
  expect(pauses[0]).toBeGreaterThanOrEqual(first + 1_000);
  expect(second).toBeGreaterThanOrEqual(first + 1_000);
});

test('after a push that stopped, the same push sends the rest and creates nothing twice', async () => {
  let stops = true;
  await using client = await pusher((_, ordinal) => (stops && ordinal > 1 ? capReached(0) : 'pass'));
  const first = await client.push(numbered(700), { wait: false });
  expect(first).toMatchObject({ created: 500, remaining: 200, stoppedBy: 'daily_cap', fitsNow: 0 });
  stops = false;
  const second = await client.push(numbered(700));
  expect(second).toMatchObject({ created: 200, deduplicated: 500, remaining: 0 });
  expect(await client.stored()).toHaveLength(700);
});

test('a push is cut into requests of at most 500 entries, and reports an outcome for each entry', async () => {
  await using client = await pusher();
  const entries = numbered(1_201);
  const progress: number[] = [];
  const result = await client.push(entries, { onProgress: ({ sent }) => progress.push(sent) });
  expect(client.sizes()).toEqual([500, 500, 201]);
  expect(progress).toEqual([500, 1_000, 1_201]);
  expect(result).toMatchObject({ created: 1_201, deduplicated: 0, remaining: 0 });
  expect(result.outcomes.every(({ status }) => status === 'created')).toBe(true);

  const again = await client.push([...entries.slice(0, 2), entry({ externalRef: 'ref-2' })]);
  expect(again.outcomes).toEqual([
    { status: 'known', id: result.outcomes[0]?.id ?? '' },
    { status: 'known', id: result.outcomes[1]?.id ?? '' },
    { status: 'conflict', id: result.outcomes[2]?.id ?? '', fields: ['amountPence'] },
  ]);
});

test('of one reference twice, the first is created and the second is known', async () => {
  await using client = await pusher();
  const twice = entry({ externalRef: 'twice' });
  const { outcomes } = await client.push([entry(), twice, entry(), twice]);
  expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'known']);
  expect(outcomes[3]?.id).toBe(outcomes[1]?.id ?? '');
});

test.each([500, 502, 503])('status %i is repeated', async (status) => {
  const failed = { status, headers: { 'retry-after': '0' }, body: '<html>' };
  await using client = await pusher((_, ordinal) => (ordinal < 3 ? failed : 'pass'));
  expect((await client.push([entry()])).created).toBe(1);
  expect(client.sizes()).toEqual([1, 1, 1]);
});

test('an error points at the entry that was passed in, and has what was sent before', async () => {
  await using client = await pusher();
  const entries = [...numbered(500), entry(), entry({ amountPence: 0.5 })];
  const error = await client.push(entries).catch((error) => error);
  expect(error).toBeInstanceOf(PushError);
  expect(error).toMatchObject({ code: 'invalid_transaction', status: 422 });
  expect(error.issues).toMatchObject([{ path: '/501/amountPence', index: 501 }]);
  expect(error.result).toMatchObject({ created: 500, remaining: 2 });
});

test('at the daily cap a push fills what fits, reports what is known, and without `wait` stops and says when to go on', async () => {
  await using client = await pusher();
  const entries = numbered(5_200);
  const result = await client.push(entries, { wait: false });
  expect(result).toMatchObject({ created: 5_000, remaining: 200, stoppedBy: 'daily_cap', fitsNow: 0 });
  expect(result.retryAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1_000);
  const stopped = { created: 0, deduplicated: 130, remaining: 200, stoppedBy: 'daily_cap' };
  expect(
    await client.push([...entries.slice(0, 130), ...entries.slice(5_000)], { wait: false }),
  ).toMatchObject(stopped);
  expect(await client.stored()).toHaveLength(5_000);
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
