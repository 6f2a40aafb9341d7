/** A worker whose role may do what its statements need, and nothing else; the schema is another role's. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import type { Service } from '../../../local/processes/child.ts';
import { startPostgres } from '../../../local/servers/postgres.ts';
import { startGateway, startWorker } from '../../../local/system.ts';
import { type AdminClient, createAdminClient } from '../../../proto/admin-client.ts';
import { createLedgerClient } from '../../../proto/client.ts';
import { runToEnd, temporaryDirectory } from '../../fixtures/checkout.ts';
import { entry, send } from '../../fixtures/client.ts';
import { openOne } from '../../fixtures/database.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(120_000);

const directory = temporaryDirectory();
const services: Service[] = [];
const pools: Sql[] = [];
let superuserUrl: string;
/** Who makes roles and databases, who owns the schema, and who works. */
let superuser: Sql;
let owner: Sql;
let worker: Sql;

function urlOf(role: string): string {
  const url = new URL(superuserUrl);
  url.username = role;
  url.pathname = 'books';
  return url.href;
}
function open(url: string): Sql {
  const sql = openOne(url);
  pools.push(sql);
  return sql;
}

/** Runs an entry point until it ends. @returns its exit code, and the one sentence in its log */
async function runMain(main: string, own: Record<string, string>): Promise<[number, string]> {
  const env = { PATH: process.env.PATH, LISTEN_ADDRESS: '127.0.0.1:0', ADMIN_ADDRESS: '127.0.0.1:0', ...own };
  const { exitCode, out } = await runToEnd([process.execPath, main], { env, timeout: 30_000 });
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  return [exitCode, JSON.parse(lines[0] ?? '').msg];
}
const startNever = () =>
  runMain('ledger-worker/main.ts', { DATABASE_URL: urlOf('a_worker'), MIGRATE: 'never' });
const migrateAsOwner = () => runMain('ledger-worker/migrate-main.ts', { DATABASE_URL: urlOf('an_owner') });

beforeAll(async () => {
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres') });
  services.push(postgres);
  superuserUrl = postgres.url;
  superuser = open(superuserUrl);
  await superuser`create role an_owner login nocreaterole`;
  await superuser`create role a_worker login`;
  await superuser`create database books owner an_owner`;
  owner = open(urlOf('an_owner'));
  worker = open(urlOf('a_worker'));
});
afterAll(async () => {
  for (const sql of pools) await sql.end();
  for (const service of services.reverse()) await service.stop();
});

test('with MIGRATE=never a worker does not start on an empty database, and says what to do', async () => {
  const [exitCode, sentence] = await startNever();
  expect(exitCode).toBe(1);
  expect(sentence).toMatch(/^[^\n]*lacks all of it[^\n]*`bun run migrate`[^\n]*\.$/);
});

test('an owner that may not create roles migrates, and grants the rights once the role exists', async () => {
  for (let times = 0; times < 2; times++) {
    expect(await migrateAsOwner()).toEqual([0, 'the database is up to date']);
  }
  const roles = await superuser`select from pg_roles where rolname = 'ledger_worker'`;
  expect(roles.length).toBe(0);
  // As in docs/deploying.md.
  await superuser`create role ledger_worker nologin`;
  await owner`select ledger.grant_to_worker()`;
  await superuser`grant ledger_worker to a_worker`;
});

