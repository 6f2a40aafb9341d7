/** Where a key is never found (docs/api/requests.md). */
import { expect, test } from 'bun:test';
import { hashApiKey } from '../../../proto/api-key.ts';
import { send, TestAccount } from '../../fixtures/client.ts';
import { bearer, ENDPOINTS } from '../../fixtures/endpoints.ts';
import { redis } from '../../fixtures/redis.ts';
import { sql } from '../../fixtures/system.ts';

const customer = await TestAccount.create();
const secret = customer.key.slice(customer.key.indexOf('_live_') + '_live_'.length);
const hash = hashApiKey(customer.key).toString('hex');
/** The key in every spelling in which it could have been kept. */
const SPELLINGS = [
  secret,
  secret.slice(0, 16),
  Buffer.from(customer.key).toString('hex'),
  btoa(customer.key).slice(0, -4),
  btoa(secret).slice(0, -4),
];

for (const { request } of ENDPOINTS) await request(customer, customer.key);
await send('/api/v1/nope', { headers: bearer(customer.key) });
await send('/api/v1/me', { headers: bearer(`${customer.key}x`) });

test('Redis holds the hash of the key, and no part of the key itself', async () => {
  const found: string[] = [];
  for await (const keys of redis.scanStream({ count: 1000 })) {
    for (const key of keys as string[]) {
      const isList = (await redis.type(key)) === 'list';
      found.push(key, ...(isList ? await redis.lrange(key, 0, -1) : [(await redis.get(key)) ?? '']));
    }
  }
  const everything = found.join('\n');
  expect(everything).toContain(hash);
  expect(everything).toContain(customer.accountId);
  expect(SPELLINGS.filter((spelling) => everything.includes(spelling))).toEqual([]);
});

test('the database holds the SHA-256 of the key, and no part of the key itself', async () => {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  expect(tables.map(({ name }) => name)).toContain('ledger.api_key');

  const holding = async (text: string) => {
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await sql`select from ${sql.unsafe(name)} as t where strpos(t::text, ${text}) > 0 limit 1`;
      if (rows.length > 0) found.push(name);
    }
    return found;
  };
  expect((await holding(hash)).sort()).toEqual(['ledger.account_of_key', 'ledger.api_key']);
  for (const spelling of SPELLINGS) expect(await holding(spelling)).toEqual([]);
});
