/** Runs the commands of docs/citus.md, on a real cluster: distribute, nodes added and removed, failures, backup and restore. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectoryFor } from '../../local/servers/postgres-cluster.ts';
import { postgresFlags, postgresUser } from '../../local/servers/postgres-program.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { createAdminClient } from '../../proto/client.ts';
import { DISTRIBUTED } from '../deploy/compose-files.ts';
import { manifests } from '../deploy/manifests.ts';
import { blocks, settings } from '../deploy/runbook.ts';
import { startCitusCluster } from '../fixtures/citus-cluster.ts';
import { CitusNode } from '../fixtures/citus-node.ts';
import { findCitus } from '../fixtures/citus-program.ts';
import { freePort } from '../fixtures/free-port.ts';
import { newEntry, openLedger } from '../fixtures/ledger.ts';
import { scrape } from '../fixtures/metrics.ts';
import { until } from '../fixtures/until.ts';
import { blocksOf, Runbook } from './runbook.ts';

setDefaultTimeout(180_000);

// Longer than the worker's check of the nodes, and its pauses.
const RECOVERY_MS_MAX = 30_000;
const DATABASE = 'books';
const SERVERS = ['coordinator', 'node-1', 'node-2'];

const directory = mkdtempSync(join(tmpdir(), 'ledger-operator-steps-'));
const backups = join(directory, 'backups');
const restores = join(directory, 'restores');
for (const each of [directory, backups, restores]) {
  mkdirSync(each, { recursive: true });
  makeDirectoryFor(postgresUser(undefined), each);
}

const [required = { text: '' }] = blocksOf('The servers');
const [archive = { text: '' }] = blocksOf('Backup');
const archiving = settings(archive.text);
const cluster = await startCitusCluster({
  nodes: 3,
  settings: {
    ...settings(required.text),
    archive_mode: 'on',
    archive_timeout: '60s',
    // Few: each takes seconds to move.
    'citus.shard_count': '6',
  },
});
const servers: Record<string, CitusNode> = Object.fromEntries(
  [cluster.coordinator, ...cluster.nodes].map((node) => [node.name, node]),
);
const portsOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, server(name).port]));
const books = new Runbook({ ports: portsOf(SERVERS), database: DATABASE, backups });
const withNode3 = new Runbook({ ports: portsOf([...SERVERS, 'node-3']), database: DATABASE, backups });

let worker: Worker;
let admin: ReturnType<typeof createAdminClient>;
let ledger: ReturnType<typeof openLedger>;
const stopped: CitusNode[] = [];

afterAll(async () => {
  await stopWorker();
  for (const node of [...stopped, ...Object.values(servers)]) await node.stop();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}, 120_000);

function server(name: string): CitusNode {
  const node = servers[name];
  if (!node) throw new Error(`there is no ${name}`);
  return node;
}

async function serve(hosts: string, runbook = books): Promise<void> {
  await stopWorker();
  worker = await startWorker({ databaseUrl: runbook.url(hosts), env: { MIGRATE: 'never' } });
  connect();
}

function connect(): void {
  admin = createAdminClient(worker.adminAddress);
  ledger = openLedger(worker.address);
}

async function stopWorker(): Promise<void> {
  admin?.close();
  ledger?.close();
  await worker?.stop();
}

interface Account {
  accountId: string;
  sourceId: string;
  key: string;
}

const accounts: Account[] = [];

async function createAccount(): Promise<Account> {
  const { accountId = '' } = await admin.createAccount({ plan: 'pro' });
  const details = { type: 'uk-property', name: 'Home', role: 'owner', sharePercent: 100 };
  const { id: sourceId } = await admin.createSource({ accountId, ...details });
  const { key } = await admin.createKey({ accountId });
  const account = { accountId, sourceId, key };
  accounts.push(account);
  return account;
}

const callerOf = ({ accountId, key }: Account) => ({ accountId, keyHash: hashApiKey(key) });

/** Writes an entry, and reads it back. */
async function use(account: Account): Promise<void> {
  const { sourceId } = account;
  const caller = callerOf(account);
  const written = await ledger.createEntries({ caller, sourceId, entries: [newEntry()] });
  expect(written.created).toBeDefined();
  expect((await ledger.listEntries({ caller, sourceId, limit: 1 })).page).toBeDefined();
}

async function isServed(account: Account): Promise<boolean> {
  return use(account).then(
    () => true,
    () => false,
  );
}

