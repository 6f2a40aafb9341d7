/** The worker and the nodes of a cluster: which of them it uses, and what it does without some of them. */
import { expect, setDefaultTimeout } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWorker } from '../../local/servers/worker.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { execute } from '../fixtures/database.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { scrape } from '../fixtures/metrics.ts';
import { until } from '../fixtures/until.ts';
import { createAccounts, type NodeAccount, readShardMap, send, startServices } from './services.ts';
import { beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

let cluster: CitusCluster;
let coordinator: CitusNode;
let first: CitusNode;
let second: CitusNode;
beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
  ({
    coordinator,
    nodes: [first, second],
  } = cluster);
});
const directory = temporaryDirectory();
const logFile = join(directory, 'worker.log');

test('the map has the shard and the node that Citus has, for any account', async () => {
  const map = await readShardMap(coordinator);
  expect([...map.groups()].sort()).toEqual([1, 2]);
  const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID());
  const rows = await execute<{ id: string; groupId: number }>(
    coordinator.url,
    `select id, groupid as "groupId"
       from unnest('{${ids}}'::uuid[]) as id
       join pg_dist_placement on shardid = get_shard_id_for_distribution_column('ledger.account', id)`,
  );
  expect(rows.length).toBe(1_000);
  expect(rows.map(({ id }) => map.groupOf(id))).toEqual(rows.map(({ groupId }) => groupId));
});

/** The statements that the worker has open or has finished last, of each server. */
const workersAt = async (node: CitusNode) =>
  execute(
    node.url,
    `select from pg_stat_activity
      where application_name = 'ledger-worker' and query ~ 'ledger.(write|list_entries)' and pid <> pg_backend_pid()`,
  );

test('each request is sent to the node that has its account, also after the account has moved', async () => {
  const services = await startServices(cluster.nodesUrl());
  try {
    const [account] = (await createAccounts(services, coordinator, [2])) as [NodeAccount];
    for (const kind of ['post', 'page'] as const) await send(services, account, kind);
    expect((await workersAt(second)).length).toBeGreaterThan(0);
    expect(await workersAt(coordinator)).toEqual([]);
    expect(await workersAt(first)).toEqual([]);

    await execute(
      coordinator.url,
      `select citus_move_shard_placement(
         get_shard_id_for_distribution_column('ledger.account', '${account.accountId}'),
         '127.0.0.1', ${second.port}, '127.0.0.1', ${first.port}, 'block_writes')`,
    );
    await until('the statements of the account run on its new node', async () => {
      expect(await send(services, account, 'post')).toBe(201);
      return (await workersAt(first)).length > 0;
    });
  } finally {
    await services.stop();
  }
});

test('a worker starts without a node, and serves its accounts once the node is there', async () => {
  const before = await startServices(cluster.nodesUrl());
  const accounts = (await createAccounts(before, coordinator, [1, 2], 10)) as [NodeAccount, NodeAccount];
  await before.stop();
  await second.kill();
  const services = await startServices(cluster.nodesUrl());
  try {
    expect(await send(services, accounts[0])).toBe(200);
    expect(await send(services, accounts[1])).toBe(503);
    const { samples } = await scrape(services.worker.metricsAddress);
    const nodesUp = samples.filter(({ name }) => name === 'ledger_node_up').map(({ value }) => value);
    expect(nodesUp.sort()).toEqual([0, 1]);
    await second.start();
    await until('its accounts are served', async () => (await send(services, accounts[1])) === 200);
  } finally {
    await second.start();
    await services.stop();
  }
});

test('a worker does not start with several hosts of a database that is not distributed', async () => {
  const databaseUrl = cluster.nodesUrl().replace(/ledger$/, 'postgres');
  await expect(startWorker({ databaseUrl, logFile })).rejects.toThrow();
  expect(readFileSync(logFile, 'utf8')).toMatch(
    /names several databases: \S+ and \S+ accept writes, and the database is not distributed/,
  );
});