describe('a worker in the role ledger_worker', () => {
  let url: string;
  let admin: AdminClient;
  beforeAll(async () => {
    const started = await startWorker({ databaseUrl: urlOf('a_worker'), env: { MIGRATE: 'never' } });
    services.push(started);
    const gateway = await startGateway({ workerAddress: started.address });
    services.push(gateway);
    url = gateway.url;
    admin = createAdminClient(started.adminAddress, 'a test');
  });
  afterAll(() => admin?.close());

  test('serves the whole API and every command of operators', async () => {
    const { accountId } = await admin.createAccount({ plan: 'free' });
    await admin.setPlan({ accountId, plan: 'pro' });
    const source = { type: 'uk-property', name: 'Flat', role: 'owner', sharePercent: 100 };
    const { id: sourceId } = await admin.createSource({ accountId, ...source });
    await admin.renameSource({ id: sourceId, name: 'House' });
    const { key, keyId } = await admin.createKey({ accountId });
    const headers = { authorization: `Bearer ${key}` };
    const get = async (path: string) => (await send(`/api/v1${path}`, { url, headers })).body;
    const path = `/sources/${sourceId}/transactions`;
    const post = async (body: object, more = {}) => {
      const options = { url, method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } };
      const response = await send(`/api/v1${path}`, options);
      return [response.status, response.body.created ?? response.body.error.code];
    };

    expect(await get('/me')).toMatchObject({ accountId, plan: 'pro' });
    expect(await get('/categories?sourceType=self-employment')).toHaveProperty('income');
    expect(await post([entry({ externalRef: 'a' }), entry({ category: 'periodAmount' })])).toEqual([201, 2]);
    expect(await post([entry({ externalRef: 'a' })])).toEqual([200, 0]);
    for (let times = 0; times < 2; times++) {
      expect(await post(entry(), { 'idempotency-key': 'once' })).toEqual([201, 1]);
    }
    expect(await post(entry({ category: 'turnover' }))).toEqual([422, 'invalid_category']);
    expect((await get(`${path}?limit=2`)).transactions).toHaveLength(2);
    expect((await get('/sources')).sources).toMatchObject([{ name: 'House', transactionCount: 3 }]);

    const [waiting] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
    await admin.categorise({ accountId, ...waiting, category: 'taxDeducted' });
    expect((await admin.listAccounts({ limit: 10 })).accounts).toHaveLength(1);
    expect((await admin.listKeys({ accountId })).keys).toHaveLength(1);
    expect((await admin.listAccountSources({ accountId })).sources).toHaveLength(1);
    await admin.removeSource({ id: sourceId });
    expect(await post(entry())).toEqual([404, 'source_not_found']);
    await admin.revokeKey({ keyId });
    expect(await post(entry())).toEqual([401, 'invalid_key']);
    expect((await admin.listActions({ accountId, limit: 50 })).actions).toHaveLength(8);

    await admin.deleteAccount({ accountId });
    await admin.restoreAccount({ accountId });
    await admin.deleteAccount({ accountId });
    expect(await admin.eraseAccount({ accountId })).toEqual({ accountId, entries: 3 });
    expect((await owner`select from ledger.entry`).length).toBe(0);
  });

  // Of the objects of the schema, test/ledger-worker/database/schema.test.ts has every right.
  const REFUSED = [
    'create table ledger.mine ()',
    'create table public.mine ()',
    'create schema mine',
    'create trigger mine before insert on ledger.entry execute function suppress_redundant_updates_trigger()',
    'alter table ledger.entry add column mine text',
    'drop schema ledger cascade',
    'truncate ledger.entry',
    "set session_replication_role = 'replica'",
    'set role an_owner',
    'select ledger.grant_to_worker()',
    'grant ledger_worker to an_owner',
    'insert into ledger.migration (version, name) values (9999, $$x$$)',
    'update ledger.applied_functions set version = 9999',
    'update ledger.admin_action set actor = $$x$$',
    'update ledger.entry set amount_pence = 1',
    'delete from ledger.entry',
    'delete from ledger.write_log',
    'update ledger.source set account_id = gen_random_uuid()',
    'update ledger.api_key set key_hash = sha256($$x$$)',
    'delete from ledger.account',
  ];
  test.each(REFUSED)('may not: %s', async (statement) => {
    const entries = await owner`select count(*) from ledger.entry`;
    expect(await worker.unsafe(statement).catch(({ code }) => code)).toBe('42501');
    expect(await owner`select count(*) from ledger.entry`).toEqual(entries);
  });
});

const RIGHTS = [
  ['insert on ledger.entry', 'INSERT on table entry'],
  ['update (category) on ledger.entry', 'UPDATE on column entry category'],
  ['execute on function ledger.list_sources', 'EXECUTE on function list_sources'],
  // During an upgrade it has two signatures.
  ['execute on function ledger.authenticate (uuid, bytea)', 'EXECUTE on function authenticate'],
  ['usage on schema ledger', 'schema ledger'],
];
test.each(RIGHTS)('a worker without the right %s is not ready, and names it: %s', async (right, name) => {
  const logFile = join(temporaryDirectory(), 'log');
  const running = await startWorker({ databaseUrl: urlOf('a_worker'), env: { MIGRATE: 'never' }, logFile });
  await owner`create or replace function ledger.authenticate(text) returns text language sql as 'select $1'`;
  const client = createLedgerClient(running.address, {});
  const isReady = async () =>
    (await client.checkHealth('ledger.v1.Ledger', { deadline: Date.now() + 2_000 })) === 'SERVING';
  try {
    expect(await isReady()).toBe(true);
    await owner.unsafe(`revoke ${right} from ledger_worker`);
    await until('it is not ready', async () => !(await isReady()));
    // The log may be written after the response to the check.
    await until('the log names it', () => readFileSync(logFile, 'utf8').includes(name));
    const [exitCode, sentence] = await startNever();
    expect([exitCode, sentence]).toEqual([1, expect.stringContaining(name)]);
  } finally {
    await owner`select ledger.grant_to_worker()`;
    await until('it is ready again', isReady);
    client.close();
    await running.stop();
  }
});

test('a function that runs with the rights of its owner looks nothing up where others may put something', async () => {
  const functions = await owner<{ name: string; settings: string | null }[]>`
    select proname as name, proconfig::text as settings from pg_proc
     where pronamespace = 'ledger'::regnamespace and prosecdef`;
  for (const { name, settings } of functions) {
    expect([name, settings]).toEqual([name, expect.stringContaining('search_path=pg_catalog, pg_temp')]);
  }
});

describe('with MIGRATE=never a worker does not start, and names what is missing, when the database lacks', () => {
  const CASES: [what: string, take: string, back: string][] = [
    [
      'migration 1 (base)',
      'delete from ledger.migration where version = 1',
      "insert into ledger.migration (version, name) values (1, 'base')",
    ],
    [
      'version ',
      "update ledger.applied_functions set checksum = 'x' || checksum",
      'update ledger.applied_functions set checksum = substr(checksum, 2)',
    ],
  ];
  test.each(CASES)('%s', async (what, take, back) => {
    await owner.unsafe(take);
    const [exitCode, sentence] = await startNever();
    await owner.unsafe(back);
    expect(exitCode).toBe(1);
    expect(sentence).toContain(what);
    expect(sentence).toMatch(/^[^\n]*`bun run migrate`[^\n]*\.$/);
  });
});