const allAreServed = () =>
  until(
    'all accounts are served',
    async () => (await Promise.all(accounts.map(isServed))).every(Boolean),
    RECOVERY_MS_MAX,
  );

/** The rows of each table, as a digest. */
async function digests(runbook = books): Promise<Record<string, unknown>> {
  const tables = await runbook.query(
    'coordinator',
    `select table_name as name from information_schema.tables
      where table_schema = 'ledger' and table_type = 'BASE TABLE' order by name`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await runbook.query(
      'coordinator',
      `select count(*) || ' ' || coalesce(md5(string_agg(line, ',' order by line)), '') as digest
         from (select t::text as line from ledger.${name} as t) as lines`,
    );
    found[String(name)] = row?.digest;
  }
  return found;
}

async function nodeOf({ accountId }: Account, runbook = books): Promise<string> {
  const [select] = blocksOf('Move an account');
  const [row] = await runbook.follow(select ? [select] : [], { ACCOUNT: accountId });
  return Object.entries(servers).find(([, { port }]) => port === row?.nodeport)?.[0] ?? '';
}

/** An account whose rows are on the node. */
async function accountOn(name: string): Promise<Account> {
  for (const account of accounts) if ((await nodeOf(account)) === name) return account;
  throw new Error(`no account is on ${name}`);
}

/** A server on a restored directory, at the address of the lost one. */
async function startOn(name: string, dataDir: string, lost: CitusNode, port = lost.port): Promise<CitusNode> {
  const postgres = join(findCitus(), 'postgres');
  const ids = postgresUser(undefined);
  if (port !== lost.port) appendFileSync(join(dataDir, 'postgresql.auto.conf'), `port = ${port}\n`);
  const node = new CitusNode({
    name,
    port,
    postgres,
    dataDir,
    logFile: `${dataDir}.log`,
    setprivFlags: postgresFlags(ids, [postgres, dataDir]),
    onFreeze() {},
  });
  stopped.push(lost);
  servers[name] = node;
  await node.start();
  return node;
}

const CREATED = 12;

beforeAll(async () => {
  for (const [name, { port }] of Object.entries(servers)) {
    for (const each of [join(backups, name), join(backups, name, 'wal')]) {
      mkdirSync(each);
      makeDirectoryFor(postgresUser(undefined), each);
    }
    const plain = new Runbook({ ports: { [name]: port }, database: 'postgres', backups });
    await plain.query(name, `create database ${DATABASE}`);
    const command =
      archiving.archive_command?.replaceAll('SERVER', name).replaceAll('/backups', backups) ?? '';
    await plain.query(name, `alter system set archive_command = '${command}'`);
    await plain.query(name, 'select pg_reload_conf()');
  }
  await books.follow(blocksOf('Upgrade the service'));
});

describe('distribute the books', () => {
  test('filled books are distributed, with the same rows, and served', async () => {
    await serve('coordinator');
    for (let n = 0; n < CREATED; n++) await use(await createAccount());
    const before = await digests();
    await books.follow(blocksOf('Distribute the books'));
    const { retention: _, ...rows } = before;
    expect(await digests()).toMatchObject(rows);
    await allAreServed();
    await serve('node-1,node-2');
    await allAreServed();
    expect(new Set(await Promise.all(accounts.map((account) => nodeOf(account))))).toEqual(
      new Set(['node-1', 'node-2']),
    );
  });
});

describe('nodes', () => {
  const added = () =>
    books.query(
      'coordinator',
      'select nodeid, nodename, nodeport, groupid from pg_dist_node order by nodeid',
    );

  test('the commands of the deployment files add nodes, and change nothing when those are added', async () => {
    const before = await added();
    expect(before.length).toBe(SERVERS.length);
    const password = join(directory, 'password');
    writeFileSync(password, 'none', { mode: 0o644 });
    const inCompose = DISTRIBUTED.services.cluster?.command?.[2]?.replaceAll('$$', '$') ?? '';
    const job = manifests.find(({ title }) => title === 'Job distribute')?.content;
    const inKubernetes: string = job.spec.template.spec.initContainers[0].command[2];
    for (const [names, script] of [
      [['postgres', 'node-1', 'node-2'], inCompose.replace('/run/secrets/postgres-password', password)],
      [['citus-coordinator', 'citus-node-0.citus-node', 'citus-node-1.citus-node'], inKubernetes],
    ] as const) {
      const ports = Object.fromEntries(names.map((name, n) => [name, server(SERVERS[n] ?? '').port]));
      const runbook = new Runbook({ ports, database: DATABASE, backups });
      expect(script).toContain('citus_add_node');
      await runbook.follow([{ language: 'sh', where: '', text: script }]);
      expect(await added()).toEqual(before);
    }
  });

  test('a node is added and gets shards, while accounts are served', async () => {
    const add = blocksOf('Add a node');
    await withNode3.follow(add);
    const [row] = await withNode3.query(
      'coordinator',
      `select count(*)::integer as count from citus_shards
        where table_name = 'ledger.account'::regclass and nodeport = ${server('node-3').port}`,
    );
    expect(Number(row?.count)).toBe(2);
    await allAreServed();
  });

  test('a node is removed, and its accounts are served by the others', async () => {
    await withNode3.follow(blocksOf('Remove a node'));
    await server('node-3').stop();
    await allAreServed();
    await use(await createAccount());
  });

  test('an account is moved', async () => {
    const account = await accountOn('node-1');
    await books.follow(blocksOf('Move an account'), { ACCOUNT: account.accountId });
    expect(await nodeOf(account)).toBe('node-2');
    await allAreServed();
  });
});

