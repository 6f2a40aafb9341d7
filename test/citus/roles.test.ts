/** Roles, rights and logs on the servers of a distributed database. */
import { expect, setDefaultTimeout } from 'bun:test';
import { distribute } from '../../ledger-worker/citus/distribute.ts';
import type { Sql } from '../../ledger-worker/database/connection.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { type CitusCluster, startCitusCluster } from '../fixtures/citus-cluster.ts';
import { migrateAndFill } from '../fixtures/citus-database.ts';
import { execute, openOne } from '../fixtures/database.ts';
import { newEntry, openLedger } from '../fixtures/ledger.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

let cluster: CitusCluster;
/** Of the coordinator, then of each node. */
let urls: string[];
let coordinator: string;
const as = (role: string, url: string) => Object.assign(new URL(url), { username: role }).href;
const workers: Worker[] = [];
/** The schema's owner, which is no superuser. */
let owner: Sql;
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await owner?.end();
  await cluster?.stop();
});

const run = () => distribute(owner, () => {});
/** In a database without Citus, which does not copy it. */
const executeApart = (statement: string) =>
  execute(Object.assign(new URL(coordinator), { pathname: 'postgres' }).href, statement);
/** On each server by itself. */
const onEach = async (statements: string) => {
  for (const url of urls) await execute(url, `set citus.enable_ddl_propagation = off; ${statements}`);
};
const rolesOf = async (url: string) => [
  ...(await execute<{ role: string; password: string | null }>(
    url,
    `select rolname as role, rolcanlogin as login, pg_has_role(oid, 'ledger_worker', 'member') as worker, rolpassword as password
         from pg_authid where rolname like '%worker' order by rolname`,
  )),
];

beforeAll(async () => {
  cluster = await startCitusCluster();
  urls = [cluster.coordinator, ...cluster.nodes].map(({ url }) => url);
  coordinator = cluster.coordinator.url;
  owner = openOne(as('an_owner', coordinator));
  await executeApart('create role ledger_worker nologin');
  await executeApart("create role a_worker login password 'secret' in role ledger_worker");
  // Before the nodes have roles of the database, as an operator prepares it.
  await onEach('create role an_owner login; grant create on database ledger to an_owner');
  await migrateAndFill(owner);
});

test('an owner who is no superuser is told which settings the nodes lack', async () => {
  await expect(run()).rejects.toThrow(
    /^The database cannot be distributed [^\n]*log_min_error_statement = 'panic'[^\n]* on 127\.0\.0\.1:\d+, [^\n]*\.$/,
  );
});

test('an owner who is no superuser distributes the database where the settings are made', async () => {
  await onEach(
    "alter database ledger set log_min_error_statement = 'panic'; alter database ledger set log_error_verbosity = 'terse'",
  );
  await run();
  const [row] = await owner`select count(*)::integer as entries from ledger.entry`;
  expect(row).toEqual({ entries: 5_000 } as never);
});

test('ledger_worker and its members are on every node, with their passwords', async () => {
  const expected = await rolesOf(coordinator);
  expect(expected.map(({ role }) => role)).toEqual(['a_worker', 'ledger_worker']);
  expect(expected[0]?.password).toStartWith('SCRAM-SHA-256');
  for (const url of urls) expect(await rolesOf(url)).toEqual(expected);
});

test('another run copies the roles that were created since', async () => {
  await executeApart('create role late_worker login in role ledger_worker');
  await run();
  const expected = ['a_worker', 'late_worker', 'ledger_worker'];
  for (const url of urls) expect((await rolesOf(url)).map(({ role }) => role)).toEqual(expected);
});

test('a node that is added later has the roles, the rights and the functions', async () => {
  // Citus names types as the session's search_path lets it, and the new node has another one. This superuser has the name of the schema.
  await execute(coordinator, 'alter role ledger set search_path = public');
  const added = await cluster.addNode();
  const superuser = openOne(coordinator);
  await distribute(superuser, () => {});
  await superuser.end();
  expect([...(await execute(added.url, 'show log_min_error_statement'))]).toEqual([
    { log_min_error_statement: 'panic' },
  ]);
  expect(await rolesOf(added.url)).toEqual(await rolesOf(coordinator));
  const rights = `
    select has_table_privilege('a_worker', 'ledger.entry', 'insert') as inserts,
           has_table_privilege('a_worker', 'ledger.entry', 'delete') as deletes,
           has_function_privilege('a_worker', 'ledger.write_group(uuid,ledger.write_request[],ledger.sent_entry[],integer,interval,interval,boolean)', 'execute') as calls`;
  expect([...(await execute(added.url, rights))]).toEqual([{ inserts: true, deletes: false, calls: true }]);
});

test.each([
  ['the coordinator', () => cluster.coordinator],
  ['a node', () => cluster.nodes[0]],
])('a worker in the role serves through %s', async (_, serverOf) => {
  const { url } = serverOf();
  const worker = await startWorker({ databaseUrl: as('a_worker', url), env: { MIGRATE: 'never' } });
  workers.push(worker);
  const admin = createAdminClient(worker.adminAddress, 'a test');
  const ledger = openLedger(worker.address);
  const { accountId, source: sourceId, keys } = await newAccount(admin);
  const caller = { accountId, keyHash: hashApiKey(keys[0] ?? '') };
  const entries = [newEntry({ externalRef: 'a' }), newEntry()];
  expect((await ledger.createEntries({ caller, sourceId, entries })).created).toBeDefined();
  expect((await ledger.listEntries({ caller, sourceId, limit: 50 })).page).toBeDefined();
  expect((await ledger.listSources({ caller })).sources).toBeDefined();
  expect((await ledger.authenticate({ keyHash: caller.keyHash })).identity).toBeDefined();
  await admin.renameSource({ id: sourceId, name: 'House' });
  const [waiting] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
  await admin.categorise({ accountId, ...waiting, category: 'taxDeducted' });
  for (const { keyId } of (await admin.listKeys({ accountId })).keys) await admin.revokeKey({ keyId });
  await admin.deleteAccount({ accountId });
  await admin.restoreAccount({ accountId });
  await admin.deleteAccount({ accountId });
  expect(await admin.eraseAccount({ accountId })).toEqual({ accountId, entries: 2 });
  ledger.close();
  admin.close();
});

test.each([
  'delete from ledger.entry',
  'update ledger.entry set amount_pence = 1',
  'delete from ledger.admin_action',
  'delete from ledger.write_log',
  'select ledger.grant_to_worker()',
])('the role may not, on any server: %s', async (statement) => {
  for (const url of urls) {
    expect(await execute(as('a_worker', url), statement).catch(({ code }) => code)).toBe('42501');
  }
});

test('no server logs the statement that fails, with which Citus sends the values of an entry', async () => {
  const secret = 'Rent of Mr Smith';
  const [account] = await owner<{ id: string; source: string }[]>`
    select account_id as id, source_id as source from ledger.source limit 1`;
  const fail = () =>
    Promise.all(
      urls.map((url) =>
        execute(
          url,
          `insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, description)
           values ('${account?.id}', gen_random_uuid(), '${account?.source}', '2026-01-01', 0, 'income', '${secret}')`,
        ).catch(({ code }) => expect(code).toBe('23514')),
      ),
    );
  const servers = [cluster.coordinator, ...cluster.nodes.slice(0, 2)];
  const isLogged = () => servers.some((server) => server.readLog().includes(secret));
  await fail();
  expect(isLogged()).toBe(false);
  // With the settings that Postgres has by itself it is logged.
  await onEach('alter database ledger reset log_min_error_statement');
  await fail();
  expect(isLogged()).toBe(true);
});
