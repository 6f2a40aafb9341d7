/** Responses that clients do not read: they are bounded, and keep no one with a key out. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { mintApiKey } from '../../../ledger-worker/admin/keys.ts';
import { batch, rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, failure, statuses } from '../../fixtures/endpoints.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { startFakeWorker } from '../../fixtures/fake-worker.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { expectNoLeaks } from '../../fixtures/no-leaks.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

// As many as the responses that two accounts leave unread below.
const IN_FLIGHT_MAX = 8;
const MIB = 1024 * 1024;
const BYTES_MAX = 8.5 * MIB;
const SCRIPT = '/api/v1/docs/scalar.js';
// The kernel takes a few megabytes of each connection.
const REQUESTS_PER_CONNECTION = 40;

const env = {
  REQUESTS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX),
  // An account gets 5 MiB of it.
  BYTES_IN_FLIGHT_MAX: String(BYTES_MAX),
};
const gateway = await startOwnGateway({ env });
const newAccount = () => TestAccount.create('pro', gateway.url);

let sockets: Socket[] = [];

/** Closes the connections. Afterwards the gateway must hold nothing. */
async function disconnect(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await expectNoLeaks(gateway);
}
afterEach(disconnect);

/**
 * Sends requests on one connection, one after the other, until the kernel takes no more of the responses and the gateway holds one more.
 * Reads nothing.
 */
async function leaveUnread(request: string): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  sockets.push(socket);
  const state = async () => {
    const metrics = await scrape(gateway.metricsAddress);
    const unread = metrics.value('ledger_in_flight', { kind: 'unread_responses' });
    return { finished: metrics.sum('http_request_duration_seconds_count'), unread };
  };
  const before = await state();
  for (let n = 0, now = before; n < REQUESTS_PER_CONNECTION; n++) {
    const { finished } = now;
    socket.write(request);
    await until('it has a response', async () => {
      now = await state();
      return now.finished > finished;
    });
    if (now.unread > before.unread) return;
  }
  throw new Error('the kernel takes all responses');
}

const inFlight = async (kind: string) =>
  (await scrape(gateway.metricsAddress)).value('ledger_in_flight', { kind });
const me = (account: TestAccount) => account.get('/api/v1/me');
/** As it is: compressed, such a page is small. */
const page = (account: TestAccount) =>
  account.request(`${account.transactions}?limit=200`, { headers: { 'accept-encoding': 'identity' } });
const getPage = (account: TestAccount) =>
  `GET ${account.transactions}?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n\r\n`;

/** An account whose page of 200 entries has 0.9 MB, as much as a page can have. */
async function accountWithLargePage(): Promise<TestAccount> {
  const account = await newAccount();
  const entries = Array.from({ length: 200 }, (_, n) =>
    entry({ description: '\u0001'.repeat(500), externalRef: `${n}`.padStart(180, '\u0002') }),
  );
  expect((await account.post(entries)).status).toBe(201);
  return account;
}

test('an account that does not read its pages gets no more of them, others do, and nothing stays behind', async () => {
  const [account, other] = [await accountWithLargePage(), await accountWithLargePage()];
  for (let n = 0; n < 6; n++) await leaveUnread(getPage(account));
  expect(await inFlight('unread_bytes')).toBeGreaterThan(4 * MIB);
  expect(await inFlight('unread_accounts')).toBe(1);
  expectError(await page(account), 'server_error', { status: 503, headers: RETRY_AFTER });
  expect((await page(other)).body.transactions).toHaveLength(200);
  // Requests in flight are another count.
  expect((await me(account)).status).toBe(200);
  await disconnect();
  expect((await page(account)).status).toBe(200);
});

test('a compressed page counts with the bytes that are sent', async () => {
  const account = await newAccount();
  const letters = () =>
    Array.from({ length: 500 }, () => String.fromCharCode(0x4e00 + Math.random() * 20_000));
  const entries = () => Array.from({ length: 500 }, () => entry({ description: letters().join('') }));
  for (let n = 0; n < 3; n++) expect((await account.post(entries())).status).toBe(201);
  const headers = { ...bearer(account.key), 'accept-encoding': 'gzip' };
  const url = `${gateway.url}${account.transactions}?limit=200`;
  const sent = await (await fetch(url, { headers, decompress: false } as RequestInit)).arrayBuffer();
  expect(sent.byteLength).toBeWithin(100_000, 300_000);
  await leaveUnread(getPage(account).replace('\r\n\r\n', '\r\naccept-encoding: gzip\r\n\r\n'));
  expect(await inFlight('unread_bytes')).toBe(sent.byteLength);
  await disconnect();
});

/** Known entries with another amount, in 0.6 MB: the result repeats each reference as a conflict, and has 1.3 MB. */
const KNOWN = Array.from({ length: 500 }, (_, n) => entry({ externalRef: `${n}`.padStart(180, '\u0003') }));
const CHANGED = KNOWN.map((each) => ({ ...each, amountPence: 1 }));

