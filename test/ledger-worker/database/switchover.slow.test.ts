/** A server that does not accept writes is not the database: a standby, or one that an operator has made read-only. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { Pool, queryRows } from '../../../ledger-worker/database/pool.ts';
import type { Service } from '../../../local/processes/child.ts';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { createAdminClient } from '../../../proto/client.ts';
import { startProxy } from '../../faults/proxy.ts';
import { send } from '../../fixtures/client.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { type PairServer, startPostgresPair } from '../../fixtures/postgres-pair.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(120_000);

const WRITERS = 4;
// Below the limit of a key's minute.
const REQUESTS_MAX = 110;

let directory: string;
let pair: Awaited<ReturnType<typeof startPostgresPair>>;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-switchover-'));
  pair = await startPostgresPair();
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await pair.stop();
  rmSync(directory, { recursive: true, force: true });
});

const stopLater = <S extends Service>(service: S): S => {
  cleanUps.push(() => service.stop());
  return service;
};

/** The address of a server, or of the one that `leads` returns at each connection. */
async function addressOf(leads: () => PairServer): Promise<string> {
  const link = await startProxy(() => ({ path: leads().socket }));
  cleanUps.push(() => link.close());
  return `127.0.0.1:${link.port}`;
}

const read = async (url: string, query: string) => {
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 5_000 });
  return sql.unsafe(query).finally(() => sql.end());
};

const promote = (server: PairServer) => read(server.url, 'select pg_promote()');

/** A worker and a gateway on `hosts` of DATABASE_URL, and an account. */
async function startServices(hosts: string) {
  const logFile = join(directory, 'worker.log');
  const worker = stopLater(
    await startWorker({
      databaseUrl: `postgres://ledger@${hosts}/ledger`,
      env: { DATABASE_POOL_MAX: '4' },
      logFile,
    }),
  );
  // Longer than a switchover takes on a busy machine.
  const env = { REQUEST_TIMEOUT_MS: '60000' };
  const { url } = stopLater(await startGateway({ workerAddress: worker.address, env }));
  const admin = createAdminClient(worker.adminAddress);
  cleanUps.push(() => admin.close());
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const source = await admin.createSource({
    accountId,
    type: 'uk-property',
    name: 'Flat',
    role: 'owner',
    sharePercent: 100,
  });
  const newKey = async () => (await admin.createKey({ accountId })).key;
  const path = `/api/v1/sources/${source.id}/transactions`;
  const post = (key: string, externalRef: string) =>
    send(path, {
      url,
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify({ date: '2026-04-06', type: 'income', amountPence: 1, externalRef }),
    });
  return {
    accountId,
    newKey,
    post,
    page: async (key: string) => send(path, { url, headers: bearer(key) }),
    readiness: async () => (await send('/readyz', { url })).status,
    hosts: async (state: string) =>
      (await scrape(worker.metricsAddress)).value('ledger_database_hosts', { state }),
    log: () => readFileSync(logFile, 'utf8'),
  };
}

type Services = Awaited<ReturnType<typeof startServices>>;