describe('when a server fails', () => {
  const works = (call: Promise<unknown>) =>
    call.then(
      () => true,
      () => false,
    );

  const nodeUp = async (name: string) => {
    const [node] = await books.query(
      'coordinator',
      `select groupid from pg_dist_node where nodeport = ${server(name).port}`,
    );
    return (await scrape(worker.metricsAddress)).value('ledger_node_up', { node: String(node?.groupid) });
  };

  test('without a node its accounts fail, the others are served, and no key is created', async () => {
    const [own, other] = [await accountOn('node-2'), await accountOn('node-1')];
    const up = () => Promise.all(['node-1', 'node-2'].map(nodeUp));
    expect(await up()).toEqual([1, 1]);
    await server('node-2').kill();
    expect(await isServed(own)).toBe(false);
    expect(await isServed(other)).toBe(true);
    expect(await works(admin.listKeys({ accountId: other.accountId }))).toBe(true);
    expect(await works(admin.createKey({ accountId: other.accountId }))).toBe(false);
    const { samples } = await scrape(worker.metricsAddress);
    expect(samples.filter(({ name, value }) => name === 'ledger_node_up' && value === 0)).toHaveLength(1);
    await server('node-2').start();
    await allAreServed();
  });

  test('without the coordinator all accounts are served; a key is stopped in its node', async () => {
    const account = accounts.pop() as Account;
    await server('coordinator').kill();
    expect(await Promise.all([account, ...accounts].map(isServed))).not.toContain(false);
    expect(await works(admin.createKey({ accountId: account.accountId }))).toBe(false);
    const { keys = [] } = await admin.listKeys({ accountId: account.accountId });
    const [stop = { text: '', language: '', where: '' }] = blocksOf('Stop a key while a server is down');
    await server('coordinator').start();
    const node = await nodeOf(account);
    await server('coordinator').kill();
    const words = { ACCOUNT: account.accountId, KEY: keys[0]?.keyId ?? '' };
    await books.follow([{ ...stop, where: node }], words);
    expect(await isServed(account)).toBe(false);
    await server('coordinator').start();
    await allAreServed();
  });
});

