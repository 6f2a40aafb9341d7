/** The rights of the gateway's user in Redis, and a database that it names: what is wrong is in the log, with the way out. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Client from 'ioredis';
import { ACL } from '../../../gateway/redis/server.ts';
import { startRedis } from '../../../local/servers/redis.ts';
import { temporaryDirectory } from '../../fixtures/checkout.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const port = freePort();
const redis = await startRedis({ settings: { port: String(port), bind: '127.0.0.1' } });
const admin = new Client(port);
afterAll(async () => {
  admin.disconnect();
  await redis?.stop();
});

const RIGHTS = ACL.split(' ');

/** Gives these rights to the user of the gateways, in a Redis that has lost its scripts. */
async function give(rights: readonly string[]): Promise<void> {
  await admin.call('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>s3cret', ...rights);
  await admin.script('FLUSH');
}

/** Starts a gateway as this user. */
async function start(path = '') {
  const logFile = join(temporaryDirectory(), 'log');
  const redisUrl = `redis://gateway:s3cret@127.0.0.1:${port}${path}`;
  const { url } = await startOwnGateway({ redisUrl, logFile });
  return {
    url,
    log: () => readFileSync(logFile, 'utf8'),
    limits: async () => (await send('/readyz', { url })).body.limits,
  };
}

await give(RIGHTS);
const gateway = await start();

test('with these rights a gateway keeps its limits in Redis, and counts each write', async () => {
  expect(await gateway.limits()).toBe('shared');
  const account = await TestAccount.create('pro', gateway.url);
  expect((await account.post(entry())).status).toBe(201);
  const days = () => admin.keys('*:day');
  await until('the day is recorded', async () => (await days()).length > 0);
  // A write that began later and was recorded earlier than the next one.
  const [day = ''] = await days();
  const nowUs = Date.now() * 1_000;
  await admin.rpush(day, `${nowUs}:2:${nowUs}`);
  expect((await account.post(entry())).status).toBe(201);
  await until('the next write is recorded', async () => (await admin.llen(day)) === 4);
  expect(gateway.log()).not.toContain('redis is unavailable');
});

// Needed only after a minute, when the clock was set back, or for a write that is recorded late.
const LATE = new Set(['+del', '+lpop', '+lrange', '+lset']);

describe('without one of them the log names them all:', () => {
  test.each(RIGHTS.filter((right) => !LATE.has(right)))('%s', async (right) => {
    await give(RIGHTS);
    await until('the limits are shared', async () => (await gateway.limits()) === 'shared');
    const before = gateway.log().length;
    await give(RIGHTS.filter((each) => each !== right));
    // Of a gateway that connects.
    const { url, log } = right === '+set' ? await start() : gateway;
    const account = await TestAccount.create('pro', url);
    // The second finds what the first has stored.
    for (let times = 0; times < 2; times++) expect((await account.post(entry())).status).toBe(201);
    await until('the log names the rights', () =>
      log()
        .slice(url === gateway.url ? before : 0)
        .includes(ACL),
    );
  });
});

test('a database that the server lacks is not taken for database 0', async () => {
  await give([...RIGHTS, '+select']);
  const lacking = await start('/99');
  expect(await lacking.limits()).toBe('in-process');
  expect(lacking.log()).toContain('correct the number after the host and port');
  expect(await (await start('/3')).limits()).toBe('shared');
});
