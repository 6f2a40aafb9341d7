/** Limits on one request: time, memory, requests in flight; and what becomes of it when its client disconnects. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { connect } from 'node:net';
import { type Gateway, startGateway } from '../../../local/servers/gateway.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, failure, statuses } from '../../fixtures/endpoints.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost } from '../input/slow-post.ts';

setDefaultTimeout(30_000);

const IN_FLIGHT_MAX = 6;
const BODY_BYTES_MAX = 5 * 1024 * 1024;

let gateway: Gateway;
beforeAll(async () => {
  const { workerAddress, redisUrl } = system;
  const env = {
    REQUESTS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX),
    BODY_TIMEOUT_MS: '1500',
    BODY_BYTES_IN_FLIGHT_MAX: String(BODY_BYTES_MAX),
  };
  gateway = await startGateway({ workerAddress, redisUrl, env });
});
afterAll(() => gateway.stop());

const path = ({ sources }: TestAccount) => `/api/v1/sources/${sources['uk-property']}/transactions`;

const post = (account: TestAccount, signal?: AbortSignal) =>
  send(path(account), {
    url: gateway.url,
    method: 'POST',
    headers: bearer(account.key),
    body: JSON.stringify(entry()),
    ...(signal && { signal }),
  });

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

describe('a client that disconnects', () => {
  test('cancels its read', async () => {
    const account = await TestAccount.create();
    await send(path(account), { url: gateway.url, headers: bearer(account.key) });
    await locks.table('ledger.entry');
    const disconnect = new AbortController();
    const read = send(path(account), {
      url: gateway.url,
      headers: bearer(account.key),
      signal: disconnect.signal,
    }).catch(() => 'disconnected');
    await until('the read waits', async () => (await backendsWaiting('ledger.list_entries')).length === 1);
    disconnect.abort();
    expect(await read).toBe('disconnected');
    await until(
      'the read has ended',
      async () => (await backendsWaiting('ledger.list_entries')).length === 0,
    );
  });

  test('cancels no read of others that is in the same call', async () => {
    const account = await TestAccount.create();
    await send(path(account), { url: gateway.url, headers: bearer(account.key) });
    await locks.account(account.accountId);
    await locks.table('ledger.entry');
    const disconnect = new AbortController();
    const headers = bearer(account.key);
    const disconnected = send(path(account), { url: gateway.url, headers, signal: disconnect.signal }).catch(
      () => 'disconnected',
    );
    const write = post(account);
    await until('the read waits', async () => (await backendsWaiting('ledger.list_entries')).length === 1);
    await until('the write waits', async () => (await backendsWaiting()).length === 1);
    const begunAt = async () => (await backendsWaiting())[0]?.begun;
    const before = await begunAt();
    disconnect.abort();
    expect(await disconnected).toBe('disconnected');
    await until(
      'the read has ended',
      async () => (await backendsWaiting('ledger.list_entries')).length === 0,
    );
    expect(before).toBeDate();
    expect(await begunAt()).toEqual(before);
    await locks.release();
    expect((await write).status).toBe(201);
  });

  test('does not cancel its write once that has begun', async () => {
    const account = await TestAccount.create();
    await locks.account(account.accountId);
    const disconnect = new AbortController();
    const write = post(account, disconnect.signal).catch(() => 'disconnected');
    await until('the write waits', async () => (await backendsWaiting()).length === 1);
    disconnect.abort();
    expect(await write).toBe('disconnected');
    await locks.release();
    await until('the entry is stored', async () => (await rowsOf(account.accountId)).length === 1);
  });
});

test(`more than REQUESTS_IN_FLIGHT_MAX requests at once: 503 before anything is done, health and the others are served`, async () => {
  const account = await TestAccount.create();
  await locks.account(account.accountId);
  const begun = Array.from({ length: IN_FLIGHT_MAX }, () => post(account));
  const full = async (): Promise<ApiResponse | undefined> => {
    const response = await send('/api/v1/me', { url: gateway.url, headers: bearer(account.key) });
    return response.status === 503 ? response : undefined;
  };
  await until('it is full', async () => (await full()) !== undefined);
  const refused = await full();
  if (!refused) throw new Error('it was full a moment ago');
  expectError(refused, 'server_error', { status: 503, headers: RETRY_AFTER });
  expect(refused.body.error.message).toContain('Nothing was done');
  expect(statuses([await post(account), await post(account)])).toEqual({ 503: 2 });
  for (const health of ['/healthz', '/readyz'])
    expect((await send(health, { url: gateway.url })).status).toBe(200);

  await locks.release();
  expect(statuses(await Promise.all(begun))).toEqual({ 201: IN_FLIGHT_MAX });
  expect(await rowsOf(account.accountId)).toHaveLength(IN_FLIGHT_MAX);
  expect((await post(account)).status).toBe(201);
});

describe('a body that does not come', () => {
  test.each([
    ['of declared length', 'content-length: 100', '[{"date": '],
    ['in chunks', 'transfer-encoding: chunked', '5\r\n[{"da\r\n'],
  ])('%s is cut off with 408 request_timeout', async (_, framing, first) => {
    const account = await TestAccount.create();
    const { socket, closed } = beginPost(gateway.url, account, framing, first);
    const trickle = setInterval(() => socket.write(framing.includes('chunked') ? '1\r\n \r\n' : ' '), 200);
    const received = await closed;
    clearInterval(trickle);
    expect(received).toStartWith('HTTP/1.1 408 ');
    expect(received).toContain('"code":"request_timeout"');
    expect(received).toMatch(/connection: close/i);
    expect(await rowsOf(account.accountId)).toEqual([]);
  });
});

test('a request with two Content-Length headers is refused', async () => {
  const account = await TestAccount.create();
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  const body = JSON.stringify(entry());
  const length = `content-length: ${body.length}\r\n`;
  socket.write(
    `POST ${path(account)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n${length}${length}\r\n${body}`,
  );
  expect(await response).toStartWith('HTTP/1.1 400 ');
  socket.destroy();
  expect(await rowsOf(account.accountId)).toEqual([]);
});

test('a refused body releases its memory', async () => {
  const account = await TestAccount.create();
  for (let n = 0; n < 3; n++) {
    const response = await send(path(account), {
      url: gateway.url,
      method: 'POST',
      headers: bearer(account.key),
      body: `[${' '.repeat(BODY_BYTES_MAX - 2)}`,
    });
    expect(failure(response)).toEqual([400, 'invalid_json']);
  }
});
