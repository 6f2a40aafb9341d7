/** The limits in a Redis Cluster of three masters, each with a replica (specification: Limits, request rate). */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { hashApiKey } from '../../proto/api-key.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { bearer } from '../fixtures/endpoints.ts';
import { until } from '../fixtures/until.ts';
import { type Cluster, MASTERS, masterOf, startRedisCluster } from './redis-cluster.ts';
import { command } from './redis-servers.ts';
import {
  beginLoad,
  countedMinute,
  expectAllServed,
  expectOneMinute,
  type Gateways,
  newKey,
  ONE_MINUTE,
  startGateways,
  untilLimitsAre,
} from './shared-minute.ts';

setDefaultTimeout(120_000);

let cluster: Cluster;
let gateways: Gateways;
let url: string;
const account = await TestAccount.create();

const minuteOf = (key: string) => `{${hashApiKey(key).toString('hex')}}`;

beforeAll(async () => {
  cluster = await startRedisCluster();
  gateways = await startGateways({ REDIS_CLUSTER: cluster.seeds });
  url = gateways.urls[0] ?? '';
});
afterAll(async () => {
  await gateways?.stop();
  await cluster?.stop();
});

/** A key whose counts the n-th master keeps. */
async function keyAt(n: number): Promise<string> {
  for (;;) {
    const key = await newKey(account);
    if (masterOf(minuteOf(key)) === n) return key;
  }
}

test('two gateways share the minute of a key exactly, whichever node counts it', async () => {
  await untilLimitsAre('shared', gateways);
  for (let n = 0; n < MASTERS; n++) {
    await expectOneMinute(gateways, () => keyAt(n));
    expect(Number(await command(cluster.master(n), 'DBSIZE'))).toBeGreaterThan(0);
  }
});

test('a day of writes is counted in the cluster', async () => {
  const writer = await TestAccount.create();
  const day = `ledger:{${writer.accountId}}:day`;
  expect((await writer.post(entry(), { url })).status).toBe(201);
  const holder = cluster.master(masterOf(day));
  await until('it is counted', async () => Number(await command(holder, 'LLEN', day)) === 2);
});

test('a master is killed under load: every request is served, and its replica goes on with its counts', async () => {
  await untilLimitsAre('shared', gateways);
  const load = beginLoad(gateways, account);
  await until('there is load', () => load.answered() > 200);

  process.kill(cluster.master(1).pid, 'SIGKILL');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  const answered = load.answered();
  await until('the load goes on', () => load.answered() > answered + 200);
  expectAllServed(await load.stop());

  expect(String(await command(cluster.replica(1), 'INFO', 'replication'))).toContain('role:master');
  for (let n = 0; n < MASTERS; n++) await expectOneMinute(gateways, () => keyAt(n));
});

test('a master that hangs is left alone, while the keys of the others stay shared', async () => {
  await untilLimitsAre('shared', gateways);
  process.kill(cluster.master(0).pid, 'SIGSTOP');
  await untilLimitsAre('in-process', gateways);
  await until('a key of another master is counted by both', async () =>
    Bun.deepEquals(await countedMinute(gateways.urls, await keyAt(2)), ONE_MINUTE),
  );
  const load = beginLoad(gateways, account);
  await untilLimitsAre('shared', gateways);
  expectAllServed(await load.stop());
  await expectOneMinute(gateways, () => keyAt(0));
});

test('without any of its servers each gateway counts for itself', async () => {
  await cluster.stop();
  await untilLimitsAre('in-process', gateways);
  const key = await newKey(account);
  for (const each of gateways.urls) expect(await countedMinute([each], key)).toEqual(ONE_MINUTE);
  const { status } = await account.post(entry(), { url, headers: bearer(await newKey(account)) });
  expect(status).toBe(201);
});
