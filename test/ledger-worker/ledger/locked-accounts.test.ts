/** Writes that wait for the locks of their accounts leave a worker's calls and connections to other accounts. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, statuses } from '../../fixtures/endpoints.ts';
import { locks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnServices } from '../../fixtures/own-services.ts';
import { citus } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const REQUESTS_OF_NODE_MAX = 16;
// On a distributed database, half of the calls are for the accounts of one node.
const REQUESTS_IN_FLIGHT_MAX = citus ? 2 * REQUESTS_OF_NODE_MAX : REQUESTS_OF_NODE_MAX;
const ACCOUNT_WRITES_MAX = REQUESTS_OF_NODE_MAX / 8;
// More than the worker's connections that wait for locks. A gateway, too, keeps room for others beside so many.
const LOCKED_ACCOUNTS_MAX = 7;
const KIB = 1024;

const { gateway, worker } = await startOwnServices({
  worker: { REQUESTS_IN_FLIGHT_MAX: String(REQUESTS_IN_FLIGHT_MAX) },
});
afterEach(() => locks.release());

const get = (account: TestAccount, of: string) =>
  send(of, { url: gateway.url, headers: bearer(account.key) });
const post = (account: TestAccount, bytes = 0) =>
  send(account.transactions, {
    url: gateway.url,
    method: 'POST',
    headers: bearer(account.key),
    body: JSON.stringify(entry()).padEnd(bytes),
  });

/** Requests that the worker executes, and those that it has refused. */
async function requests() {
  const metrics = await scrape(worker.metricsAddress);
  const refused = { grpc_method: 'createEntries', grpc_code: 'RESOURCE_EXHAUSTED' };
  return {
    atNodes: metrics.value('ledger_in_flight', { kind: 'ledger_requests' }),
    refused: metrics.sum('grpc_server_handling_seconds_count', refused),
  };
}

test.each([3, LOCKED_ACCOUNTS_MAX])(
  'however many writes of %p accounts wait for locks, the requests of another account succeed',
  async (count) => {
    const [other, ...locked] = (await Promise.all(
      Array.from({ length: count + 1 }, () => TestAccount.create()),
    )) as [TestAccount, ...TestAccount[]];
    // The gateway then knows the keys, and all that it sends are writes.
    for (const account of locked) await get(account, '/api/v1/me');
    for (const { accountId } of locked) await locks.account(accountId);
    const postAll = (each: number) =>
      locked.flatMap((account) => Array.from({ length: each }, () => post(account)));
    const accepted = postAll(ACCOUNT_WRITES_MAX);
    await until('they wait', async () => (await requests()).atNodes === accepted.length);
    const before = (await requests()).refused;
    const refused = postAll(2 * REQUESTS_OF_NODE_MAX);
    await until('the worker has seen all of them', async () => {
      const { atNodes, refused: tries } = await requests();
      return atNodes + tries - before >= accepted.length + refused.length;
    });

    const others = [];
    for (const bytes of [0, 27 * KIB, 100 * KIB, 1536 * KIB]) others.push(await post(other, bytes));
    for (const of of ['/api/v1/me', '/api/v1/sources', other.transactions]) others.push(await get(other, of));
    expect(statuses(others)).toEqual({ 200: 3, 201: 4 });

    expect(statuses(await Promise.all(refused))).toEqual({ 503: refused.length });
    await locks.release();
    expect(statuses(await Promise.all(accepted))).toEqual({ 201: accepted.length });
    const again = await Promise.all(locked.map((account) => post(account)));
    expect(statuses(again)).toEqual({ 201: count });
  },
);

test('reads are not counted in the part of an account, which is of its writes: they wait for no lock of it', async () => {
  const account = await TestAccount.create();
  await get(account, '/api/v1/me');
  await locks.table('ledger.source');
  const count = 2 * ACCOUNT_WRITES_MAX;
  const reads = Array.from({ length: count }, () => get(account, '/api/v1/sources'));
  await until('all of them are executed', async () => (await requests()).atNodes === count);
  await locks.release();
  expect(statuses(await Promise.all(reads))).toEqual({ 200: count });
});
