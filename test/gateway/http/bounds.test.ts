/** Limits on one request: time, memory, requests in flight; and what becomes of it when its client disconnects. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { statuses } from '../../fixtures/endpoints.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

const IN_FLIGHT_MAX = 16;
const ACCOUNT_IN_FLIGHT_MAX = IN_FLIGHT_MAX / 8;
const BODY_BYTES_MAX = 5 * 1024 * 1024;

const gateway = await startOwnGateway({
  env: {
    REQUESTS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX),
    BODY_TIMEOUT_MS: '700',
    BYTES_IN_FLIGHT_MAX: String(BODY_BYTES_MAX),
  },
});

const newAccount = () => TestAccount.create('pro', gateway.url);

const waitingReads = async () => (await backendsWaiting('ledger.list_entries')).length;

afterEach(() => locks.release());

describe('a client that disconnects', () => {
  test('cancels no read of others that is in the same call', async () => {
    const account = await newAccount();
    await account.page();
    await locks.account(account.accountId);
    await locks.table('ledger.entry');
    const disconnect = new AbortController();
    const path = account.transactions;
    const { signal } = disconnect;
    const disconnected = account.request(path, { signal }).catch(() => 'disconnected');
    const write = account.post(entry());
    await until('the read waits', async () => (await waitingReads()) === 1);
    await until('the write waits', async () => (await backendsWaiting()).length === 1);
    const begunAt = async () => (await backendsWaiting())[0]?.begun;
    const before = await begunAt();
    disconnect.abort();
    expect(await disconnected).toBe('disconnected');
    await until('the read has ended', async () => (await waitingReads()) === 0);
    expect(before).toBeDate();
    expect(await begunAt()).toEqual(before);
    await locks.release();
    expect((await write).status).toBe(201);
  });

  test('does not cancel its write once that has begun', async () => {
    const account = await newAccount();
    await locks.account(account.accountId);
    const disconnect = new AbortController();
    const write = account.post(entry(), { signal: disconnect.signal }).catch(() => 'disconnected');
    await until('the write waits', async () => (await backendsWaiting()).length === 1);
    disconnect.abort();
    expect(await write).toBe('disconnected');
    await locks.release();
    await until('the entry is stored', async () => (await rowsOf(account.accountId)).length === 1);
  });
});

/** Requests of as many accounts as it takes to reach `count`, all of which wait for a lock. */
async function waitingPosts(count: number) {
  const accounts = await Promise.all(Array.from({ length: count / ACCOUNT_IN_FLIGHT_MAX }, newAccount));
  for (const account of accounts) {
    // Lookups of unknown keys have a limit of their own.
    await account.get('/api/v1/me');
    await locks.account(account.accountId);
  }
  const posts = accounts.flatMap((account) =>
    Array.from({ length: ACCOUNT_IN_FLIGHT_MAX }, () => account.post(entry())),
  );
  return { accounts, responses: Promise.all(posts) };
}

/** Checks of keys by the worker. */
const keyChecks = async () =>
  (await scrape(gateway.metricsAddress)).sum('grpc_client_handling_seconds_count', {
    grpc_method: 'authenticate',
  });
const inFlight = async () => (await scrape(gateway.metricsAddress)).value('http_requests_in_flight');

test('more than REQUESTS_IN_FLIGHT_MAX requests at once: 503 before anything is done, health and the others are served', async () => {
  const late = await newAccount();
  const { accounts, responses } = await waitingPosts(IN_FLIGHT_MAX);
  await until('all are in flight', async () => (await inFlight()) === IN_FLIGHT_MAX);
  const refused = await late.get('/api/v1/me');
  expectError(refused, 'server_error', { status: 503, headers: RETRY_AFTER });
  expect(refused.body.error.message).toContain('Nothing was done');
  expect(statuses([await late.post(entry()), await late.post(entry())])).toEqual({ 503: 2 });
  for (const health of ['/healthz', '/readyz'])
    expect((await send(health, { url: gateway.url })).status).toBe(200);

  await locks.release();
  expect(statuses(await responses)).toEqual({ 201: IN_FLIGHT_MAX });
  for (const { accountId } of accounts) expect(await rowsOf(accountId)).toHaveLength(ACCOUNT_IN_FLIGHT_MAX);
  expect((await late.post(entry())).status).toBe(201);
});

test('one account has an eighth of the requests in flight at most: what waits for its lock keeps no other account out', async () => {
  const other = await newAccount();
  const { accounts, responses } = await waitingPosts(ACCOUNT_IN_FLIGHT_MAX);
  const [locked] = accounts as [TestAccount];
  await until('they are in flight', async () => (await inFlight()) === ACCOUNT_IN_FLIGHT_MAX);
  const before = await keyChecks();
  const refused = await Promise.all(Array.from({ length: 2 * IN_FLIGHT_MAX }, () => locked.post(entry())));
  expect(statuses(refused)).toEqual({ 503: 2 * IN_FLIGHT_MAX });
  // Unlike a refusal with a 4xx status, a 503 costs no check of the key.
  expect(await keyChecks()).toBe(before);
  expect((await other.post(entry())).status).toBe(201);
  await locks.release();
  expect(statuses(await responses)).toEqual({ 201: ACCOUNT_IN_FLIGHT_MAX });
  expect((await locked.get('/api/v1/me')).status).toBe(200);
});

test.each([
  ['of declared length', 'content-length: 100', '[{"date": '],
  ['in chunks', 'transfer-encoding: chunked', '5\r\n[{"da\r\n'],
])('a body that does not come, %s, is cut off with 408 request_timeout', async (_, framing, first) => {
  const account = await newAccount();
  const { socket, closed } = beginPost(gateway.url, account, framing, first);
  const trickle = setInterval(() => socket.write(framing.includes('chunked') ? '1\r\n \r\n' : ' '), 200);
  const received = await closed;
  clearInterval(trickle);
  expect(received).toStartWith('HTTP/1.1 408 ');
  expect(received).toContain('"code":"request_timeout"');
  expect(received).toMatch(/connection: close/i);
  expect(await rowsOf(account.accountId)).toEqual([]);
});