/** The request of such a write. Its entries are known from now on. */
async function knownWrite(account: TestAccount): Promise<string> {
  expect((await account.post(KNOWN)).body.created).toBe(500);
  const head = `POST ${account.transactions} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n`;
  const body = JSON.stringify(CHANGED);
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

test('a write whose account has left too much unread is refused before it is done; small requests of others never are', async () => {
  const [account, second] = [await newAccount(), await newAccount()];
  const other = await accountWithLargePage();
  const write = await knownWrite(account);
  // The last is more than the account has left: the result is sent all the same.
  for (let n = 0; n < 5; n++) await leaveUnread(write);
  expect(await inFlight('unread_bytes')).toBeGreaterThan(5 * MIB);
  const before = (await account.get('/api/v1/sources')).body;
  const unknown = Array.from({ length: 100 }, () => entry());
  for (const entries of [unknown, KNOWN])
    expectError(await account.post(entries), 'server_error', { status: 503, headers: RETRY_AFTER });
  expect((await account.get('/api/v1/sources')).body).toEqual(before);
  expect((await account.post(entry())).status).toBe(201);

  const secondWrite = await knownWrite(second);
  for (let n = 0; n < 3; n++) await leaveUnread(secondWrite);
  expect(await inFlight('unread_bytes')).toBeGreaterThan(BYTES_MAX);
  expectError(await page(other), 'server_error', { status: 503, headers: RETRY_AFTER });
  const small = [await other.get('/api/v1/sources'), await other.page({ limit: 1 }), await me(other)];
  expect(statuses(small)).toEqual({ 200: 3 });
  expect((await other.post(entry())).status).toBe(201);
  await disconnect();
  expect((await page(other)).status).toBe(200);
  expect((await account.post(unknown)).status).toBe(201);
});

test('strangers who do not read keep out neither a caller with a key nor, once they are gone, anybody', async () => {
  const account = await newAccount();
  expect((await me(account)).status).toBe(200);
  for (let n = 0; n < IN_FLIGHT_MAX / 2; n++) await leaveUnread(`GET ${SCRIPT} HTTP/1.1\r\nhost: x\r\n\r\n`);
  const late = await send(SCRIPT, { url: gateway.url });
  expect(failure(late)).toEqual([503, 'server_error']);
  expect(late.headers.get('connection')).toBe('close');
  expect((await me(account)).status).toBe(200);
  for (const health of ['/healthz', '/readyz'])
    expect((await send(health, { url: gateway.url })).status).toBe(200);
  await disconnect();
  expect((await send(SCRIPT, { url: gateway.url })).status).toBe(200);
});

test('a write whose client has left while it waits is no unread response, and counts as none less', async () => {
  const account = await newAccount();
  await locks.account(account.accountId);
  const body = JSON.stringify(entry());
  const { socket, closed } = beginPost(gateway.url, account, `content-length: ${body.length}`, body);
  await until('the write waits', async () => (await backendsWaiting()).length === 1);
  socket.end();
  // The gateway closes its side when it has noticed.
  await closed;
  const metrics = await scrape(gateway.metricsAddress);
  await locks.release();
  expect([
    metrics.value('http_requests_in_flight'),
    metrics.value('ledger_in_flight', { kind: 'unread_responses' }),
  ]).toEqual([1, 0]);
});

test('the large response to a write whose client has left meanwhile is no unread byte', async () => {
  const account = await newAccount();
  await locks.account(account.accountId);
  const body = JSON.stringify(batch('left', 500));
  const { socket, closed } = beginPost(gateway.url, account, `content-length: ${body.length}`, body);
  await until('the write waits', async () => (await backendsWaiting()).length === 1);
  socket.end();
  await closed;
  await locks.release();
  const metrics = () => scrape(gateway.metricsAddress);
  await until('the write is done', async () => (await metrics()).value('http_requests_in_flight') === 0);
  const left = await metrics();
  for (const kind of ['unread_bytes', 'unread_accounts'])
    expect([kind, left.value('ledger_in_flight', { kind })]).toEqual([kind, 0]);
  expect(await rowsOf(account.accountId)).toHaveLength(500);
});

test('made-up keys take a quarter of the requests in flight at most', async () => {
  const account = await newAccount();
  // Knows the account's key, and never responds to another one.
  const worker = await startFakeWorker((call) => {
    let received = 0;
    call.on('data', ({ requests }) => {
      for (const { authenticate } of requests) {
        const index = received++;
        const isKnown = authenticate?.keyHash.equals(
          new Bun.CryptoHasher('sha256').update(account.key).digest(),
        );
        if (!isKnown) continue;
        const identity = { accountId: account.accountId, plan: 'pro' };
        call.write({ responses: [{ index, authenticate: { identity } }] });
      }
    });
  });
  const beside = await startOwnGateway({ workerAddress: worker.address, env });
  const inFlight = async () =>
    (await scrape(beside.metricsAddress)).value('ledger_in_flight', { kind: 'key_lookups' });
  const ownMe = () => account.request('/api/v1/me', { url: beside.url });
  expect((await ownMe()).status).toBe(200);
  const leave = new AbortController();
  const madeUp = Array.from({ length: 2 * IN_FLIGHT_MAX }, () =>
    send('/api/v1/me', { url: beside.url, headers: bearer(mintApiKey('ledger')), signal: leave.signal }).then(
      ({ status }) => status,
      () => 'has left',
    ),
  );
  await until('all lookups are taken', async () => (await inFlight()) === IN_FLIGHT_MAX / 4);
  expect((await ownMe()).status).toBe(200);
  await until(
    'the others are refused',
    async () => (await scrape(beside.metricsAddress)).value('http_requests_in_flight') === IN_FLIGHT_MAX / 4,
  );
  leave.abort();
  const outcomes = Object.groupBy(await Promise.all(madeUp), String);
  expect(outcomes).toEqual({ 503: Array(14).fill(503), 'has left': Array(2).fill('has left') });
  worker.stop();
});