describe('backup', () => {
  let atRestorePoint: Record<string, unknown>;
  let later: Record<string, unknown>;

  const archiveAll = async () => {
    for (const name of SERVERS) {
      const [row] = await books.query(name, 'select pg_walfile_name(pg_switch_wal()) as segment');
      await until(`the log of ${name} is archived`, async () => {
        const [archived] = await books.query(
          name,
          `select last_archived_wal >= '${row?.segment}' as done from pg_stat_archiver`,
        );
        return archived?.done === true;
      });
    }
  };

  test('each server is backed up, and a restore point is created', async () => {
    const [, ...commands] = blocksOf('Backup');
    await books.follow(commands.filter(({ language }) => language === 'sh'));
    await Promise.all(accounts.map(use));
    await createAccount();
    atRestorePoint = await digests();
    await books.follow(commands.filter(({ language }) => language === 'sql'));
    await Promise.all(accounts.map(use));
    await createAccount();
    later = await digests();
    await archiveAll();
  });

  test('a node is restored to the end of its log', async () => {
    const lost = server('node-1');
    await lost.kill();
    const [sh = { text: '', language: '', where: '' }] = blocksOf('Restore the whole cluster');
    const text = sh.text.replace(/^recovery_target.*\n/gm, '');
    const PGDATA = join(restores, 'node');
    await books.follow(
      [{ language: 'sh', where: '', text: text.replaceAll('SERVER', 'node-1') }],
      {},
      () => ({
        PGDATA,
      }),
    );
    await startOn('node-1', PGDATA, lost);
    await until('the node accepts writes', async () => {
      const [row] = await books.query('node-1', 'select pg_is_in_recovery() as recovers');
      return row?.recovers === false;
    });
    expect(await digests()).toEqual(later);
    await allAreServed();
  });

  test('keys that a server lacks are repaired', async () => {
    const keysAt = async (name: string) =>
      (await books.query(name, 'select count(*)::integer as count from ledger.account_of_key'))[0]?.count;
    const [shard] = await books.query(
      'node-1',
      `select 'ledger.account_of_key_' || shardid as name from pg_dist_shard
        where logicalrelid = 'ledger.account_of_key'::regclass`,
    );
    const lost = `set citus.enable_manual_changes_to_shards = on; delete from ${shard?.name}`;
    await books.query('node-1', lost);
    const all = await keysAt('coordinator');
    expect([await keysAt('node-1'), Number(all) >= accounts.length]).toEqual([0, true]);
    await books.follow(blocksOf('Repair the keys'));
    expect(await keysAt('node-1')).toBe(all);
  });

  test('the whole cluster is restored to the restore point', async () => {
    await stopWorker();
    for (const name of SERVERS) await server(name).stop();
    const [restore, ...afterwards] = blocksOf('Restore the whole cluster');
    const [, , point = { text: '' }] = blocksOf('Backup');
    const [, RESTORE_POINT = ''] = /\('(.*)'\)/.exec(point.text) ?? [];
    const dataOf = (name: string) => join(restores, `all-${name}`);
    await books.follow(restore ? [restore] : [], {}, (name) => ({ PGDATA: dataOf(name), RESTORE_POINT }));
    for (const name of SERVERS) await startOn(name, dataOf(name), server(name));
    await until('all accept writes', async () => {
      const rows = await Promise.all(
        SERVERS.map((name) => books.query(name, 'select pg_is_in_recovery() as r')),
      );
      return rows.every(([row]) => row?.r === false);
    });
    await books.follow(afterwards);
    await books.follow(blocksOf('Repair the keys'));
    expect(await digests()).toEqual(atRestorePoint);
    // The last account is younger than the restore point.
    accounts.pop();
    await serve('node-1,node-2');
    await allAreServed();
  });
});

describe('a dump', () => {
  test('has the whole books, which are plain where it is restored', async () => {
    const expected = await digests();
    await stopWorker();
    await books.follow(blocksOf('Dump'));
    const target = server('node-3');
    await target.start();
    const plain = new Runbook({ ports: { coordinator: target.port }, database: 'restored', backups });
    await new Runbook({ ports: { coordinator: target.port }, database: 'postgres', backups }).query(
      'coordinator',
      'create database restored',
    );
    for (const text of blocks('Restore a dump', 'sh', backups)) {
      await plain.follow([{ language: 'sh', where: '', text }], {}, () => ({
        RESTORED_URL: plain.url('coordinator'),
      }));
    }
    expect(await digests(plain)).toEqual(expected);
    await plain.follow(blocksOf('Upgrade the service'));
    worker = await startWorker({ databaseUrl: plain.url('coordinator'), env: { MIGRATE: 'never' } });
    connect();
    await allAreServed();
    await use(await createAccount());
    accounts.pop();
  });
});

describe('a standby for a node', () => {
  test('replaces it: workers find it when it is promoted, the other servers when they are told', async () => {
    const [copy, promote, tell] = blocksOf('A standby for a node');
    const PGDATA = join(restores, 'standby');
    await books.follow(copy ? [copy] : [], {}, () => ({ PGDATA }));
    await startOn('standby-1', PGDATA, server('node-1'), freePort());
    const all = new Runbook({ ports: portsOf([...SERVERS, 'standby-1']), database: DATABASE, backups });
    await serve('node-1,standby-1,node-2', all);
    await allAreServed();
    const account = await accountOn('node-1');
    await server('node-1').kill();
    expect(await isServed(account)).toBe(false);
    await all.follow(promote ? [promote] : []);
    await allAreServed();
    await all.follow(tell ? [tell] : []);
    await admin.createKey({ accountId: account.accountId });
    expect(await nodeOf(account)).toBe('standby-1');
  });
});
