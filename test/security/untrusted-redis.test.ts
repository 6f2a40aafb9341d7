/** API10: what Redis holds is not believed: false content opens nothing, and breaks nothing. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../fixtures/books.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { dayOf } from '../fixtures/day.ts';
import { ENDPOINTS } from '../fixtures/endpoints.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { startGatewayWithOwnRedis } from '../fixtures/own-redis.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

const { redis, url } = await startGatewayWithOwnRedis();

const rich = await TestAccount.create();
await rich.post(entry({ description: 'private', externalRef: 'theirs' }));

// Those that query the database for an account, with a wait for each.
const SCOPED = ENDPOINTS.filter(({ name }) => /^(GET|POST) .*(me|sources|transactions)$/.test(name));

interface Names {
  minute: string;
  day: string;
}

const FALSE: [what: string, plant: (names: Names) => Promise<unknown>][] = [
  ['a minute of texts', ({ minute }) => redis.rpush(minute, 'x', 'y')],
  ['a minute beyond all time', ({ minute }) => redis.rpush(minute, '1e300', '1e308')],
  ['a text for a minute', ({ minute }) => redis.set(minute, 'x')],
  ['a day of texts', ({ day }) => redis.rpush(day, 'x', 'y')],
  ['a hash for a day', ({ day }) => redis.hset(day, 'x', 'y')],
];

test.each(FALSE)(
  '%s gives no access, causes no 5xx, and is removed or harmless at once',
  async (_, plant) => {
    const before = await rowsOf(rich.accountId);
    for (const { name, request } of SCOPED) {
      const account = await TestAccount.create();
      await plant({ minute: minuteOf(account), day: dayOf(account.accountId) });
      // After an error the gateway does not use Redis for a while: this test needs one that is in use.
      await until('Redis is used', async () => (await send('/readyz', { url })).body.limits === 'shared');

      const first = await request(account, account.key, { url });
      expect([name, [200, 201, 401].includes(first.status), first]).toEqual([name, true, first]);
      for (const secret of [rich.accountId, ...Object.values(rich.sources), 'private', 'theirs']) {
        expect(JSON.stringify(first.body)).not.toContain(secret);
      }
      const second = await request(account, account.key, { url });
      expect([name, [200, 201].includes(second.status), second]).toEqual([name, true, second]);
    }
    expect(await rowsOf(rich.accountId)).toEqual(before);
  },
);
