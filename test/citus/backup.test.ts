/** Runs the commands for backups of docs/citus.md on a real cluster: what is restored equals the original. */
import { expect, setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';
import { blocks } from '../deploy/runbook.ts';
import { until } from '../fixtures/until.ts';
import { OperatedCluster, SERVERS } from './operated-cluster.ts';
import { blocksOf, Runbook } from './runbook.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(180_000);

let cluster: OperatedCluster;
let runbook: Runbook;
afterAll(() => cluster?.stop(), 120_000);

const [restore, ...afterwards] = blocksOf('Restore the whole cluster');
const [, baseBackup, restorePoint] = blocksOf('Backup');
const restoreCommands = restore?.text ?? '';

let atRestorePoint: Record<string, string>;
let atEnd: Record<string, string>;

beforeAll(async () => {
  cluster = await OperatedCluster.start();
  runbook = cluster.runbook();
  await cluster.distribute();
  await cluster.serve('node-1,node-2');
  await runbook.follow(baseBackup ? [baseBackup] : []);
  await Promise.all(cluster.accounts.map((account) => cluster.use(account)));
  await cluster.createAccount();
  atRestorePoint = await cluster.digests();
  await runbook.follow(restorePoint ? [restorePoint] : []);
  await Promise.all(cluster.accounts.map((account) => cluster.use(account)));
  // Younger than the restore point.
  await cluster.createAccount();
  atEnd = await cluster.digests();
  expect(atEnd).not.toEqual(atRestorePoint);
  for (const name of SERVERS) await archiveLog(name);
});

async function archiveLog(name: string): Promise<void> {
  const [row] = await runbook.query(name, 'select pg_walfile_name(pg_switch_wal()) as segment');
  const archived = `select from pg_stat_archiver where last_archived_wal >= '${row?.segment}'`;
  const isArchived = async () => (await runbook.query(name, archived)).length === 1;
  await until(`the log of ${name} is archived`, isArchived);
}

test('a node is restored to the end of its log', async () => {
  const lost = cluster.server('node-1');
  await lost.kill();
  const PGDATA = join(cluster.restores, 'node');
  const text = restoreCommands.replace(/^recovery_target.*\n/gm, '').replaceAll('SERVER', 'node-1');
  await runbook.follow([{ language: 'sh', where: '', text }], {}, () => ({ PGDATA }));
  await cluster.startOn('node-1', PGDATA, lost);
  await cluster.untilWritable(['node-1']);
  expect(await cluster.digests()).toEqual(atEnd);
  await cluster.untilAllAreServed();
});

test('keys that a server lacks are repaired', async () => {
  const keysAt = async (name: string) =>
    (await runbook.query(name, 'select count(*)::integer as count from ledger.account_of_key'))[0]?.count;
  const [copy] = await runbook.query(
    'node-1',
    `select 'ledger.account_of_key_' || shardid as name from pg_dist_shard
      where logicalrelid = 'ledger.account_of_key'::regclass`,
  );
  await runbook.query(
    'node-1',
    `set citus.enable_manual_changes_to_shards = on;
     delete from ${copy?.name}`,
  );
  expect([await keysAt('node-1'), await keysAt('coordinator')]).toEqual([0, cluster.accounts.length]);
  await runbook.follow(blocksOf('Repair the keys'));
  expect(await keysAt('node-1')).toBe(cluster.accounts.length);
});

test('the whole cluster is restored to the restore point', async () => {
  await cluster.stopWorker();
  for (const name of SERVERS) await cluster.server(name).stop();
  const [, RESTORE_POINT = ''] = /\('(.*)'\)/.exec(restorePoint?.text ?? '') ?? [];
  const dataOf = (name: string) => join(cluster.restores, name);
  await runbook.follow(restore ? [restore] : [], {}, (name) => ({ PGDATA: dataOf(name), RESTORE_POINT }));
  for (const name of SERVERS) await cluster.startOn(name, dataOf(name), cluster.server(name));
  await cluster.untilWritable(SERVERS);
  await runbook.follow(afterwards);
  await runbook.follow(blocksOf('Repair the keys'));
  expect(await cluster.digests()).toEqual(atRestorePoint);
  cluster.accounts.pop();
  await cluster.serve('node-1,node-2');
  await cluster.untilAllAreServed();
  await cluster.createAccount();
});

test('a dump has the whole database, which is plain where it is restored and can be distributed again', async () => {
  await cluster.stopWorker();
  const expected = await cluster.digests();
  await runbook.follow(blocksOf('Dump'));
  await cluster.runbook(['node-3'], 'postgres').query('node-3', 'create database restored');
  const plain = cluster.runbook(['node-3'], 'restored');
  for (const text of blocks('Restore a dump', 'sh')) {
    const RESTORED_URL = plain.url('node-3');
    await plain.follow([{ language: 'sh', where: '', text }], {}, () => ({ RESTORED_URL }));
  }
  // As if it were the coordinator of the page.
  const ofPage = new Runbook({ ...plain.options, ports: { coordinator: cluster.server('node-3').port } });
  expect(await cluster.digests(ofPage)).toEqual(expected);
  await ofPage.follow(blocksOf('Upgrade the service'));
  await cluster.serve('node-3', plain);
  await cluster.untilAllAreServed();
  await cluster.use(await cluster.createAccount());

  for (const name of ['node-1', 'node-2']) {
    await cluster.runbook([name], 'postgres').query(name, 'create database restored');
  }
  const ports = { ...runbook.options.ports, coordinator: cluster.server('node-3').port };
  const again = new Runbook({ ...plain.options, ports });
  const { upkeep: _, ...before } = await cluster.digests(again);
  await again.follow(blocksOf('Distribute the database'));
  expect(await cluster.digests(again)).toMatchObject(before);
  await cluster.untilAllAreServed();
});
