/** The fixture: servers of a Citus cluster, and what a test can do to them. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { startCitusCluster } from '../fixtures/citus-cluster.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';

setDefaultTimeout(60_000);

const cluster = await startCitusCluster({ nodes: 2, settings: { fsync: 'on' } });
const { coordinator, nodes } = cluster;
const [first, second] = nodes as [CitusNode, CitusNode];
const sql = postgres(coordinator.url, { max: 1, onnotice: () => {} });
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await cluster.stop();
});

const reads = async (node: CitusNode) => {
  const own = postgres(node.url, { max: 1, connect_timeout: 1 });
  const [row] = await Promise.race([own`select 1 as one`, Bun.sleep(1_500).then(() => [])]).catch(() => []);
  await own.end({ timeout: 0 });
  return row !== undefined;
};

test('the coordinator knows its nodes, and distributes a table over them', async () => {
  await sql`create table t (id integer primary key)`;
  await sql`select create_distributed_table('t', 'id')`;
  await sql`insert into t select generate_series(1, 100)`;
  const shards = await sql`
    select distinct nodeport as port from citus_shards where table_name = 't'::regclass order by 1`;
  expect(shards.map(({ port }) => port)).toEqual([first.port, second.port].sort((a, b) => a - b));
});

test('a killed node refuses connections, and has its rows after the next start', async () => {
  await second.kill();
  expect(second.isRunning).toBe(false);
  expect(await reads(second)).toBe(false);
  await second.start();
  expect(await sql`select count(*)::integer as count from t`).toEqual([{ count: 100 }] as never);
  expect(second.readLog()).toContain('database system was not properly shut down');
});

test('a frozen node sends nothing until it is continued', async () => {
  second.freeze();
  expect(await reads(second)).toBe(false);
  expect(await reads(first)).toBe(true);
  second.thaw();
  expect(await reads(second)).toBe(true);
});

test('a stopped node can be started again', async () => {
  await first.stop();
  expect(await reads(first)).toBe(false);
  await first.start();
  expect(await reads(first)).toBe(true);
});

test('a node can be added', async () => {
  const added = await cluster.addNode();
  const rows =
    await sql`select nodeport as port from pg_dist_node where isactive and nodeport = ${added.port}`;
  expect(rows.length).toBe(1);
  expect(await reads(added)).toBe(true);
});
