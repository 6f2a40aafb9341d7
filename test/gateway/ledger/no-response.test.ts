/** Requests that failed with 503 are not executed later (docs/api/errors.md). */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { setWritesInRedis, use, writesInDatabase } from '../../fixtures/day.ts';
import { failure } from '../../fixtures/endpoints.ts';
import { backendsAtWork, locks } from '../../fixtures/locks.ts';
import { startOwnServices } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

// Fewer connections than writes below, so that some of them wait for one.
const POOL = 2;

const { worker, gateway } = await startOwnServices({
  worker: { DATABASE_POOL_MAX: String(POOL) },
  gateway: { REQUEST_TIMEOUT_MS: '1500' },
});

afterEach(() => locks.release());

const newAccount = () => TestAccount.create('pro', gateway.url);

test('a write that got 503 is not stored later, whether it had begun or still waited', async () => {
  const account = await newAccount();
  await locks.account(account.accountId);
  const responses = await Promise.all(Array.from({ length: 3 * POOL }, () => account.post(entry())));
  for (const response of responses) expect(failure(response)).toEqual([503, 'server_error']);
  await locks.release();
  await until('the statements have ended', async () => (await backendsAtWork()).length === 0);
  expect((await account.post(entry())).status).toBe(201);
  expect(await rowsOf(account.accountId)).toHaveLength(1);
});

test('a write that got 503 while its worker was suspended is not stored when the worker resumes', async () => {
  const account = await newAccount();
  expect((await account.post(entry())).status).toBe(201);
  process.kill(worker.pid, 'SIGSTOP');
  try {
    expect(failure(await account.post(entry()))).toEqual([503, 'server_error']);
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  await until('the worker serves again', async () => (await account.post(entry())).status === 201);
  await until('the statements have ended', async () => (await backendsAtWork()).length === 0);
  // One before the halt, one after it.
  expect(await rowsOf(account.accountId)).toHaveLength(2);
});

test('a refusal does not wait for a suspended worker', async () => {
  const account = await newAccount();
  await use(account, 5_000);
  await setWritesInRedis(account.accountId, await writesInDatabase(account.accountId));
  expect((await account.page()).status).toBe(200);
  process.kill(worker.pid, 'SIGSTOP');
  try {
    expect(failure(await account.page({ limit: 0 }))).toEqual([422, 'invalid_query']);
    expect(failure(await account.post(entry()))).toEqual([429, 'daily_cap']);
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  await until('the worker serves again', async () => (await account.page()).status === 200);
});

test('writes of an account that cannot go on do not keep another account waiting', async () => {
  const [stuck, other] = [await newAccount(), await newAccount()];
  await locks.account(stuck.accountId);
  const waiting = Array.from({ length: 3 * POOL }, () => stuck.post(entry()));
  await until('one of them waits for the lock', async () => (await backendsAtWork()).length > 0);
  const response = await other.post(entry());
  expect(response.status).toBe(201);
  expect(await rowsOf(stuck.accountId)).toEqual([]);
  await locks.release();
  await Promise.all(waiting);
});
