/** No key, no hash of one, no password and no entry is in any log, whatever went wrong, at the most talkative level. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import Client from 'ioredis';
import { mintApiKey } from '../../ledger-worker/admin/keys.ts';
import type { Service } from '../../local/processes/child.ts';
import { startGateway, startRedis, startWorker } from '../../local/system.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, ENDPOINTS } from '../fixtures/endpoints.ts';
import { openLedger } from '../fixtures/ledger.ts';
import { locks } from '../fixtures/locks.ts';
import { minuteOf } from '../fixtures/minute.ts';
import { logsDir, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);
afterEach(() => locks.release());

const directory = temporaryDirectory();
const logFile = (name: string) => join(directory, `${name}.log`);
const logOf = (name: string) => readFileSync(logFile(name), 'utf8');
const services: Service[] = [];
afterAll(async () => {
  for (const service of services.reverse()) await service.stop();
});

const account = await TestAccount.create();
const unknown = mintApiKey('ledger');

/** Unique texts of an entry, new for each test run. */
const canary = (name: string) => `canary-${name}-${Bun.randomUUIDv7().slice(-12)}`;
const TEXTS = {
  description: canary('description'),
  externalRef: canary('reference'),
  category: canary('category'),
  property: canary('property'),
  idempotencyKey: canary('idempotency'),
  cursor: canary('cursor'),
  cookie: canary('cookie'),
};
const PASSWORDS = { database: canary('database'), redis: canary('redis') };

/** Everything that no log may hold, by name. */
const SECRETS: Record<string, string> = { ...TEXTS, ...PASSWORDS };
for (const [name, key] of Object.entries({ key: account.key, unknownKey: unknown })) {
  const hash = hashApiKey(key);
  const secret = key.slice(key.lastIndexOf('_') + 1);
  Object.assign(SECRETS, {
    [name]: secret,
    [`half of ${name}`]: secret.slice(0, 16),
    [`${name} in base64`]: btoa(key).slice(0, -4),
    [`${name}'s hash in hex`]: hash.toString('hex'),
    [`${name}'s hash in base64`]: hash.toString('base64').slice(0, -2),
    [`${name}'s hash in base64url`]: hash.toString('base64url').slice(0, -2),
    [`${name}'s hash in bytes`]: hash.toJSON().data.join(','),
  });
}
const secretsIn = (text: string) => Object.keys(SECRETS).filter((name) => text.includes(SECRETS[name] ?? ''));

const full = { description: TEXTS.description, externalRef: TEXTS.externalRef };
const PATH = account.transactions;

/** Requests that succeed, are refused or are malformed, each with a secret in it. */
async function sendEverything(url: string): Promise<void> {
  for (const { request } of ENDPOINTS) await request(account, account.key, { url });
  for (const key of [unknown, `${account.key}x`, account.key.slice(0, -1)]) {
    await send('/api/v1/me', { url, headers: bearer(key) });
  }
  await send('/api/v1/me', { url, headers: { authorization: account.key, cookie: TEXTS.cookie } });
  await send(`/api/v1/nope?key=${account.key}`, { url, headers: bearer(account.key) });
  await send('/api/v1/me', { url, method: 'DELETE', headers: bearer(account.key) });

  // Pasted where it does not belong, in a request that fails where the worker does: no cache knows its other key.
  await send(`/api/v1/sources/${account.key}/transactions`, {
    url,
    headers: { ...bearer(unknown), 'x-request-id': account.key, 'user-agent': account.key },
  });

  const headers = { 'idempotency-key': TEXTS.idempotencyKey };
  const post = (body: unknown, more: object = {}) =>
    account.post(body, { url, headers: { ...headers, ...more } });
  await post(entry(full));
  await post(entry({ ...full, amountPence: 1 }));
  await post(entry({ ...full, category: TEXTS.category }));
  await post(entry({ ...full, [TEXTS.property]: TEXTS.description }));
  await post(`{"description":"${TEXTS.description}`);
  await post(gzipSync(TEXTS.description), { 'content-encoding': 'gzip' });
  await send(`${PATH}?cursor=${TEXTS.cursor}&from=${TEXTS.cursor}`, { url, headers: bearer(account.key) });
}

