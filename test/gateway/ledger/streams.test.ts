/** The gateway's streams to workers: what a message has, which worker gets a retry, and what is in flight afterwards. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import {
  ACCOUNT_ID,
  context,
  identity,
  KEY_HASH,
  openLedgerOf,
  type Respond,
  startScriptedWorker,
} from '../../fixtures/fake-ledger.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const REQUESTS_MAX = 64;
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

test('a health check of a client that has ended fails with a reason', async () => {
  const ended = openLedgerOf(worker);
  ended.close();
  const reasons: (string | undefined)[] = [];
  expect(await ended.isServing((reason) => reasons.push(reason))).toBe(false);
  expect(reasons[0]).toContain('shut down');
});
