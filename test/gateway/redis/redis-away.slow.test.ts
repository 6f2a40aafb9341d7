/** The limits while Redis is away (docs/api/limits.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Client from 'ioredis';
import { type Redis, startRedis } from '../../../local/servers/redis.ts';
import { LIMITS } from '../../../proto/domain.ts';
import { temporaryDirectory } from '../../fixtures/checkout.ts';
import { type ApiResponse, entry, send, TestAccount } from '../../fixtures/client.ts';
import { atEndOfRun } from '../../fixtures/end-of-run.ts';
import { bearer, ENDPOINTS, many, statuses } from '../../fixtures/endpoints.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

async function newRedis(directory: string): Promise<Redis> {
  const redis = await startRedis({ directory });
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
  atEndOfRun.push(() => redis.stop());
  return redis;
}

async function newGateway(redisUrl?: string) {
  const logFile = join(temporaryDirectory(), 'gateway.log');
  const { url } = await startOwnGateway({ redisUrl, logFile });
  return { url, log: () => readFileSync(logFile, 'utf8') };
}

const limitsOf = async (url: string) => (await send('/readyz', { url })).body.limits;
const IN_PROCESS = { status: 'degraded', worker: 'ok', limits: 'in-process' };
const SHARED = { status: 'ok', worker: 'ok', limits: 'shared' };

const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
const remainders = (responses: ApiResponse[]) =>
  responses
    .filter(({ status }) => status === 200)
    .map(remaining)
    .sort((a, b) => b - a);
const countdown = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

async function command(redis: Redis, ...[name, ...words]: [string, ...string[]]): Promise<unknown> {
  const client = new Client(redis.url);
  try {
    return await client.call(name, ...words);
  } finally {
    client.disconnect();
  }
}

interface Absence {
  way: string;
  begin(redis: Redis): void | Promise<void>;
  /** @returns the Redis that is there then */
  end(redis: Redis, socketDirectory: string): Redis | Promise<Redis>;
}

const ABSENCES: Absence[] = [
  {
    way: 'killed',
    async begin(redis) {
      process.kill(redis.pid, 'SIGKILL');
      await redis.died;
    },
    end: (_, socketDirectory) => newRedis(socketDirectory),
  },
  {
    way: 'hung',
    begin(redis) {
      process.kill(redis.pid, 'SIGSTOP');
    },
    end(redis) {
      process.kill(redis.pid, 'SIGCONT');
      return redis;
    },
  },
  {
    way: 'read-only',
    async begin(redis) {
      await command(redis, 'CONFIG', 'SET', 'replica-read-only', 'yes');
      await command(redis, 'REPLICAOF', '127.0.0.1', '1');
    },
    async end(redis) {
      await command(redis, 'REPLICAOF', 'NO', 'ONE');
      return redis;
    },
  },
];

async function newRedisAndGateway() {
  const socketDirectory = temporaryDirectory();
  const redis = await newRedis(socketDirectory);
  return { socketDirectory, redis, ...(await newGateway(redis.url)) };
}

test.each(ABSENCES)(
  'Redis $way: a key is admitted 120 times in all, and X-RateLimit-Remaining counts down, before, meanwhile and after; every endpoint serves',
  async ({ begin, end }) => {
    const { redis, socketDirectory, url, log } = await newRedisAndGateway();
    const [busy, idle] = [(await TestAccount.create()).key, (await TestAccount.create()).key];
    expect((await send('/readyz', { url })).body).toEqual(SHARED);
    expect(remainders(await many(40, busy, { url }))).toEqual(countdown(119, 40));
    expect(remainders(await many(10, idle, { url }))).toEqual(countdown(119, 10));

    await begin(redis);
    // Without any request.
    await until('it is noticed', async () => (await limitsOf(url)) === 'in-process');
    expect((await send('/readyz', { url })).body).toEqual(IN_PROCESS);
    const responses = await many(150, busy, { url });
    expect(statuses(responses)).toEqual({ 200: 80, 429: 70 });
    expect(remainders(responses)).toEqual(countdown(79, 80));
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(remainders(await many(30, idle, { url }))).toEqual(countdown(109, 30));
    await until('the gateway logs it', () => log().includes('redis is unavailable'));

    const account = await TestAccount.create();
    const { accountId, key } = account;
    const [{ keyId = '' } = {}] = (await admin.listKeys({ accountId })).keys;
    const outcomes = () =>
      Promise.all(ENDPOINTS.map(async ({ request }) => (await request(account, key, { url })).status));
    expect(await outcomes()).toEqual(ENDPOINTS.map(({ name }) => (name.startsWith('POST') ? 201 : 200)));
    await admin.setPlan({ accountId, plan: 'free' });
    expect(new Set(await outcomes())).toEqual(new Set([403]));
    await admin.revokeKey({ keyId });
    expect(new Set(await outcomes())).toEqual(new Set([401]));
    // Each attempt at a connection has failed again meanwhile. A busy machine may have lost Redis before, too.
    const times = (text: string) => log().split(text).length - 1;
    expect(times('redis is unavailable') - times('redis is back')).toBe(1);

    await end(redis, socketDirectory);
    await until('the limits are shared again', async () => (await limitsOf(url)) === 'shared');
    await until('the gateway logs it', () => log().includes('redis is back'));
    expect(statuses(await many(20, busy, { url }))).toEqual({ 429: 20 });
    const afterwards = await many(100, idle, { url });
    expect(statuses(afterwards)).toEqual({ 200: 80, 429: 20 });
    expect(remainders(afterwards)).toEqual(countdown(79, 80));
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
  const socketDirectory = temporaryDirectory();
  const { url } = await newGateway(join(socketDirectory, 'redis.sock'));
  const { key } = await TestAccount.create();
  expect((await send('/readyz', { url })).body).toEqual(IN_PROCESS);
  expect(statuses(await many(121, key, { url }))).toEqual({ 200: 120, 429: 1 });

  await newRedis(socketDirectory);
  await until('the limits are shared', async () => (await limitsOf(url)) === 'shared');
  expect((await send('/readyz', { url })).body).toEqual(SHARED);
});

test('without REDIS_URL a gateway has limits of its own: one minute per key, of admitted requests only', async () => {
  const { url, log } = await newGateway();
  const account = await TestAccount.create('free', url);
  expect((await account.get('/api/v1/me')).status).toBe(403);
  await admin.setPlan({ accountId: account.accountId, plan: 'pro' });
  expect((await account.get('/api/v1/nope')).status).toBe(404);
  expect((await account.request('/api/v1/me', { method: 'PUT' })).status).toBe(405);
  expect((await send('/readyz', { url })).body).toEqual(IN_PROCESS);
  await until('the gateway logs it', () => log().includes('REDIS_URL is not set'));

  const begunMs = Date.now();
  const responses = await many(150, account.key, { url });
  expect(statuses(responses)).toEqual({ 200: 120, 429: 30 });
  expect(remainders(responses)).toEqual(countdown(119, 120));
  const waitMs = Number((await account.get('/api/v1/me')).headers.get('retry-after')) * 1_000;
  expect(Date.now() + 1 + waitMs).toBeGreaterThanOrEqual(begunMs + LIMITS.minuteWindowMs);
  const { key } = await admin.createKey({ accountId: account.accountId });
  const posted = await account.post(entry(), { headers: bearer(key) });
  expect([posted.status, remaining(posted)]).toEqual([201, 119]);
});