beforeAll(async () => {
  const redis = await startRedis({ logFile: logFile('redis') });
  if (!redis) throw new Error('neither Redis nor Valkey is on the PATH');
  services.push(redis);

  const env = { LOG_LEVEL: 'debug', STATEMENT_TIMEOUT_MS: '2000', REQUEST_TIMEOUT_MS: '4000' };
  const databaseUrl = system.databaseUrl.replace('ledger@', `ledger:${PASSWORDS.database}@`);
  const worker = await startWorker({ env, databaseUrl, logFile: logFile('worker') });
  services.push(worker);
  const start = async (name: string, workerAddress: string, redisUrl: string, readyStatus = 200) => {
    const gateway = await startGateway({ env, workerAddress, redisUrl, readyStatus, logFile: logFile(name) });
    services.push(gateway);
    return gateway.url;
  };
  const url = await start('gateway', worker.address, redis.url);
  const misled = await start('misled', system.adminAddress, redis.url, 503);
  const alone = await start('alone', worker.address, `redis://:${PASSWORDS.redis}@127.0.0.1:1`);

  await Promise.all([url, misled, alone].map(sendEverything));

  // A write that waits longer than it may.
  await locks.account(account.accountId);
  expect((await account.post(entry(full), { url })).status).toBe(503);
  await locks.release();

  // Values that the gateway would not let through, and that only the database refuses.
  const ledger = openLedger(worker.address);
  const caller = { accountId: account.accountId, keyHash: hashApiKey(account.key) };
  const sourceId = account.sources['uk-property'];
  // Under a reference of its own: what is known already is not stored, and so not refused.
  const valid = { ...entry(full), externalRef: `${TEXTS.externalRef} again`, id: Bun.randomUUIDv7() };
  for (const entries of [
    [{ ...valid, amountPence: 0 }],
    [{ ...valid, description: TEXTS.description.padEnd(501) }],
  ]) {
    const refused = ledger.createEntries({ caller, sourceId, entries });
    expect(await refused.catch(({ code }) => code)).toBe(status.INVALID_ARGUMENT);
  }
  ledger.close();

  // A Redis that returns errors, as one does that is read-only or full.
  const client = new Client(redis.url);
  await client.set(minuteOf(account), 'x');
  await until('Redis has returned an error', async () => {
    await send('/api/v1/me', { url, headers: bearer(account.key) });
    return logOf('gateway').includes('WRONGTYPE');
  });
  client.disconnect();
});

test('a worker that cannot reach its database does not log the password', async () => {
  const databaseUrl = `postgres://ledger:${PASSWORDS.database}@127.0.0.1:1/ledger`;
  const env = { LOG_LEVEL: 'debug' };
  const death = String(await startWorker({ env, databaseUrl, logFile: logFile('lost') }).catch(String));
  expect(death).toContain('The database of DATABASE_URL is unavailable');
  expect(secretsIn(death)).toEqual([]);
  expect(secretsIn(logOf('lost'))).toEqual([]);
});

test('the failures that could have revealed a secret are in the logs', async () => {
  await until('the last lines are written', () => logOf('misled').includes('UNIMPLEMENTED'));
  expect(logOf('gateway')).toContain('request failed');
  expect(logOf('gateway')).toContain('"level":20');
  expect(logOf('alone')).toContain('redis is unavailable');
  expect(logOf('worker')).toContain('request failed');
  expect(readFileSync(join(logsDir, 'postgres.log'), 'utf8')).toContain('violates check constraint');
});

test('every log of both processes, of Postgres and of Redis is without secrets', () => {
  const files = [directory, logsDir].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  expect(files.map((file) => file.split('/').at(-1))).toEqual(
    expect.arrayContaining(['gateway.log', 'worker.log', 'postgres.log', 'redis.log']),
  );
  expect(secretsIn(`a log of ${account.key}`)).not.toEqual([]);
  const found = files.map((file) => ({ file, secrets: secretsIn(readFileSync(file, 'utf8')) }));
  expect(found.filter(({ secrets }) => secrets.length > 0)).toEqual([]);
});
