/** The limits while Redis is away (docs/api/limits.md). */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Client from 'ioredis';
import type { Service } from '../../../local/processes/child.ts';
import { privateDirectory } from '../../../local/processes/private-directory.ts';
import { type Redis, startRedis } from '../../../local/servers/redis.ts';
import { startGateway } from '../../../local/system.ts';
import { type ApiResponse, send, TestAccount } from '../../fixtures/client.ts';
import { ENDPOINTS, failure, many, statuses } from '../../fixtures/endpoints.ts';
import { admin, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function stopLater<S extends Service>(service: S): S {
  cleanups.push(() => service.stop());
  return service;
}

function directory(path: string): string {
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function newRedis(socketDirectory: string): Promise<Redis> {
  const redis = await startRedis({ directory: socketDirectory });
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
  return stopLater(redis);
}

async function newGateway(redisUrl: string) {
  const logFile = join(directory(mkdtempSync(join(tmpdir(), 'ledger-log-'))), 'gateway.log');
  const { url } = stopLater(await startGateway({ workerAddress: system.workerAddress, redisUrl, logFile }));
  return { url, log: () => readFileSync(logFile, 'utf8') };
}

const untilLimitsAre = (mode: string, url: string) =>
  until(`the limits are ${mode}`, async () => (await send('/readyz', { url })).body.limits === mode);
const IN_PROCESS = { status: 'degraded', worker: 'ok', limits: 'in-process' };
const SHARED = { status: 'ok', worker: 'ok', limits: 'shared' };

const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
const remainders = (responses: ApiResponse[]) =>
  responses
    .filter(({ status }) => status === 200)
    .map(remaining)
    .sort((a, b) => b - a);
const countdown = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

async function command(redis: Redis, name: string, ...words: string[]): Promise<unknown> {
  const client = new Client(redis.url);
  return client.call(name, ...words).finally(() => client.disconnect());
}

type Begin = (redis: Redis) => unknown;
/** @returns the Redis that is there then */
type End = (redis: Redis, socketDirectory: string) => Redis | Promise<Redis>;

const ABSENCES: [way: string, begin: Begin, end: End][] = [
  [
    'killed',
    (redis) => {
      process.kill(redis.pid, 'SIGKILL');
      return redis.died;
    },
    (_, socketDirectory) => newRedis(socketDirectory),
  ],
  [
    'hung',
    (redis) => {
      process.kill(redis.pid, 'SIGSTOP');
      // A stopped process would not obey the stop that comes after this test.
      cleanups.push(() => void process.kill(redis.pid, 'SIGCONT'));
    },
    (redis) => {
      process.kill(redis.pid, 'SIGCONT');
      return redis;
    },
  ],
  [
    'read-only',
    async (redis) => {
      await command(redis, 'CONFIG', 'SET', 'replica-read-only', 'yes');
      await command(redis, 'REPLICAOF', '127.0.0.1', '1');
    },
    async (redis) => {
      await command(redis, 'REPLICAOF', 'NO', 'ONE');
      return redis;
    },
  ],
];

async function newRedisAndGateway() {
  const socketDirectory = directory(privateDirectory('redis'));
  const redis = await newRedis(socketDirectory);
  return { socketDirectory, redis, ...(await newGateway(redis.url)) };
}

test.each(ABSENCES)(
  'Redis %s: a key is admitted 120 times in all, and X-RateLimit-Remaining counts down, before, meanwhile and after; every endpoint serves',
  async (_, begin, end) => {
    const { redis, socketDirectory, url, log } = await newRedisAndGateway();
    const [busy, idle] = [(await TestAccount.create()).key, (await TestAccount.create()).key];
    expect((await send('/readyz', { url })).body).toEqual(SHARED);
    expect(remainders(await many(40, busy, { url }))).toEqual(countdown(119, 40));
    expect(remainders(await many(10, idle, { url }))).toEqual(countdown(119, 10));

    await begin(redis);
    const responses = await many(150, busy, { url });
    expect(statuses(responses)).toEqual({ 200: 80, 429: 70 });
    expect(remainders(responses)).toEqual(countdown(79, 80));
    for (const response of responses.filter(({ status }) => status === 429)) {
      expect(failure(response)).toEqual([429, 'rate_limited']);
      expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 61);
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    }
    expect(remainders(await many(30, idle, { url }))).toEqual(countdown(109, 30));
    expect((await send('/readyz', { url })).body).toEqual(IN_PROCESS);
    await until('the gateway logs it', () => log().includes('redis is unavailable'));

    const account = await TestAccount.create();
    const { accountId } = account;
    const { keyId, key } = await admin.createKey({ accountId });
    for (const { name, request } of ENDPOINTS) {
      const { status } = await request(account, key, { url });
      expect([name, status]).toEqual([name, name.startsWith('POST') ? 201 : 200]);
    }
    expect((await account.entries()).length).toBe(1);
    const all = (ofKey: string) =>
      Promise.all(ENDPOINTS.map(({ request }) => request(account, ofKey, { url })));
    await admin.revokeKey({ keyId });
    expect(statuses(await all(key))).toEqual({ 401: ENDPOINTS.length });
    await admin.setPlan({ accountId, plan: 'free' });
    expect(statuses(await all(account.key))).toEqual({ 403: ENDPOINTS.length });
    // Each attempt at a connection has failed again meanwhile. A busy machine may have lost Redis before, too.
    const times = (text: string) => log().split(text).length - 1;
    expect(times('redis is unavailable') - times('redis is back')).toBe(1);

    const back = await end(redis, socketDirectory);
    await untilLimitsAre('shared', url);
    expect((await send('/readyz', { url })).body).toEqual(SHARED);
    await until('the gateway logs it', () => log().includes('redis is back'));
    expect(statuses(await many(20, busy, { url }))).toEqual({ 429: 20 });
    const afterwards = await many(100, idle, { url });
    expect(statuses(afterwards)).toEqual({ 200: 80, 429: 20 });
    expect(remainders(afterwards)).toEqual(countdown(79, 80));

    // It is noticed without a request, too.
    await begin(back);
    await untilLimitsAre('in-process', url);
    await end(back, socketDirectory);
    await untilLimitsAre('shared', url);
  },
);

test('requests that a gateway refuses because Redis has lost the minute are not recorded in Redis', async () => {
  const { redis, url } = await newRedisAndGateway();
  const { key } = await TestAccount.create();
  expect(statuses(await many(120, key, { url }))).toEqual({ 200: 120 });
  await command(redis, 'FLUSHALL');
  expect(statuses(await many(20, key, { url }))).toEqual({ 429: 20 });
  expect(await command(redis, 'KEYS', '*:minute:*')).toEqual([]);
});

test('a gateway that starts while Redis is away serves at once, and shares the limits when Redis comes', async () => {
  const socketDirectory = directory(privateDirectory('redis'));
  const { url } = await newGateway(join(socketDirectory, 'redis.sock'));
  const { key } = await TestAccount.create();
  expect((await send('/readyz', { url })).body).toEqual(IN_PROCESS);
  expect(statuses(await many(121, key, { url }))).toEqual({ 200: 120, 429: 1 });

  await newRedis(socketDirectory);
  await untilLimitsAre('shared', url);
  expect((await send('/readyz', { url })).body).toEqual(SHARED);
});
