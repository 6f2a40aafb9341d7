/** A Redis Cluster whose connections are dropped without a word. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
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

/** Resolves once the n-th master counts requests and entries of a gateway. */
const untilCounted = (n: number, url: string) =>
  until(`limits on master ${n}`, async () => {
    let account = await TestAccount.create();
    while (masterOf(`{${account.accountId}}`) !== n) account = await TestAccount.create();
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
