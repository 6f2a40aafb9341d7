/** A server that does not accept writes is not the database: a standby, or one that an operator has made read-only. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool, queryRows } from '../../../ledger-worker/database/pool.ts';
import { accountOfKey, authenticate, listEntries, listSources } from '../../../ledger-worker/ledger/reads.ts';
import type { Service } from '../../../local/processes/child.ts';
import { startGateway } from '../../../local/servers/gateway.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { startProxy } from '../../faults/proxy.ts';
import { runToEnd, temporaryDirectory } from '../../fixtures/checkout.ts';
import { entry, send } from '../../fixtures/client.ts';
import { execute } from '../../fixtures/database.ts';
import { bearer } from '../../fixtures/endpoints.ts';
import { keepDoing } from '../../fixtures/keep-doing.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { newAccount } from '../../fixtures/new-account.ts';
import { type PairServer, startPostgresPair } from '../../fixtures/postgres-pair.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(120_000);

// Together they allow more requests in a minute than two writers send.
const KEYS = 30;

const directory = temporaryDirectory();
let pair: Awaited<ReturnType<typeof startPostgresPair>>;
/** A test may swap them. */
let primary: PairServer;
let standby: PairServer;
const cleanUps: (() => unknown)[] = [];
beforeAll(async () => {
  pair = await startPostgresPair();
  [primary, standby] = [pair.one, pair.other];
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
afterAll(() => pair.stop());

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

const promote = (server: PairServer) => execute(server.url, 'select pg_promote()');

/** A worker and a gateway on `hosts` of DATABASE_URL, and an account. */
async function startServices(hosts: string) {
  const logFile = join(directory, `${Bun.randomUUIDv7()}.log`);
  const databaseUrl = `postgres://ledger@${hosts}/ledger`;
  const worker = stopLater(await startWorker({ databaseUrl, env: { DATABASE_POOL_MAX: '4' }, logFile }));
  // Longer than a switchover takes on a busy machine.
  const env = { REQUEST_TIMEOUT_MS: '60000' };
  const { url } = stopLater(await startGateway({ workerAddress: worker.address, env }));
  const admin = createAdminClient(worker.adminAddress);
  cleanUps.push(() => admin.close());
  const { accountId, source, keys } = await newAccount(admin, KEYS);
  const path = `/api/v1/sources/${source}/transactions`;
  let sent = 0;
  const headers = () => bearer(keys[sent++ % KEYS] as string);
  return {
    accountId,
    keyHash: hashApiKey(keys[0] as string).toString('hex'),
    post: (externalRef: string) =>
      send(path, { url, method: 'POST', headers: headers(), body: JSON.stringify(entry({ externalRef })) }),
    page: () => send(path, { url, headers: headers() }),
    untilReadiness: (status: number) =>
      until(`/readyz is ${status}`, async () => (await send('/readyz', { url })).status === status),
    hosts: async (state: string) =>
      (await scrape(worker.metricsAddress)).value('ledger_database_hosts', { state }),
    log: () => readFileSync(logFile, 'utf8'),
  };
}

/** Clients that write until `expectStored`, which checks that each write was acknowledged and is in the database of `server`. */
async function beginWrites({ accountId, post }: Awaited<ReturnType<typeof startServices>>) {
  const acknowledged: string[] = [];
  const others: unknown[] = [];
  const write = (writer: string) => async (n: number) => {
    const { status, body } = await post(`${writer}-${n}`);
    if (status === 201) acknowledged.push(`${writer}-${n}`);
    else others.push([status, body]);
    // So that the limits of a minute and of a day are not reached.
    await Bun.sleep(50);
    return status === 201;
  };
  const writers = keepDoing(['one', 'two'].map(write));
  cleanUps.push(writers.stop);
  const untilMore = () => writers.untilMore(20);
  await untilMore();
  return {
    untilMore,
    async expectStored(server: PairServer) {
      await writers.stop();
      expect(others).toEqual([]);
      expect(await referencesIn(server, accountId)).toEqual(acknowledged.toSorted());
    },
  };
}

const referencesIn = async ({ url }: PairServer, accountId: string) => {
  const rows = await execute<{ ref: string }>(
    url,
    `select external_ref as ref from ledger.entry where account_id = '${accountId}' order by external_ref collate "C"`,
  );
  return rows.map(({ ref }) => ref);
};

test('a standby refuses to read for a request, and a worker does not start on it', async () => {
  const { accountId, keyHash } = await startServices(await addressOf(() => primary));
  const authenticate = `select plan from ledger.authenticate('${accountId}', '\\x${keyHash}')`;
  expect<unknown>(await execute(primary.url, authenticate)).toEqual([{ plan: 'pro' }]);
  const replicated = `select from ledger.api_key where key_hash = '\\x${keyHash}'`;
  const has = async () => (await execute(standby.url, replicated)).length === 1;
  await until('the standby has the key', has);
  expect<unknown>(await execute(standby.url, authenticate).catch(({ code }) => code)).toBe('25006');
  await expect(startWorker({ databaseUrl: standby.url })).rejects.toThrow(
    'DATABASE_URL is unavailable: it does not accept writes: list the primary',
  );
});

test('a standby refuses every read of a request, also of the account of a key', async () => {
  const { accountId, keyHash } = await startServices(await addressOf(() => primary));
  const caller = { accountId, keyHash: Buffer.from(keyHash, 'hex') };
  const pool = new Pool({ url: standby.url, poolMax: 1, statementTimeoutMs: 5_000 });
  const { signal } = new AbortController();
  const query = { caller, sourceId: Bun.randomUUIDv7(), after: null };
  const reads = {
    accountOfKey: () => accountOfKey(pool, caller.keyHash, signal),
    authenticate: () => authenticate(pool, caller, signal),
    listSources: () => listSources(pool, caller, signal),
    listEntries: () => listEntries(pool, [{ ...query, limit: 1 }], signal),
  };
  for (const [name, read] of Object.entries(reads)) {
    const outcome = await read().catch((error) => error.code);
    expect<unknown>([name, outcome]).toEqual([name, '25006']);
  }
  await pool.end();
});

test('a statement that a standby has refused opens a new connection the next time', async () => {
  let leads = standby;
  const address = await addressOf(() => leads);
  const url = `postgres://ledger@${address}/ledger`;
  const pool = new Pool({ url, poolMax: 1, statementTimeoutMs: 5_000 });
  const { signal } = new AbortController();
  const read = () =>
    queryRows(
      pool,
      (sql) => sql`select pg_current_xact_id() is not null as "isWritten"`,
      'isWritten',
      signal,
    );
  await expect(read()).rejects.toThrow('during recovery');
  leads = primary;
  expect<unknown>(await read()).toEqual([{ isWritten: true }]);
  await pool.end();
});

test('while an operator has switched the database to read-only, /readyz is 503 and nothing is read; afterwards requests succeed', async () => {
  const services = await startServices(await addressOf(() => primary));
  const { accountId, post, page, untilReadiness, hosts } = services;
  expect((await post('before')).status).toBe(201);
  const setReadOnly = async (value: string) => {
    await execute(primary.url, `alter system set default_transaction_read_only = ${value}`);
    await execute(primary.url, 'select pg_reload_conf()');
  };
  await setReadOnly('on');
  await until('the worker has noticed', async () => (await hosts('read_only')) === 1);
  await untilReadiness(503);
  const pending = [post('meanwhile'), page()];
  // That nothing happens can only be seen by waiting.
  expect(await Promise.race([...pending, Bun.sleep(300)])).toBeUndefined();
  await setReadOnly('off');
  const [written, found] = await Promise.all(pending);
  expect([written?.status, found?.status]).toEqual([201, 200]);
  await untilReadiness(200);
  expect(await referencesIn(primary, accountId)).toEqual(['before', 'meanwhile']);
});

test('after a switchover the name leads to the old primary for a time, which is a standby: nothing is read from it, requests wait, and succeed once the name has moved', async () => {
  let leads = primary;
  const services = await startServices(await addressOf(() => leads));
  const { page, untilReadiness, hosts, log } = services;
  const writes = await beginWrites(services);

  await primary.stop();
  await promote(standby);
  await primary.start(standby);
  [primary, standby] = [standby, primary];
  await until('the worker has found the standby', async () => (await hosts('read_only')) === 1);
  await untilReadiness(503);
  expect(log()).toContain('"state":"read_only","reason":"it does not accept writes: list the primary');
  const pending = page();
  leads = primary;
  await writes.untilMore();
  expect((await pending).status).toBe(200);
  await untilReadiness(200);
  expect(await hosts('writable')).toBe(1);
  await writes.expectStored(primary);
});

test('of two hosts the one that accepts writes is used, also when a standby is promoted', async () => {
  const [one, other] = [primary, standby];
  const list = [await addressOf(() => other), await addressOf(() => one)].join();
  const services = await startServices(list);
  expect([await services.hosts('writable'), await services.hosts('read_only')]).toEqual([1, 1]);
  const writes = await beginWrites(services);
  await one.stop();
  await promote(other);
  await writes.untilMore();
  await one.start(other);
  [primary, standby] = [other, one];
  await until('the old primary is known as a standby', async () => (await services.hosts('read_only')) === 1);
  await writes.expectStored(other);
  const env = { ...process.env, DATABASE_URL: `postgres://ledger@${list}/ledger` };
  const { out } = await runToEnd([process.execPath, 'ledger-worker/migrate-main.ts'], { env });
  expect(out).toContain('the database is up to date');
});

test('connections to a former primary that still accepts writes end as soon as a check has found the new one', async () => {
  const [former, next] = [primary, standby];
  let leads = former;
  const { accountId, post } = await startServices(await addressOf(() => leads));
  expect((await post('before')).status).toBe(201);
  await until('it is replicated', async () => (await referencesIn(next, accountId)).length === 1);
  await promote(next);
  leads = next;
  // The connection of the checks is lost, and the others are not.
  await execute(
    former.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'ledger-worker' and pid <> pg_backend_pid()
        and query ~ 'pg_postmaster_start_time|has_schema_privilege|oldest_contract'`,
  );
  let n = 0;
  await until('writes go to the new primary', async () => {
    expect((await post(`${n++}`)).status).toBe(201);
    return (await referencesIn(next, accountId)).length > 1;
  });
});

test('with the names of two servers that accept writes a worker does not start, and one that runs stays with its server', async () => {
  const [used, former] = [standby, primary];
  // Both have the tables, also if this test runs alone.
  await startServices(await addressOf(() => former));
  for (const { url } of [used, former]) await execute(url, 'select pg_promote() where pg_is_in_recovery()');
  const link = await startProxy(() => ({ path: former.socket }));
  cleanUps.push(() => link.close());
  await link.set({ kind: 'cut' });
  const list = `127.0.0.1:${link.port},${await addressOf(() => used)}`;
  const services = await startServices(list);
  const { accountId, hosts } = services;
  const writes = await beginWrites(services);
  await link.set({ kind: 'pass' });
  await until('the worker has found the former primary', async () => (await hosts('writable')) === 2);
  await writes.untilMore();
  await writes.expectStored(used);
  expect(await referencesIn(former, accountId)).toEqual([]);
  const databaseUrl = `postgres://ledger@${list}/ledger`;
  for (const program of ['main.ts', 'migrate-main.ts']) {
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      LISTEN_ADDRESS: '127.0.0.1:0',
      ADMIN_ADDRESS: '127.0.0.1:0',
    };
    const { exitCode, out } = await runToEnd([process.execPath, `ledger-worker/${program}`], { env });
    expect([exitCode, out]).toEqual([
      1,
      expect.stringContaining('DATABASE_URL names several databases: 127.0.0.1:'),
    ]);
  }
  const twice = [await addressOf(() => used), await addressOf(() => used)].join();
  stopLater(await startWorker({ databaseUrl: `postgres://ledger@${twice}/ledger` }));
});
