/** The rate limit in a Redis Cluster of three masters with a replica each (docs/api/limits.md). */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../fixtures/client.ts';
import { until } from '../fixtures/until.ts';
import { type Cluster, MASTERS, masterOf, startRedisCluster } from './redis-cluster.ts';
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

/** The key of an account whose windows are on the n-th master. */
async function keyAt(n: number): Promise<string> {
  for (;;) {
    const { accountId, key } = await TestAccount.create();
    if (masterOf(`{${accountId}}`) === n) return key;
  }
}

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
