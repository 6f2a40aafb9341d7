/** API10: what Redis holds is not believed: false content opens nothing, and breaks nothing. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import Client from 'ioredis';
import { startGateway, startRedis } from '../../local/system.ts';
import { rowsOf } from '../fixtures/books.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
import { ENDPOINTS } from '../fixtures/endpoints.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

let redis: Awaited<ReturnType<typeof startRedis>>;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let client: Client;

// A Redis of its own: the other tests share theirs.
beforeAll(async () => {
  redis = await startRedis();
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
  client = new Client(redis.url);
  gateway = await startGateway({ workerAddress: system.workerAddress, redisUrl: redis.url });
});
afterAll(async () => {
  client.disconnect();
  await gateway?.stop();
  await redis?.stop();
});

const rich = await TestAccount.create();
await rich.post(entry({ description: 'private', externalRef: 'theirs' }));

// Those that query the database for an account, with a wait for each.
const SCOPED = ENDPOINTS.filter(({ name }) => /^(GET|POST) .*(me|sources|transactions)$/.test(name));

interface Names {
  minute: string;
  day: string;
}

const FALSE: [what: string, plant: (names: Names) => Promise<unknown>][] = [
  ['a minute of texts', ({ minute }) => client.rpush(minute, 'x', 'y')],
  ['a minute of no numbers', ({ minute }) => client.rpush(minute, 'nan', '-inf')],
  ['a minute beyond all time', ({ minute }) => client.rpush(minute, '1e300', '1e308')],
  ['a text for a minute', ({ minute }) => client.set(minute, 'x')],
  ['a day of texts', ({ day }) => client.rpush(day, 'x', 'y')],
  ['a day of negative numbers', ({ day }) => client.rpush(day, '0:0:0', '-5:-5:-5')],
  ['a hash for a day', ({ day }) => client.hset(day, 'x', 'y')],
];

test.each(FALSE)(
  '%s gives no access, causes no 5xx, and is removed or harmless at once',
  async (_, plant) => {
    const before = await rowsOf(rich.accountId);
    for (const { name, request } of SCOPED) {
      const account = await TestAccount.create();
      await plant({ minute: minuteOf(account), day: dayOf(account.accountId) });
      // After an error the gateway does not use Redis for a while: this test needs one that is in use.
      await until(
        'Redis is used',
        async () => (await send('/readyz', { url: gateway.url })).body.limits === 'shared',
      );

      const first = await request(account, account.key, { url: gateway.url });
      expect([name, [200, 201, 401].includes(first.status), first]).toEqual([name, true, first]);
      for (const secret of [rich.accountId, ...Object.values(rich.sources), 'private', 'theirs']) {
        expect(JSON.stringify(first.body)).not.toContain(secret);
      }
      const second = await request(account, account.key, { url: gateway.url });
      expect([name, [200, 201].includes(second.status), second]).toEqual([name, true, second]);
    }
    expect(await rowsOf(rich.accountId)).toEqual(before);
  },
);
