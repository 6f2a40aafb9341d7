/** The limits in a Redis Cluster of three masters, each with a replica (specification: Limits, request rate). */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import keySlot from 'cluster-key-slot';
import { hashApiKey } from '../../proto/api-key.ts';
import { entry, TestAccount } from '../client.ts';
import { bearer } from '../endpoints.ts';
import { until } from '../until.ts';
import { command, PASSWORD, type Server, startClusterServer } from './redis-servers.ts';
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

const SLOTS = 16_384;
const MASTERS = 3;

let servers: Server[];
let gateways: Gateways;
let url: string;
const account = await TestAccount.create();

const busPort = async (server: Server) =>
  Number(((await command(server, 'CONFIG', 'GET', 'cluster-port')) as string[])[1]);
const nodeId = (server: Server) => command(server, 'CLUSTER', 'MYID') as Promise<string>;
const isWhole = async (server: Server) =>
  String(await command(server, 'CLUSTER', 'INFO')).includes('cluster_state:ok');
const master = (n: number) => servers[n] as Server;
const replica = (n: number) => servers[n + MASTERS] as Server;
/** Which of the masters has the slot of an API key, as they were made. */
const masterOf = (key: string) =>
  Math.floor((keySlot(`{${hashApiKey(key).toString('hex')}}`) * MASTERS) / SLOTS);
const firstSlot = (n: number) => Math.ceil((n * SLOTS) / MASTERS);

beforeAll(async () => {
  servers = await Promise.all(Array.from({ length: 2 * MASTERS }, startClusterServer));
  for (let n = 0; n < MASTERS; n++) {
    await command(master(n), 'CLUSTER', 'ADDSLOTSRANGE', firstSlot(n), firstSlot(n + 1) - 1);
    await command(master(n), 'CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
  }
  for (const server of servers.slice(1)) {
    await command(master(0), 'CLUSTER', 'MEET', '127.0.0.1', server.port, await busPort(server));
  }
  await until('all know each other', async () => {
    const known = await Promise.all(servers.map((server) => command(server, 'CLUSTER', 'NODES')));
    return known.every((nodes) => String(nodes).trim().split('\n').length === servers.length);
  });
  for (let n = 0; n < MASTERS; n++) {
    await command(replica(n), 'CLUSTER', 'REPLICATE', await nodeId(master(n)));
  }
  await until('the cluster works', async () => (await Promise.all(servers.map(isWhole))).every(Boolean));
  await until('the replicas follow', async () => {
    const told = await Promise.all(
      servers.slice(MASTERS).map((server) => command(server, 'INFO', 'replication')),
    );
    return told.every((info) => String(info).includes('master_link_status:up'));
  });

  const env = {
    REDIS_CLUSTER: `redis://:${encodeURIComponent(PASSWORD)}@${[master(1), replica(2)].map(({ port }) => `127.0.0.1:${port}`)}`,
  };
  gateways = await startGateways(env);
  url = gateways.urls[0] ?? '';
});
afterAll(async () => {
  await gateways?.stop();
  await Promise.all((servers ?? []).map((server) => server.stop()));
});

/** A key whose counts the n-th master keeps. */
async function keyAt(n: number): Promise<string> {
  for (;;) {
    const key = await newKey(account);
    if (masterOf(key) === n) return key;
  }
}

test('two gateways share the minute of a key exactly, whichever node counts it', async () => {
  await untilLimitsAre('shared', gateways);
  for (let n = 0; n < MASTERS; n++) {
    await expectOneMinute(gateways, () => keyAt(n));
    expect(Number(await command(master(n), 'DBSIZE'))).toBeGreaterThan(0);
  }
});

test('a day of writes is counted in the cluster', async () => {
  const writer = await TestAccount.create();
  const day = `ledger:{${writer.accountId}}:day`;
  expect((await writer.post(entry(), { url })).status).toBe(201);
  const holder = master(Math.floor((keySlot(day) * MASTERS) / SLOTS));
  await until('it is counted', async () => Number(await command(holder, 'LLEN', day)) === 2);
});

test('a master is killed under load: every request is served, and its replica goes on with its counts', async () => {
  await untilLimitsAre('shared', gateways);
  const load = beginLoad(gateways, account);
  await until('there is load', () => load.answered() > 200);

  process.kill(master(1).pid, 'SIGKILL');
  await untilLimitsAre('in-process', gateways);
  await untilLimitsAre('shared', gateways);
  const answered = load.answered();
  await until('the load goes on', () => load.answered() > answered + 200);
  expectAllServed(await load.stop());

  expect(String(await command(replica(1), 'INFO', 'replication'))).toContain('role:master');
  for (let n = 0; n < MASTERS; n++) await expectOneMinute(gateways, () => keyAt(n));
});

test('a master that hangs is left alone, while the keys of the others stay shared', async () => {
  await untilLimitsAre('shared', gateways);
  process.kill(master(0).pid, 'SIGSTOP');
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
  await Promise.all(servers.map((server) => server.stop()));
  await untilLimitsAre('in-process', gateways);
  const key = await newKey(account);
  for (const each of gateways.urls) expect(await countedMinute([each], key)).toEqual(ONE_MINUTE);
  const { status } = await account.post(entry(), { url, headers: bearer(await newKey(account)) });
  expect(status).toBe(201);
});
