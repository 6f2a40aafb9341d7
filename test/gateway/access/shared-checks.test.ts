/** Requests share the lookup of their key, but none gets an answer from before it began (specification: Authentication). */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { send, TestAccount } from '../../fixtures/client.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { backendsWaiting, openLocks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnServices } from '../../fixtures/own-services.ts';
import { admin, leftOut } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(30_000);

const { gateway, worker } = await startOwnServices({ worker: { DATABASE_POOL_MAX: '1' } });
const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

const ONE_POSTGRES = leftOut(
  'each node has connections of its own, and a write of one account holds up no check at another node',
);

const waiting = async () => (await scrape(worker.metricsAddress)).sum('ledger_database_statements_waiting');
const inFlight = async () => (await scrape(gateway.metricsAddress)).sum('http_requests_in_flight');

/**
 * Sends a request whose check of the key is held up after it has begun, changes the account, and sends the same request again. A write
 * that waits for its lock holds the worker's only connection meanwhile.
 * @returns the status of the second one
 */
async function afterChange(request: () => Promise<number>, change: () => Promise<unknown>): Promise<number> {
  const other = await TestAccount.create();
  await locks.account(other.accountId);
  const writing = other.post({ date: '2026-04-06', type: 'income', amountPence: 1 }, { url: gateway.url });
  await until('the write waits', async () => (await backendsWaiting()).length === 1);
  const first = request();
  await until('the check waits', async () => (await waiting()) === 1);
  await change();
  const second = request();
  await until('the gateway has all three', async () => (await inFlight()) === 3);
  await locks.release();
  await Promise.all([writing, first]);
  return second;
}

test.skipIf(ONE_POSTGRES)(
  'a key of a restored account is known to a request that begins while an earlier one is looked up',
  async () => {
    const { accountId, key } = await TestAccount.create();
    await admin.deleteAccount({ accountId });
    const me = async () => (await send('/api/v1/me', { url: gateway.url, headers: bearer(key) })).status;
    expect(await afterChange(me, () => admin.restoreAccount({ accountId }))).toBe(200);
  },
);

test.skipIf(ONE_POSTGRES)(
  'a request without access gets 401, whatever else is wrong, while an earlier one is checked',
  async () => {
    const { accountId, key, sources } = await TestAccount.create();
    const empty = async () => {
      const path = `/api/v1/sources/${sources['uk-property']}/transactions`;
      const headers = { ...bearer(key), 'content-type': 'application/json' };
      return (await send(path, { url: gateway.url, method: 'POST', headers, body: '[]' })).status;
    };
    expect(await empty()).toBe(422);
    expect(await afterChange(empty, () => admin.deleteAccount({ accountId }))).toBe(401);
  },
);
