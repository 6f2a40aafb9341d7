/** The RPC Execute, by the worker's contract: many requests in one stream, each handled as if it were the only one. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { type LedgerResponse__Output, MESSAGE_BYTES_MAX } from '../../../proto/contract.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { entriesJson, newEntry, openLedger, propertyOf, writeOf } from '../../fixtures/ledger.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterEach(() => locks.release());
afterAll(() => ledger.close());

const account = await TestAccount.create();
const { caller, sourceId } = propertyOf(account);
const { keyHash } = caller;

const send = sendRequests.bind(undefined, ledger);

const inOrder = (responses: LedgerResponse__Output[]) =>
  responses.toSorted((one, other) => one.index - other.index);

test('each request gets the response that it would get alone, failures included', async () => {
  const entries = [newEntry()];
  // Of another account: the contract does not say whether the list is read before or after a write in the same stream.
  const writer = await TestAccount.create();
  const before = await ledger.listSources({ caller });
  const responses = inOrder(
    await send([
      { authenticate: { keyHash } },
      { listSources: { caller } },
      writeOf(writer, entries),
      { listEntries: { caller, sourceId, limit: 0 } },
      { authenticate: { keyHash: Buffer.alloc(32) } },
      {},
      { createEntries: { sourceId, entriesJson: entriesJson(entries) } },
      { listEntries: { caller, sourceId: Bun.randomUUIDv7(), limit: 1 } },
    ]),
  );
  expect(responses.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const [identity, sources, created, limit, unknownKey, unknown, noCaller, unknownSource] = responses;
  expect(identity?.authenticate?.identity).toEqual({
    accountId: account.accountId,
    plan: 'pro',
    readOnly: false,
  });
  expect(sources?.listSources).toEqual(before);
  expect(created?.createEntries?.created?.newEntries).toBe(1);
  expect(limit?.failure?.code).toBe(status.INVALID_ARGUMENT);
  expect(unknownKey?.authenticate?.refused).toBe('REFUSAL_INVALID_KEY');
  expect(unknown?.failure?.code).toBe(status.UNIMPLEMENTED);
  expect(noCaller?.failure).toEqual({ code: status.INVALID_ARGUMENT, details: 'caller is missing' });
  expect(unknownSource?.listEntries?.sourceNotFound).toEqual({});
  expect((await rowsOf(writer.accountId)).map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
});

test('pages that are too large for one message together come in messages of their own', async () => {
  const large = await TestAccount.create();
  // Six bytes of JSON for each character.
  const text = (n: number, length: number) => String(n).padStart(length, '\u0001');
  const entries = Array.from({ length: 200 }, (_, n) => ({
    ...newEntry(),
    description: text(n, 500),
    externalRef: text(n, 180),
  }));
  const { created } = await ledger.createEntries({ ...propertyOf(large), entries });
  expect(created?.newEntries).toBe(200);
  const request = { listEntries: { ...propertyOf(large), limit: 200 } };
  const messages: number[][] = [];
  await send(Array(16).fill(request), {
    onResponses: (responses) =>
      messages.push(responses.map(({ listEntries }) => listEntries?.page?.entriesJson.length ?? 0)),
  });
  const sizes = messages.flat();
  expect(sizes).toHaveLength(16);
  expect(16 * Math.min(...sizes)).toBeGreaterThan(MESSAGE_BYTES_MAX);
  expect(messages.every((pages) => pages.length === 1)).toBe(true);
});

async function lockedWrite() {
  const held = await TestAccount.create();
  await locks.account(held.accountId);
  return { held, write: writeOf(held) };
}

test('a response does not wait for the other responses of its stream', async () => {
  const { write } = await lockedWrite();
  const first = Promise.withResolvers<LedgerResponse__Output>();
  const all = send([write, { authenticate: { keyHash } }], {
    onResponses: ([response]) => response && first.resolve(response),
  });
  expect((await first.promise).index).toBe(1);
  await until('the other waits', async () => (await backendsWaiting()).length === 1);
  await locks.release();
  expect((await all).map(({ index }) => index)).toEqual([1, 0]);
});

test('a request past its deadline is a failure, and nothing is created', async () => {
  const { held, write } = await lockedWrite();
  const responses = inOrder(await send([{ ...write, timeoutMs: 300 }, { authenticate: { keyHash } }]));
  expect(responses.map(({ failure }) => failure?.code)).toEqual([status.CANCELLED, undefined]);
  await until('its statement is cancelled', async () => (await backendsWaiting()).length === 0);
  await locks.release();
  expect(await rowsOf(held.accountId)).toEqual([]);
});

test.each([2 ** 31, 2 ** 32 - 1])('a request with a timeout of %i ms waits, too', async (timeoutMs) => {
  const { write } = await lockedWrite();
  const responses = send([{ ...write, timeoutMs }]);
  const isDone = responses.then(() => true);
  const waits = async () => (await backendsWaiting()).length === 1;
  await until('it waits', async () => (await waits()) || Promise.race([isDone, false]));
  await locks.release();
  expect((await responses).map(({ createEntries }) => createEntries?.created?.newEntries)).toEqual([1]);
});

test('a cancelled request waits no more, and the others continue', async () => {
  await locks.table('ledger.source');
  const responses = await send([{ listSources: { caller } }], {
    async onStream(stream) {
      await until('it waits', async () => (await backendsWaiting('ledger.list_sources')).length > 0);
      stream.write({ cancelled: [0, 7] });
      await until(
        'no backend waits',
        async () => (await backendsWaiting('ledger.list_sources')).length === 0,
      );
      await locks.release();
      stream.end({ requests: [{ authenticate: { keyHash }, timeoutMs: 10_000 }] });
    },
  });
  expect(responses.map(({ failure }) => failure?.code)).toEqual([status.CANCELLED, undefined]);
});

test('a cancelled stream cancels its requests', async () => {
  await locks.table('ledger.source');
  const waiting = async () => (await backendsWaiting('ledger.list_sources')).length;
  const code = send(Array(3).fill({ listSources: { caller } }), {
    async onStream(stream) {
      await until('they wait', async () => (await waiting()) > 0);
      stream.cancel();
    },
  }).catch(({ code }) => code);
  expect<unknown>(await code).toBe(status.CANCELLED);
  await until('no backend waits', async () => (await waiting()) === 0);
});
