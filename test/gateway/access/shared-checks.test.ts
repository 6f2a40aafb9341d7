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

const { gateway } = await startOwnServices();
const locks = openLocks();
afterEach(() => locks.release());
afterAll(() => locks.close());

const ONE_SERVER = leftOut(
  'a key is looked up elsewhere, in time that is bounded, before its account is read',
);

const inFlight = async () => (await scrape(gateway.metricsAddress)).sum('http_requests_in_flight');

/**
 * Sends a request whose check of the key is held up after it has begun, changes the account, and sends the same request again.
 * @returns the status of the second one
 */
async function afterChange(request: () => Promise<number>, change: () => Promise<unknown>): Promise<number> {
  await locks.table('ledger.account_of_key');
  const first = request();
  await until('the check waits', async () => (await backendsWaiting('ledger.authenticate')).length === 1);
  await change();
  const second = request();
  await until('the gateway has both requests', async () => (await inFlight()) === 2);
  await locks.release();
  await first;
  return second;
}

test.skipIf(ONE_SERVER)(
  'a key of a restored account is known to a request that begins while an earlier one is looked up',
  async () => {
    const { accountId, key } = await TestAccount.create();
    await admin.deleteAccount({ accountId });
    const me = async () => (await send('/api/v1/me', { url: gateway.url, headers: bearer(key) })).status;
    expect(await afterChange(me, () => admin.restoreAccount({ accountId }))).toBe(200);
  },
);

test.skipIf(ONE_SERVER)(
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
