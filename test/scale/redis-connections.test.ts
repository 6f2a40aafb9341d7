/** A Redis Cluster whose connections are dropped without a word, and one master of which hangs. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
import { many, statuses } from '../fixtures/endpoints.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { until } from '../fixtures/until.ts';
import { masterOf, startProxiedCluster } from './redis-cluster.ts';
import { command } from './redis-servers.ts';
import { type Gateways, startGateways, untilLimitsAre } from './shared-limit.ts';

setDefaultTimeout(120_000);

let cluster: Awaited<ReturnType<typeof startProxiedCluster>>;
let gateways: Gateways;

beforeAll(async () => {
  cluster = await startProxiedCluster();
  gateways = await startGateways({ REDIS_CLUSTER: cluster.seeds });
  await untilLimitsAre('shared', gateways);
});
afterAll(async () => {
  await gateways?.stop();
  await cluster?.stop();
});

const lengthOf = async (n: number, key: string) => Number(await command(cluster.master(n), 'LLEN', key));

/** An account whose windows are on the n-th master. */
async function accountAt(n: number): Promise<TestAccount> {
  for (;;) {
    const account = await TestAccount.create();
    if (masterOf(`{${account.accountId}}`) === n) return account;
  }
}

/** Resolves once the n-th master counts requests and entries of a gateway. */
const untilCounted = (n: number, url: string) =>
  until(`limits on master ${n}`, async () => {
    const account = await accountAt(n);
    expect((await account.post(entry(), { url })).status).toBe(201);
    return (
      (await lengthOf(n, minuteOf(account))) === 1 && (await lengthOf(n, dayOf(account.accountId))) === 2
    );
  });

test.each([[[1]], [[1, 2]]])(
  'connections to masters %j are dropped: the limits are shared over new ones',
  async (masters) => {
    for (const url of gateways.urls) for (const n of masters) await untilCounted(n, url);
    for (const n of masters) await cluster.proxy(n).set({ kind: 'dropped' });
    for (const url of gateways.urls) for (const n of [1, 2]) await untilCounted(n, url);
  },
);

test('a master hangs: no request of a key below the limit is refused, and none from meanwhile counts when it continues', async () => {
  const master = cluster.master(0);
  const account = await accountAt(0);
  const [url = ''] = gateways.urls;
  await untilLimitsAre('shared', gateways);
  expect(statuses(await many(10, account.key, { url }))).toEqual({ 200: 10 });
  const scripts = async () =>
    Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(String(await command(master, 'INFO', 'commandstats')))?.[1]);
  const before = await scripts();
  process.kill(master.pid, 'SIGSTOP');
  expect(statuses(await many(20, account.key, { url }))).toEqual({ 200: 20 });
  // Their deadline is later than the end of the gateway's wait, by one round trip: 85 ms at most. Nothing shows that it has passed.
  await Bun.sleep(200);
  process.kill(master.pid, 'SIGCONT');
  await until('it executes them', async () => (await scripts()) > before);
  await untilLimitsAre('shared', gateways);
  expect(await lengthOf(0, minuteOf(account))).toBe(10);
});
