/** What a key reaches, and where it is never found (docs/api/requests.md). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Redis from 'ioredis';
import type { Service } from '../../../local/processes/child.ts';
import { startGateway, startWorker } from '../../../local/system.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, ENDPOINTS, failure, many, statuses } from '../../fixtures/endpoints.ts';
import { citusLogs, logsDir, sql, system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

const mine = await TestAccount.create();
const other = await TestAccount.create();

test('the list of sources is that of the account of the key alone', async () => {
  const ids = async (account: TestAccount) =>
    (await account.get('/api/v1/sources')).body.sources.map(({ id }: { id: string }) => id);
  expect(await ids(mine)).toEqual(Object.values(mine.sources));
  expect(await ids(other)).toEqual(Object.values(other.sources));
});

test("another account's source is 404 source_not_found to read, exactly like one that never was", async () => {
  const source = other.sources['uk-property'];
  await other.post(entry({ description: 'private' }));
  const response = await mine.page({}, source);
  expect(failure(response)).toEqual([404, 'source_not_found']);

  const absent = Bun.randomUUIDv7();
  const unknown = await mine.page({}, absent);
  expect(JSON.stringify(response.body).replace(source, absent)).toBe(JSON.stringify(unknown.body));
});

test("another account's source is 404 source_not_found to write, and nothing is written", async () => {
  const source = other.sources['self-employment'];
  expect(failure(await mine.post(entry({ externalRef: 'mine' }), { source }))).toEqual([
    404,
    'source_not_found',
  ]);
  // A category of another type would reveal the type of the source.
  expect(failure(await mine.post(entry({ category: 'periodAmount' }), { source }))).toEqual([
    404,
    'source_not_found',
  ]);

  expect(await other.entries(source)).toEqual([]);
  expect(await mine.entries()).toEqual([]);
  const rows = await sql`select from ledger.entry where source_id = ${source}`;
  expect(rows.length).toBe(0);
  const { body } = await other.get('/api/v1/sources');
  expect(body.sources.at(-1)).toMatchObject({ id: source, transactionCount: 0 });
});

test('an externalRef is known in the account, across its sources, and in no other account', async () => {
  const body = entry({ externalRef: 'invoice-1' });
  const first = await mine.post(body);
  expect([first.status, first.body.created]).toEqual([201, 1]);

  const second = await other.post(body);
  expect([second.status, second.body.created, second.body.existing]).toEqual([201, 1, []]);
  expect(second.body.transactions[0].id).not.toBe(first.body.transactions[0].id);

  const again = await mine.post(body, { source: mine.sources['foreign-property'] });
  expect([again.status, again.body.existing]).toEqual([
    200,
    [{ id: first.body.transactions[0].id, externalRef: 'invoice-1' }],
  ]);
});

test("a cursor of another account's list is refused", async () => {
  await other.post([entry(), entry(), entry()]);
  const { body } = await other.page({ limit: 1 });
  expect(body.nextCursor).toBeString();
  expect(failure(await mine.page({ cursor: body.nextCursor }))).toEqual([422, 'invalid_query']);
  const foreign = await mine.page({ cursor: body.nextCursor, limit: 1 }, other.sources['uk-property']);
  expect(failure(foreign)).toEqual([404, 'source_not_found']);
});

// One worker and two gateways that log all they can; one of the gateways calls a service that does not implement its RPC.
const directory = mkdtempSync(join(tmpdir(), 'ledger-secret-'));
const env = { LOG_LEVEL: 'debug' };
const logFile = (name: string) => join(directory, `${name}.log`);
const common = { env, redisUrl: system.redisUrl };
const services: Service[] = [];

afterAll(async () => {
  for (const service of services.reverse()) await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

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

beforeAll(async () => {
  const worker = await startWorker({ env, databaseUrl: system.databaseUrl, logFile: logFile('worker') });
  services.push(worker);
  const gateway = await startGateway({
    ...common,
    workerAddress: worker.address,
    logFile: logFile('gateway'),
  });
  services.push(gateway);
  const failing = await startGateway({
    ...common,
    workerAddress: system.adminAddress,
    logFile: logFile('failing'),
  });
  services.push(failing);

  for (const url of [gateway.url, system.url]) {
    for (const { request } of ENDPOINTS) await request(customer, customer.key, { url });
    await send('/api/v1/nope', { url, headers: bearer(customer.key) });
    await send('/api/v1/me', { url, method: 'DELETE', headers: bearer(customer.key) });
    await send('/api/v1/me', { url, headers: bearer(`${customer.key}x`) });
    await send('/api/v1/me', { url, headers: { authorization: customer.key } });
  }
  await send('/api/v1/me', {
    url: gateway.url,
    headers: { ...bearer(customer.key), 'x-request-id': 'last' },
  });
  const failed = await send('/api/v1/categories', { url: failing.url, headers: bearer(customer.key) });
  expect(failure(failed)).toEqual([500, 'server_error']);
  expect(statuses(await many(130, customer.key))[429]).toBeGreaterThan(0);
}, 30_000);

test('Redis holds the hash of the key, and no part of the key itself', async () => {
  const redis = new Redis(system.redisUrl ?? '');
  try {
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
  } finally {
    redis.disconnect();
  }
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

test('the key is in no log, not even at the most talkative level', async () => {
  const own = [logsDir, directory].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const logs = [...own, ...citusLogs];
  expect(logs.length).toBeGreaterThanOrEqual(7);
  const failures = () => readFileSync(logFile('failing'), 'utf8');
  await until('the failed request is in the log', () => failures().includes('request failed'));

  for (const file of logs) {
    const text = readFileSync(file, 'utf8');
    expect([file, SPELLINGS.filter((spelling) => text.includes(spelling))]).toEqual([file, []]);
  }
});
