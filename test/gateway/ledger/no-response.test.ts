/** Requests that failed with 503 are not executed later (docs/api/errors.md). */
import { afterAll, afterEach, expect, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, failure } from '../../fixtures/endpoints.ts';
import { backendsAtWork, openLocks } from '../../fixtures/locks.ts';
import { startOwnServices } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';

// Fewer connections than writes below, so that some of them wait for one.
const POOL = 2;

const { worker, gateway } = await startOwnServices({
  worker: { DATABASE_POOL_MAX: String(POOL) },
  gateway: { REQUEST_TIMEOUT_MS: '1500' },
});

const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

const write = ({ key, sources }: TestAccount) =>
  send(`/api/v1/sources/${sources['uk-property']}/transactions`, {
    url: gateway.url,
    method: 'POST',
    headers: bearer(key),
    body: JSON.stringify(entry()),
  });

test('a write that got 503 is not stored later, whether it had begun or still waited', async () => {
  const account = await TestAccount.create();
  await locks.account(account.accountId);
  const responses = await Promise.all(Array.from({ length: 3 * POOL }, () => write(account)));
  for (const response of responses) expect(failure(response)).toEqual([503, 'server_error']);
  await locks.release();
  await until('the statements have ended', async () => (await backendsAtWork()).length === 0);
  expect((await write(account)).status).toBe(201);
  expect(await rowsOf(account.accountId)).toHaveLength(1);
}, 20_000);

test('a write that got 503 while its worker was suspended is not stored when the worker resumes', async () => {
  const account = await TestAccount.create();
  expect((await write(account)).status).toBe(201);
  process.kill(worker.pid, 'SIGSTOP');
  try {
    expect(failure(await write(account))).toEqual([503, 'server_error']);
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  await until('the worker serves again', async () => (await write(account)).status === 201);
  await until('the statements have ended', async () => (await backendsAtWork()).length === 0);
  // One before the halt, one after it.
  expect(await rowsOf(account.accountId)).toHaveLength(2);
}, 20_000);

test('a refusal does not wait for a suspended worker', async () => {
  const { key, sources } = await TestAccount.create();
  const path = `/api/v1/sources/${sources['uk-property']}/transactions`;
  // Far longer than a refusal takes, far shorter than the worker's deadline.
  const get = (query: string) =>
    send(path + query, { url: gateway.url, headers: bearer(key), signal: AbortSignal.timeout(5_000) });
  expect((await get('')).status).toBe(200);
  process.kill(worker.pid, 'SIGSTOP');
  try {
    expect(failure(await get('?limit=0'))).toEqual([422, 'invalid_query']);
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  await until('the worker serves again', async () => (await get('')).status === 200);
}, 20_000);

test('writes of an account that cannot go on do not keep another account waiting', async () => {
  const [stuck, other] = [await TestAccount.create(), await TestAccount.create()];
  await locks.account(stuck.accountId);
  const waiting = Array.from({ length: 3 * POOL }, () => write(stuck));
  await until('one of them waits for the lock', async () => (await backendsAtWork()).length > 0);
  const response = await write(other);
  expect(response.status).toBe(201);
  expect(await rowsOf(stuck.accountId)).toEqual([]);
  await locks.release();
  await Promise.all(waiting);
}, 20_000);
