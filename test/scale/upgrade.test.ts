/**
 * An upgrade under load from the code of an earlier version, in the order of docs/deploying.md: schema, workers, gateways.
 * No entry is lost or doubled, and every request succeeds, at least after retries. A key that reads only writes at no step. The newer
 * version is this checkout with an additional migration and a changed function.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { openDatabase, type Sql } from '../../ledger-worker/database/connection.ts';
import { spawnChild } from '../../local/processes/child.ts';
import type { Gateway } from '../../local/servers/gateway.ts';
import type { Worker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { audit } from '../faults/audit/audit.ts';
import { readBooks } from '../faults/books.ts';
import { newHistory, succeeded } from '../faults/history.ts';
import { createTransport } from '../faults/transport.ts';
import { batch } from '../fixtures/books.ts';
import { send } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { earliestVersion, newerVersion, type Version } from './earlier-version.ts';
import { newClient, work } from './upgrade-load.ts';

// Twelve processes start one after the other, which takes minutes with one busy core.
setDefaultTimeout(10 * 60_000);

const CLIENTS = ['a', 'b', 'c', 'd'];
// Of all clients together, in each step of the upgrade.
const REQUESTS = 40;
/** Known since before the upgrade. */
const FIRST = batch('before', 5);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Creates a database and returns its URL. */
async function newDatabase(): Promise<string> {
  const name = `upgrade_${Bun.randomUUIDv7().replaceAll('-', '')}`;
  await sql`create database ${sql(name)}`;
  undo.push(() => sql`drop database ${sql(name)} with (force)`);
  const address = new URL(system.databaseUrl);
  address.pathname = name;
  return address.href;
}

/** The workers by the application_name of their connections, and the gateways in service. */
interface Fleet {
  databaseUrl: string;
  workers: Map<string, Worker>;
  gateways: Gateway[];
}

async function addWorkers(
  { databaseUrl, workers }: Fleet,
  start: Version['startWorker'],
  addresses: Record<string, string>,
  env: Record<string, string> = {},
): Promise<void> {
  const add = async ([name, listenAddress]: [string, string]) => {
    const worker = await start({
      databaseUrl: `${databaseUrl}&application_name=${name}`,
      listenAddress,
      env,
    });
    undo.push(worker.stop);
    workers.set(name, worker);
  };
  await Promise.all(Object.entries(addresses).map(add));
}

async function addGateways(
  { gateways }: Fleet,
  start: Version['startGateway'],
  workerAddress: string,
): Promise<void> {
  const add = async () => {
    const gateway = await start({ workerAddress });
    undo.push(gateway.stop);
    gateways.push(gateway);
  };
  await Promise.all([add(), add()]);
}

const two = (name: string) => ({
  [`${name}-1`]: `127.0.0.1:${freePort()}`,
  [`${name}-2`]: `127.0.0.1:${freePort()}`,
});

/** When each worker last created entries. */
async function lastWrites(db: Sql): Promise<Map<string, number>> {
  const rows = await db<{ name: string; at: number }[]>`
    select application_name as name, max(extract(epoch from query_start))::float8 as at
      from pg_stat_activity
     where datname = current_database() and query ~ 'ledger.write'
     group by application_name`;
  return new Map(rows.map(({ name, at }) => [name, at]));
}

