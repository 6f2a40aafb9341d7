/** The gateway's streams to workers: what a message has, when a stream ends, which worker gets a retry, and what is in flight afterwards. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { Unavailable } from '../../../gateway/api/errors.ts';
import { ClientDisconnected } from '../../../gateway/http/request-context.ts';
import {
  ACCOUNT_ID,
  context,
  identity,
  KEY_HASH,
  openLedgerOf,
  type Respond,
  startScriptedWorker,
} from '../../fixtures/fake-ledger.ts';
import { startFakeWorker } from '../../fixtures/fake-worker.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const REQUESTS_MAX = 64;
const caller = { keyHash: KEY_HASH, accountId: ACCOUNT_ID };
const fail: Respond = (index) => ({ index, failure: { code: status.UNAVAILABLE, details: 'no database' } });

const [worker, other] = [await startScriptedWorker(identity), await startScriptedWorker(identity)];
const ledger = openLedgerOf(worker);
const both = openLedgerOf(worker, other);

/** Resolves when no stream is open: the gateway forgets one that it cancels before the worker learns of it. */
const streamsEnded = () => until('the streams have ended', () => worker.open + other.open === 0);

afterEach(async () => {
  await until('nothing is in flight', () => Object.values(ledger.inFlight).every((count) => count() === 0));
  await streamsEnded();
  [worker.received, worker.respond] = [[], identity];
});

test('a message has at most 64 requests, however many are sent at once', async () => {
  const sending = Array.from({ length: 1_000 }, () => ledger.authenticate(KEY_HASH, context(30_000)));
  for (const { accountId } of await Promise.all(sending)) expect(accountId).toBe(ACCOUNT_ID);
  const sizes = worker.received.map((message) => message.requests.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000);
  expect(Math.max(...sizes)).toBe(REQUESTS_MAX);
});

test('a request that is cancelled before it is sent is not sent', async () => {
  const disconnect = new AbortController();
  const cancelled = ledger.listSources(caller, context(30_000, disconnect.signal));
  const sent = ledger.authenticate(KEY_HASH, context(30_000));
  disconnect.abort();
  expect(await cancelled.catch((error) => error)).toBeInstanceOf(ClientDisconnected);
  await sent;
  expect(worker.requests().map(({ method }) => method)).toEqual(['authenticate']);
});

test('a stream whose requests have all been cancelled ends, even if the worker never responds', async () => {
  worker.respond = () => undefined;
  const disconnect = new AbortController();
  const read = ledger.listSources(caller, context(30_000, disconnect.signal)).catch((error) => error);
  await until('it is sent', () => worker.requests().length === 1);
  // Longer than a stream takes new requests. If it were shorter, the stream would end in another way, without a failure here.
  await Bun.sleep(150);
  expect(worker.open).toBe(1);
  disconnect.abort();
  expect(await read).toBeInstanceOf(ClientDisconnected);
  // Long before the deadline of the stream.
  await until('the stream has ended', () => worker.open === 0, 3_000);
});

test('requests that have failed take no place among those that try again', async () => {
  worker.respond = fail;
  // Each tries again until its deadline, after its quick attempts, as the only one: its quota is 1.
  for (let n = 0; n < 3; n++) {
    const error = await ledger.authenticate(KEY_HASH, context(1_000)).catch((error) => error);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toBe('no worker responded in time');
  }
});

test('a worker that fails a request gets it once, and another one the next attempt, whatever readiness probes there are', async () => {
  const authenticate = async () => {
    expect((await both.authenticate(KEY_HASH, context(30_000))).accountId).toBe(ACCOUNT_ID);
    // The next request is in a stream of its own.
    await streamsEnded();
  };
  await until('both are connected', async () => {
    await authenticate();
    return worker.received.length > 0 && other.received.length > 0;
  });
  worker.respond = fail;
  worker.received = [];
  const requests = 6;
  for (let n = 0; n < requests; n++) {
    await authenticate();
    expect(await both.isServing()).toBe(true);
  }
  // Workers take turns, and each request needs both. The first may have begun at the other one.
  expect(worker.requests().length).toBeWithin(requests - 1, requests + 1);
});

test('after a stream has failed, the next attempt is on another one', async () => {
  let isFailing = true;
  const { address, stop } = await startFakeWorker((stream) => {
    const fails = isFailing;
    isFailing = false;
    stream.on('data', () => {
      if (fails) stream.emit('error', { code: status.UNAVAILABLE, details: 'the connection was lost' });
      else stream.write({ responses: [identity(0) ?? {}] });
    });
    stream.on('end', () => stream.end());
  });
  afterAll(stop);
  const { authenticate, inFlight } = openLedgerOf({ address });
  // More than once: a stream that fails after it has ceased to take requests shows nothing, as the first one while it connects.
  for (let n = 0; n < 5; n++) {
    isFailing = true;
    // The time of one attempt.
    expect((await authenticate(KEY_HASH, context(5_000))).accountId).toBe(ACCOUNT_ID);
    expect(isFailing).toBe(false);
    await until('the streams have ended', () => inFlight.streams?.() === 0);
  }
});

test('a health check of a client that has ended fails with a reason', async () => {
  const ended = openLedgerOf(worker);
  ended.close();
  const reasons: (string | undefined)[] = [];
  expect(await ended.isServing((reason) => reasons.push(reason))).toBe(false);
  expect(reasons[0]).toContain('shut down');
});
