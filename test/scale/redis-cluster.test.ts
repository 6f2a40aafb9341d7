/** The rate limit in a Redis Cluster of three masters (docs/api/limits.md): with a replica each, and behind proxies. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
import { many, statuses } from '../fixtures/endpoints.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { until } from '../fixtures/until.ts';
import { type Cluster, MASTERS, masterOf, startProxiedCluster, startRedisCluster } from './redis-cluster.ts';
import { command } from './redis-servers.ts';
import {
  beginLoad,
  EXACT_LIMIT,
  expectExactLimit,
  expectSuccess,
  type Gateways,
  newKey,
  sendBurst,
  startGateways,
  untilLimitsAre,
} from './shared-limit.ts';

setDefaultTimeout(120_000);

/** An account whose windows are on the n-th master. */
async function accountAt(n: number): Promise<TestAccount> {
  for (;;) {
    const account = await TestAccount.create();
    if (masterOf(`{${account.accountId}}`) === n) return account;
  }
}

const keyAt = async (n: number) => (await accountAt(n)).key;

describe('with replicas:', () => {
  let cluster: Cluster;
  let gateways: Gateways;
  let url: string;

  beforeAll(async () => {
    cluster = await startRedisCluster();
    gateways = await startGateways({ REDIS_CLUSTER: cluster.seeds });
    url = gateways.urls[0] ?? '';
  });
  afterAll(async () => {
    await gateways?.stop();
    await cluster?.stop();
  });

  test('two gateways enforce one exact limit per key, on every master', async () => {
    await untilLimitsAre('shared', gateways);
    for (let n = 0; n < MASTERS; n++) {
      await expectExactLimit(gateways, () => keyAt(n));
      expect(Number(await command(cluster.master(n), 'DBSIZE'))).toBeGreaterThan(0);
    }
  });

  test('a master is killed under load: every request succeeds, and the replica takes over', async () => {
    await untilLimitsAre('shared', gateways);
    const load = beginLoad(gateways);
    await load.more();

    process.kill(cluster.master(1).pid, 'SIGKILL');
    await untilLimitsAre('in-process', gateways);
    await untilLimitsAre('shared', gateways);
    await load.more();
    expectSuccess(await load.stop());

    expect(String(await command(cluster.replica(1), 'INFO', 'replication'))).toContain('role:master');
    for (let n = 0; n < MASTERS; n++) await expectExactLimit(gateways, () => keyAt(n));
  });

  test('a replica takes over as planned, under load: every request succeeds, and the limits stay exact', async () => {
    await untilLimitsAre('shared', gateways);
    const load = beginLoad(gateways);
    await load.more();
    await command(cluster.replica(2), 'CLUSTER', 'FAILOVER');
    await until('the new master', async () =>
      String(await command(cluster.replica(2), 'INFO', 'replication')).includes('role:master'),
    );
    await load.more();
    expectSuccess(await load.stop());
    await expectExactLimit(gateways, () => keyAt(2));
  });

  test('while one master is frozen, the limits of keys on the others stay exact', async () => {
    await untilLimitsAre('shared', gateways);
    process.kill(cluster.master(0).pid, 'SIGSTOP');
    await untilLimitsAre('in-process', gateways);
    await expectExactLimit(
      gateways,
      () => keyAt(2),
      async () => {},
    );
    const load = beginLoad(gateways);
    await untilLimitsAre('shared', gateways);
    expectSuccess(await load.stop());
    await expectExactLimit(gateways, () => keyAt(0));
  });

  test('without the cluster each gateway enforces the limit by itself', async () => {
    await cluster.stop();
    await untilLimitsAre('in-process', gateways);
    const key = await newKey();
    for (const each of gateways.urls) expect(await sendBurst([each], key)).toEqual(EXACT_LIMIT);
    expect((await (await TestAccount.create()).post(entry(), { url })).status).toBe(201);
  });
});

describe('connections are dropped without a word, and one master hangs:', () => {
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
      Number(
        /^cmdstat_evalsha:calls=(\d+)/m.exec(String(await command(master, 'INFO', 'commandstats')))?.[1],
      );
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
});