/** Clients that write until `stop`, which returns the acknowledged references, and the responses that were not 201. */
async function beginWrites({ newKey, post }: Services) {
  const acknowledged: string[] = [];
  const others: unknown[] = [];
  let isStopped = false;
  const keys = await Promise.all(Array.from({ length: WRITERS }, newKey));
  const writers = keys.map(async (key, writer) => {
    for (let n = 0; !isStopped && n < REQUESTS_MAX; n++) {
      const externalRef = `${writer}-${n}`;
      const { status, body } = await post(key, externalRef);
      if (status === 201) acknowledged.push(externalRef);
      else others.push([status, body]);
      await Bun.sleep(50);
    }
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all(writers);
    return { acknowledged: acknowledged.toSorted(), others };
  };
  cleanUps.push(stop);
  return { acknowledged, stop };
}

const referencesIn = async (server: PairServer) =>
  (
    await read(server.url, 'select external_ref as ref from ledger.entry order by external_ref collate "C"')
  ).map(({ ref }) => ref as string);

test('after a switchover the name leads to the old primary for a time, which is a standby: nothing is read from it, requests wait, and succeed once the name has moved', async () => {
  const { one, other } = pair;
  let leads = one;
  const services = await startServices(await addressOf(() => leads));
  const { newKey, page, readiness, hosts, log } = services;
  const [key] = await Promise.all([newKey(), newKey()]);
  const writes = await beginWrites(services);
  await until('some writes', () => writes.acknowledged.length > 20);

  await one.stop();
  await promote(other);
  await one.start(other);
  await until('the worker has found the standby', async () => (await hosts('read_only')) === 1);
  await until('/readyz is 503', async () => (await readiness()) === 503);
  expect(log()).toContain('"state":"read_only","reason":"it does not accept writes"');
  const before = writes.acknowledged.length;
  const pending = page(key);
  leads = other;
  await until('writes succeed again', () => writes.acknowledged.length > before + 20);
  expect((await pending).status).toBe(200);
  await until('/readyz is 200', async () => (await readiness()) === 200);
  expect(await hosts('writable')).toBe(1);

  const { acknowledged, others } = await writes.stop();
  expect(others).toEqual([]);
  expect(await referencesIn(other)).toEqual(acknowledged);
});

test('of two hosts the one that accepts writes is used, also when a standby is promoted', async () => {
  const { one, other } = pair;
  const list = [await addressOf(() => other), await addressOf(() => one)].join();
  const services = await startServices(list);
  expect([await services.hosts('writable'), await services.hosts('read_only')]).toEqual([1, 1]);
  const writes = await beginWrites(services);
  await until('some writes', () => writes.acknowledged.length > 20);
  await one.stop();
  await promote(other);
  const before = writes.acknowledged.length;
  await until('writes succeed again', () => writes.acknowledged.length > before + 20);
  await one.start(other);
  await until('the old primary is known as a standby', async () => (await services.hosts('read_only')) === 1);
  const { acknowledged, others } = await writes.stop();
  expect(others).toEqual([]);
  expect(await referencesIn(other)).toEqual(acknowledged);
  const migrating = Bun.spawn([process.execPath, 'ledger-worker/migrate-main.ts'], {
    env: { ...process.env, DATABASE_URL: `postgres://ledger@${list}/ledger` },
  });
  expect(await migrating.stdout.text()).toContain('the database is up to date');
});

test('a standby refuses to read for a request, and a worker does not start on it', async () => {
  const { one, other } = pair;
  const { accountId, newKey } = await startServices(await addressOf(() => one));
  const key = await newKey();
  const hash = hashApiKey(key).toString('hex');
  const authenticate = `select plan from ledger.authenticate('${accountId}', '\\x${hash}')`;
  expect<unknown>(await read(one.url, authenticate)).toEqual([{ plan: 'pro' }]);
  await until('the standby has the key', async () => {
    const keys = await read(other.url, `select from ledger.api_key where key_hash = '\\x${hash}'`);
    return keys.length === 1;
  });
  expect<unknown>(await read(other.url, authenticate).catch(({ code }) => code)).toBe('25006');
  await expect(startWorker({ databaseUrl: other.url })).rejects.toThrow(
    'The database is unavailable: it does not accept writes.',
  );
});

test('a statement that a standby has refused opens a new connection the next time', async () => {
  let leads = pair.other;
  const address = await addressOf(() => leads);
  const url = `postgres://ledger@${address}/ledger`;
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 5_000 });
  const read = () =>
    queryRows(
      pool,
      (sql) => sql`select pg_current_xact_id() is not null as "isWritten"`,
      'isWritten',
      new AbortController().signal,
    );
  await expect(read()).rejects.toThrow('during recovery');
  leads = pair.one;
  expect<unknown>(await read()).toEqual([{ isWritten: true }]);
  await pool.end();
});

test('while an operator has switched the database to read-only, /readyz is 503 and nothing is read; afterwards requests succeed', async () => {
  const { one } = pair;
  const services = await startServices(await addressOf(() => one));
  const { newKey, post, page, readiness, hosts } = services;
  const [key, ofReader] = [await newKey(), await newKey()];
  expect((await post(key, 'before')).status).toBe(201);
  const setReadOnly = async (value: string) => {
    await read(one.url, `alter system set default_transaction_read_only = ${value}`);
    await read(one.url, 'select pg_reload_conf()');
  };
  await setReadOnly('on');
  await until('the worker has noticed', async () => (await hosts('read_only')) === 1);
  await until('/readyz is 503', async () => (await readiness()) === 503);
  const pending = [post(key, 'meanwhile'), page(ofReader)];
  expect(await Promise.race([...pending, Bun.sleep(500)])).toBeUndefined();
  await setReadOnly('off');
  const [written, found] = await Promise.all(pending);
  expect([written?.status, found?.status]).toEqual([201, 200]);
  await until('the worker has noticed', async () => (await readiness()) === 200);
  expect(await referencesIn(one)).toEqual(['before', 'meanwhile']);
});
