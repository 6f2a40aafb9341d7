/** The gateway's calls to a worker: what a message has, when a call ends, and what is held after attempts that fail. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { Unavailable } from '../../../gateway/api/errors.ts';
import { ClientDisconnected } from '../../../gateway/http/requests-in-flight.ts';
import { createLedger } from '../../../gateway/ledger/client.ts';
import { clientSecurity } from '../../../platform/mutual-tls.ts';
import type { ExecuteRequest__Output, LedgerResponse } from '../../../proto/contract.ts';
import { type ExecuteCall, startFakeWorker } from '../../fixtures/fake-worker.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const REQUESTS_MAX = 64;
const keyHash = Buffer.alloc(32, 1);
const accountId = Bun.randomUUIDv7();
const caller = { keyHash, accountId };

/** The messages that the worker has received, and its calls that have ended. */
let received: ExecuteRequest__Output[] = [];
let open = 0;
/** The worker's response to a request; undefined: none. */
let respond: (index: number) => LedgerResponse | undefined = identity;

function identity(index: number): LedgerResponse {
  return { index, authenticate: { identity: { accountId, plan: 'pro' } } };
}

const worker = await startFakeWorker((call: ExecuteCall) => {
  let index = 0;
  open++;
  call.on('cancelled', () => open--);
  call.on('data', (message: ExecuteRequest__Output) => {
    received.push(message);
    const responses = message.requests.flatMap(() => respond(index++) ?? []);
    if (responses.length > 0) call.write({ responses });
  });
  call.on('end', () => call.end());
});
const ledger = createLedger({
  address: worker.address,
  security: clientSecurity(worker.address, undefined),
  onRefused: () => {},
  observer: { rpcFinished: () => {} },
  retryingMax: 1,
});
afterEach(async () => {
  await until('nothing is held', () => Object.values(ledger.held).every((count) => count() === 0));
  // The gateway forgets a call that it cancels before the worker learns of it.
  await until('the worker has no calls', () => open === 0);
  [received, respond] = [[], identity];
});
afterAll(() => {
  ledger.close();
  worker.stop();
});

/** @param ms until the deadline */
const context = (ms: number, signal = new AbortController().signal) => ({
  deadline: Date.now() + ms,
  signal,
});
const requests = () => received.flatMap((message) => message.requests);

test('a message has at most 64 requests, however many are sent at once', async () => {
  const sending = Array.from({ length: 1_000 }, () => ledger.authenticate(keyHash, context(5_000)));
  for (const { accountId: returned } of await Promise.all(sending)) expect(returned).toBe(accountId);
  const sizes = received.map((message) => message.requests.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000);
  expect(Math.max(...sizes)).toBe(REQUESTS_MAX);
});

test('a request that is cancelled before it is sent is not sent', async () => {
  const disconnect = new AbortController();
  const cancelled = ledger.listSources(caller, context(5_000, disconnect.signal));
  const other = ledger.authenticate(keyHash, context(5_000));
  disconnect.abort();
  expect(await cancelled.catch((error) => error)).toBeInstanceOf(ClientDisconnected);
  await other;
  expect(requests().map(({ method }) => method)).toEqual(['authenticate']);
});

test('a call whose requests have all been cancelled ends, even if the worker never responds', async () => {
  respond = () => undefined;
  const disconnect = new AbortController();
  const read = ledger.listSources(caller, context(5_000, disconnect.signal)).catch((error) => error);
  await until('it is sent', () => requests().length === 1);
  // Longer than a call takes new requests.
  await Bun.sleep(150);
  expect(open).toBe(1);
  disconnect.abort();
  expect(await read).toBeInstanceOf(ClientDisconnected);
  // Long before the deadline of the call.
  await until('the call has ended', () => open === 0, 3_000);
});

test('requests that have failed take no place among those that try again', async () => {
  respond = (index) => ({ index, failure: { code: status.UNAVAILABLE, details: 'no database' } });
  // Each tries again until its deadline, after its quick attempts, as the only one: retryingMax is 1.
  for (let n = 0; n < 3; n++) {
    const error = await ledger.authenticate(keyHash, context(1_500)).catch((error) => error);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toBe('no worker responded in time');
  }
});
