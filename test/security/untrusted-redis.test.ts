/** API10: what Redis holds is not believed: false content opens nothing, and breaks nothing. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import Client from 'ioredis';
import { startGateway, startRedis } from '../../local/system.ts';
import { hashApiKey, mintApiKey } from '../../proto/api-key.ts';
import { rowsOf } from '../fixtures/books.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { ENDPOINTS, failure } from '../fixtures/endpoints.ts';
import { admin, system } from '../fixtures/system.ts';
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
  identity: string;
  minute: string;
  day: string;
}

const FALSE: [what: string, plant: (names: Names) => Promise<unknown>][] = [
  ['an identity that is no id', ({ identity }) => client.set(identity, 'garbage')],
  ['an empty identity', ({ identity }) => client.set(identity, '')],
  ['an identity with more behind it', ({ identity }) => client.set(identity, `${rich.accountId}x`)],
  ['an identity with more before it', ({ identity }) => client.set(identity, `x${rich.accountId}`)],
  ['an identity of bytes', ({ identity }) => client.set(identity, Buffer.from([0xff, 0x00, 0x27]))],
  ['an identity of SQL', ({ identity }) => client.set(identity, "' or 1=1; --")],
  ['an identity of 9 MB', ({ identity }) => client.set(identity, 'x'.repeat(9_000_000))],
  ['an account that never was', ({ identity }) => client.set(identity, Bun.randomUUIDv7())],
  ["another account's identity", ({ identity }) => client.set(identity, rich.accountId)],
  ['a list for an identity', ({ identity }) => client.rpush(identity, rich.accountId)],
  ['a hash for an identity', ({ identity }) => client.hset(identity, 'account', rich.accountId)],
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
      const hash = hashApiKey(account.key).toString('hex');
      await plant({
        identity: `ledger:{${hash}}:identity`,
        minute: `ledger:{${hash}}:minute`,
        day: `ledger:{${account.accountId}}:day`,
      });
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

test('an identity in the cache makes no key: unknown and revoked ones stay refused', async () => {
  const { keyId, key: revoked } = await admin.createKey({ accountId: rich.accountId });
  await admin.revokeKey({ keyId });
  for (const key of [revoked, mintApiKey('ledger')]) {
    for (const { name, request } of ENDPOINTS) {
      await client.set(`ledger:{${hashApiKey(key).toString('hex')}}:identity`, rich.accountId);
      const code = name.startsWith('HEAD') ? undefined : 'invalid_key';
      expect([name, ...failure(await request(rich, key, { url: gateway.url }))]).toEqual([name, 401, code]);
    }
  }
});
