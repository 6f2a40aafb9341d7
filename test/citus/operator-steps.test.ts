/** Runs the commands of docs/citus.md on a real cluster: distribute, nodes added and removed, failures, a standby. */
import { expect, setDefaultTimeout } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISTRIBUTED } from '../deploy/compose-files.ts';
import { ofKind } from '../deploy/manifests.ts';
import { freePort } from '../fixtures/free-port.ts';
import { until } from '../fixtures/until.ts';
import { OperatedCluster, SERVERS, works } from './operated-cluster.ts';
import { blocksOf, Runbook } from './runbook.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(180_000);

let cluster: OperatedCluster;
let runbook: Runbook;
let withNode3: Runbook;
beforeAll(async () => {
  cluster = await OperatedCluster.start();
  runbook = cluster.runbook();
  withNode3 = cluster.runbook([...SERVERS, 'node-3']);
});
afterAll(() => cluster?.stop(), 120_000);

test('a filled database is distributed with the same rows, and the same worker serves them', async () => {
  await cluster.distribute();
  await cluster.untilAllAreServed();
  await cluster.serve('node-1,node-2');
  await cluster.untilAllAreServed();
  const nodes = await Promise.all(cluster.accounts.map((account) => cluster.nodeOf(account)));
  expect([...new Set(nodes)].sort()).toEqual(['node-1', 'node-2']);
});

test('the commands of the deployment files add nodes, and change nothing when those are added', async () => {
  const added = () =>
    runbook.query(
      'coordinator',
      'select nodeid, nodename, nodeport, groupid from pg_dist_node order by nodeid',
    );
  const before = await added();
  expect(before.length).toBe(SERVERS.length);
  const password = join(cluster.directory, 'password');
  writeFileSync(password, 'none', { mode: 0o644 });
  const inCompose: string = DISTRIBUTED.services.cluster.command[2].replaceAll('$$', '$');
  const inKubernetes: string = ofKind('Job').distribute.spec.template.spec.initContainers[0].command[2];
  for (const [names, script] of [
    [['postgres', 'node-1', 'node-2'], inCompose.replace('/run/secrets/postgres-password', password)],
    [['citus-coordinator', 'citus-node-0.citus-node', 'citus-node-1.citus-node'], inKubernetes],
  ] as const) {
    const ports = Object.fromEntries(names.map((name, n) => [name, cluster.server(SERVERS[n] ?? '').port]));
    const ofFiles = new Runbook({ ...runbook.options, ports });
    expect(script).toContain('citus_add_node');
    await ofFiles.follow([{ language: 'sh', where: '', text: script }]);
    expect(await added()).toEqual(before);
  }
});

test('a node is added and gets shards, and no account notices', async () => {
  await withNode3.follow(blocksOf('Add a node'));
  const [row] = await withNode3.query(
    'coordinator',
    `select count(*)::integer as count from citus_shards
      where table_name = 'ledger.account'::regclass and nodeport = ${cluster.server('node-3').port}`,
  );
  expect(row?.count).toBe(2);
  await cluster.untilAllAreServed();
});

test('a node is removed, and its accounts are served by the others', async () => {
  await withNode3.follow(blocksOf('Remove a node'));
  await cluster.server('node-3').stop();
  await cluster.untilAllAreServed();
  await cluster.use(await cluster.createAccount());
});

test('an account is moved', async () => {
  const account = await cluster.accountOn('node-1');
  await runbook.follow(blocksOf('Move an account'), { ACCOUNT: account.accountId });
  expect(await cluster.nodeOf(account)).toBe('node-2');
  await cluster.untilAllAreServed();
});

test('a standby replaces its node: workers find it when it is promoted, the other servers when they are told', async () => {
  const [copy, promote, tell] = blocksOf('A standby for a node');
  const PGDATA = join(cluster.restores, 'standby');
  await runbook.follow(copy ? [copy] : [], {}, () => ({ PGDATA }));
  await cluster.startOn('standby-1', PGDATA, cluster.server('node-1'), freePort());
  const all = cluster.runbook([...SERVERS, 'standby-1']);
  await cluster.serve('node-1,standby-1,node-2', all);
  await cluster.untilAllAreServed();
  const account = await cluster.accountOn('node-1');
  await cluster.server('node-1').kill();
  expect(await cluster.isServed(account)).toBe(false);
  await all.follow(promote ? [promote] : []);
  await cluster.untilAllAreServed();
  await all.follow(tell ? [tell] : []);
  // Citus tells the other servers after the command has returned.
  await until('a key is created', () => works(cluster.admin.createKey({ accountId: account.accountId })));
  expect(await cluster.nodeOf(account)).toBe('standby-1');
});

test('a standby replaces the coordinator', async () => {
  const [copy, promote, , tell] = blocksOf('A standby for a node');
  if (!copy || !promote || !tell) throw new Error('docs/citus.md lacks a command');
  const PGDATA = join(cluster.restores, 'standby-0');
  await runbook.follow([{ ...copy, text: copy.text.replace('node-1', 'coordinator') }], {}, () => ({
    PGDATA,
  }));
  await cluster.startOn('standby-0', PGDATA, cluster.server('coordinator'), freePort());
  const all = cluster.runbook(['standby-0']);
  await cluster.server('coordinator').kill();
  await all.follow([{ ...promote, where: 'standby-0' }]);
  await all.follow([tell]);
  await cluster.untilAllAreServed();
  await cluster.use(await cluster.createAccount());
});
