/** A connection to Redis that stays open and is of no use: the gateway ends it and opens another, which leads to where the name leads. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import Client from 'ioredis';
import { type Redis, startRedis } from '../../../local/servers/redis.ts';
import { PASS, startProxy } from '../../faults/proxy.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { dayOf } from '../../fixtures/day.ts';
import { many, statuses } from '../../fixtures/endpoints.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { minuteOf } from '../../fixtures/minute.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const servers = [await startRedis(), await startRedis()] as Redis[];
const clients = servers.map((server) => new Client(server.url));
const client = (n: number) => clients[n] as Client;
/** The server that the name leads to: the address of the proxy is the name. */
let named = 0;
const proxy = await startProxy(() => ({ path: servers[named]?.url ?? '' }));
const { url, metricsAddress } = await startOwnGateway({ redisUrl: `redis://127.0.0.1:${proxy.port}` });
afterEach(() => proxy.set(PASS));
afterAll(async () => {
  for (const each of clients) each.disconnect();
  await proxy.close();
  await Promise.all(servers.map((server) => server.stop()));
});

const limits = async () => (await send('/readyz', { url })).body.limits;
const untilLimitsAre = (mode: string) =>
  until(`the limits are ${mode}`, async () => (await limits()) === mode);

/** Expects that the server counts what an account uses. */
async function expectCounted(n: number): Promise<void> {
  const account = await TestAccount.create();
  expect((await account.post(entry(), { url })).status).toBe(201);
  expect(statuses(await many(5, account.key, { url }))).toEqual({ 200: 5 });
  expect(await client(n).llen(minuteOf(account))).toBe(6);
  await until('the day has the write', async () => (await client(n).llen(dayOf(account.accountId))) === 2);
}

const decidedAlone = async () =>
  (await scrape(metricsAddress)).sum('ledger_minute_decisions_total', { kept: 'in-process' });

/** As `expectCounted`, once the limits are shared. On a busy machine Redis may be late, and the gateway decides alone: then once more. */
async function expectShared(n: number): Promise<void> {
  await untilLimitsAre('shared');
  const before = await decidedAlone();
  try {
    await expectCounted(n);
  } catch (error) {
    if ((await decidedAlone()) === before) throw error;
    await expectShared(n);
  }
}

test('a firewall has dropped the connection without a word: the limits are shared again over a new one', async () => {
  await untilLimitsAre('shared');
  await proxy.set({ kind: 'dropped' });
  const { key } = await TestAccount.create();
  expect(statuses(await many(10, key, { url }))).toEqual({ 200: 10 });
  await expectShared(named);
});

test('the master becomes a replica and keeps its connections: the limits are shared again where the name leads then', async () => {
  await untilLimitsAre('shared');
  await client(0).replicaof('127.0.0.1', 1);
  const { key } = await TestAccount.create();
  expect(statuses(await many(10, key, { url }))).toEqual({ 200: 10 });
  await untilLimitsAre('in-process');
  named = 1;
  await expectShared(1);
});

test('Redis closes the connection, as it does with idle ones: the limits are shared over a new one before the next request', async () => {
  await untilLimitsAre('shared');
  const connections = async () => ((await client(named).client('LIST')) as string).match(/ addr=/g)?.length;
  const before = await connections();
  await client(named).call('CLIENT', 'KILL', 'TYPE', 'normal');
  await until('a new connection', async () => (await connections()) === before);
  await expectCounted(named);
});