test('from the last commit', async () => {
  const earlier = await earliestVersion();
  const newer = await newerVersion();
  const fleet: Fleet = { databaseUrl: await newDatabase(), workers: new Map(), gateways: [] };
  const db = openDatabase({ url: fleet.databaseUrl, poolMax: 2, statementTimeoutMs: 0 });
  undo.push(() => db.end());
  const [before, after] = [two('before'), two('after')];
  const workerAddress = `ipv4:${[...Object.values(before), ...Object.values(after)]}`;

  await addWorkers(fleet, earlier.startWorker, before);
  await addGateways(fleet, earlier.startGateway, workerAddress);
  const admin = createAdminClient(fleet.workers.get('before-1')?.adminAddress ?? '');
  const first = await newAccount(admin);
  const { key: reading = '' } = await admin.createKey({ accountId: first.accountId, readOnly: true });
  const clients = await Promise.all(CLIENTS.map((name) => newClient(admin, name)));
  admin.close();

  const history = newHistory();
  let next = 0;
  const transport = createTransport(history, () => {
    const first = next++ % fleet.gateways.length;
    const rotated = [...fleet.gateways.slice(first), ...fleet.gateways.slice(0, first)];
    return rotated.map((gateway) => ({ name: gateway.url, current: gateway }));
  });
  const post = (url: string, key: string | undefined, entries: object[]) =>
    send(`/api/v1/sources/${first.source}/transactions`, {
      ...{ url, method: 'POST', body: JSON.stringify(entries) },
      headers: { authorization: `Bearer ${key}` },
    });
  const sendFirst = async (url: string) => {
    const { body } = await post(url, first.keys[0], FIRST);
    return [body.created, body.deduplicated, body.conflicts];
  };
  expect(await sendFirst(fleet.gateways[0]?.url ?? '')).toEqual([FIRST.length, 0, undefined]);

  const stop = new AbortController();
  const working = Promise.all(clients.map((client) => work(client, transport, stop.signal)));
  undo.push(() => stop.abort());
  const succeededNow = () => history.requests.filter(succeeded).length;
  const expectProgress = async (what: string) => {
    const [begun, since] = [succeededNow(), Date.now() / 1000];
    await until(
      `${what}: more requests, and writes by every worker`,
      async () => {
        const writes = await lastWrites(db);
        const haveAllWritten = [...fleet.workers.keys()].every((name) => (writes.get(name) ?? 0) > since);
        return succeededNow() >= begun + REQUESTS && haveAllWritten;
      },
      5 * 60_000,
    );
    for (const { url } of fleet.gateways) {
      expect([what, await sendFirst(url)]).toEqual([what, [0, FIRST.length, undefined]]);
      const { status, body } = await post(url, reading, batch('by a key that reads only', 1));
      expect([what, status, body.error?.code]).toEqual([what, 403, 'read_only_key']);
    }
  };
  await expectProgress('all earlier');

  const dump = await beginDump(fleet.databaseUrl);
  const migration = spawnChild({
    name: 'migration',
    command: [process.execPath, 'ledger-worker/migrate-main.ts'],
    cwd: newer.directory,
    env: { ...process.env, DATABASE_URL: fleet.databaseUrl },
  });
  undo.push(() => migration.stop());
  await until('a migration that waits for the locks of the dump', () => dump.isBlocking());
  await expectProgress('a migration that waits for a dump');
  await dump.end();
  await migration.completed(undefined);
  await expectProgress('earlier workers on the newer schema');

  await addWorkers(fleet, newer.startWorker, after, { MIGRATE: 'never' });
  await expectProgress('earlier and newer workers');

  const functions = await textsOfFunctions(db);
  expect(functions).toContainEqual(expect.stringContaining(', written_at = v_written_at'));
  await fleet.workers.get('before-1')?.stop();
  // It migrates at its start, but knows only the older migrations.
  await addWorkers(fleet, earlier.startWorker, { 'before-1': before['before-1'] ?? '' });
  expect(await textsOfFunctions(db)).toEqual(functions);
  await expectProgress('an earlier worker has restarted');

  for (const name of Object.keys(before)) {
    await fleet.workers.get(name)?.stop();
    fleet.workers.delete(name);
    await expectProgress(`${name} is stopped`);
  }

  const leaving = [...fleet.gateways];
  await addGateways(fleet, newer.startGateway, workerAddress);
  await expectProgress('earlier and newer gateways');
  // The load balancer sends them no new requests, and they finish those in progress.
  fleet.gateways = fleet.gateways.filter((gateway) => !leaving.includes(gateway));
  await Promise.all(leaving.map((gateway) => gateway.stop()));
  await expectProgress('all newer');

  stop.abort();
  await working;
  const accountIds = clients.map(({ workload }) => workload.account.accountId);
  const books = await readBooks({ sql: db, servers: () => [db], isDistributed: false }, accountIds);
  expect(audit({ history, books, allowedFailures: [] })).toEqual([]);
  expect(books.rows.length).toBeGreaterThan(100);
  const [ofFirst] = await db`
    select count(*)::int as stored from ledger.entry where account_id = ${first.accountId}`;
  expect(ofFirst).toEqual({ stored: FIRST.length });
  const [counted] = await db`
    select count(*)::int as counted from ledger.source
     where account_id in ${db(accountIds)} and written_at is not null`;
  expect(counted).toEqual({ counted: clients.length });
});

async function textsOfFunctions(db: Sql): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select prosrc as text from pg_proc where pronamespace = 'ledger'::regnamespace order by proname`;
  return rows.map(({ text }) => text);
}

/** Holds the locks that pg_dump holds while it runs. */
async function beginDump(databaseUrl: string) {
  const connection = openDatabase({ url: databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  const end = () => connection.end();
  undo.push(end);
  await connection.unsafe(`
    begin;
    lock table ledger.account, ledger.api_key, ledger.source, ledger.entry, ledger.write_log in access share mode`);
  const [own] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return {
    end,
    async isBlocking() {
      const waiting = await sql`
        select from pg_stat_activity
         where query like '%$migrate$%' and ${own?.pid ?? 0} = any (pg_blocking_pids(pid))`;
      return waiting.length > 0;
    },
  };
}
