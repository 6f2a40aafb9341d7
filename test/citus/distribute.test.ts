/** `bun run distribute`: what it refuses, what an interrupted run leaves, and what is then on every server. */
import { afterEach, describe, expect, setDefaultTimeout } from 'bun:test';
import { ON_CITUS } from '../../ledger-worker/citus/schema-changes.ts';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { SQL_FOLDER } from '../../ledger-worker/database/schema-sql.ts';
import { ROOT } from '../fixtures/checkout.ts';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import {
  type CitusDatabase,
  createCitusDatabase,
  describeServer,
  linesOfTables,
  migrateAndFill,
  tablesIn,
} from '../fixtures/citus-database.ts';
import { digestOfRows, execute, openOne } from '../fixtures/database.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { addMigration, copySchema } from '../fixtures/newer-schema.ts';
import { until } from '../fixtures/until.ts';
import { beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

const STEPS = [
  'setting what the nodes log',
  'copying the roles of the workers to the nodes',
  'copying the rows to the nodes: writes wait, reads do not',
  'deleting the copy that is left on the coordinator',
];

let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
});

const databases: CitusDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});
async function create(options?: Parameters<typeof createCitusDatabase>[1]): Promise<CitusDatabase> {
  const database = await createCitusDatabase(cluster, options);
  databases.push(database);
  return database;
}
async function createFilled(): Promise<CitusDatabase> {
  const database = await create();
  await migrateAndFill(database.sql);
  return database;
}

const spawnDistribute = (url: string) =>
  Bun.spawn([process.execPath, 'ledger-worker/distribute-main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdout: 'pipe',
  });

/** Runs the command. @param killAt it is killed when it reports this step */
async function distribute(url = '', killAt?: string) {
  const child = spawnDistribute(url);
  const messages: string[] = [];
  let rest = '';
  for await (const chunk of child.stdout) {
    rest += new TextDecoder().decode(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line).msg));
    if (killAt !== undefined && messages.includes(killAt)) child.kill('SIGKILL');
  }
  return { exitCode: await child.exited, messages };
}
const completed = { exitCode: 0, messages: [...STEPS, 'the database is distributed'] };

/** Of each server: its schema, its settings, and what Citus knows about it; and the rows. */
async function stateOf({ urls, sql }: CitusDatabase) {
  const own = await Promise.all(
    urls.map(async (url) => ({
      ...(await describeServer(url)),
      tablesOfCitus: await execute(
        url,
        `select logicalrelid::text as table, partmethod from pg_dist_partition order by 1`,
      ),
      functions: await execute(
        url,
        `select objid::regprocedure::text as function, distribution_argument_index as argument
           from pg_dist_object where classid = 'pg_proc'::regclass order by 1`,
      ),
      settings: await execute(
        url,
        `select unnest(setconfig) as setting from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
          where datname = current_database() order by 1`,
      ),
    })),
  );
  const left = await sql`
    select relname from pg_class where relnamespace = 'ledger'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
       and relname !~ '_[0-9]{6,}$'`;
  return { own, rows: await digestOfRows(sql), left: [...left] };
}

describe('it refuses in one sentence', () => {
  const refusal = async (database: CitusDatabase, url = database.urls[0]) => {
    const { exitCode, messages } = await distribute(url);
    expect([exitCode, messages.length]).toEqual([1, 1]);
    expect(messages[0]).toMatch(/^[A-Z][^\n]*\.$/);
    return messages[0];
  };

  test.each([
    ['without the extension', { hasCitus: false }, 'create extension citus'],
    ['of a cluster without nodes', { nodes: [] }, 'citus_add_node'],
    ['that is not migrated', {}, 'bun run migrate'],
  ])('a database %s', async (_, options, step) => {
    expect(await refusal(await create(options))).toContain(step);
  });

  test('a cluster whose nodes hold no shards', async () => {
    const database = await create();
    await database.sql`
      select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node where groupid > 0`;
    expect(await refusal(database)).toContain('citus_add_node');
  });

  test('a node', async () => {
    const database = await create();
    expect(await refusal(database, database.urls[1])).toContain('coordinator');
  });

  test('a database of a newer version', async () => {
    const database = await create();
    const folder = copySchema();
    addMigration(folder, 'later', '-- Later.\n');
    await migrate(database.sql, folder, ON_CITUS);
    expect(await refusal(database)).toContain('newer version');
  });

  test('a database without the role of the workers', async () => {
    const database = await create();
    await migrate(database.sql, SQL_FOLDER, ON_CITUS);
    const rename = (from: string, to: string) =>
      execute(
        cluster.coordinator.url,
        `set citus.enable_ddl_propagation = off; alter role ${from} rename to ${to}`,
      );
    await rename('ledger_worker', 'ledger_worker_before');
    try {
      expect(await refusal(database)).toContain('create role ledger_worker');
    } finally {
      await rename('ledger_worker_before', 'ledger_worker');
    }
  });
});

describe('a filled database', () => {
  let before: Awaited<ReturnType<typeof digestOfRows>>;
  let uninterrupted: Awaited<ReturnType<typeof stateOf>>;
  beforeAll(async () => {
    const database = await createFilled();
    before = await digestOfRows(database.sql);
    expect(await distribute(database.urls[0])).toEqual(completed);
    uninterrupted = await stateOf(database);
  });

  test('has the same rows afterwards, and none is left on the coordinator', () => {
    expect(uninterrupted.rows).toEqual(before);
    expect(uninterrupted.left).toEqual([]);
  });

  test('has the same schema on every server, rights included, and in every shard', () => {
    const [coordinator, ...nodes] = uninterrupted.own;
    for (const node of nodes) {
      expect(node.tables).toEqual(coordinator?.tables as string[]);
      expect([node.tablesOfCitus, node.functions]).toEqual([
        coordinator?.tablesOfCitus,
        coordinator?.functions,
      ] as never);
      expect(node.shards).toEqual(linesOfTables(node.tables, tablesIn(node.tables)));
    }
  });

  test('is distributed by account, with functions that run on the account’s node', () => {
    const [coordinator] = uninterrupted.own;
    const kinds = Object.fromEntries(coordinator?.tablesOfCitus.map((row) => Object.values(row)) ?? []);
    expect(kinds).toMatchObject({ account: 'h', entry: 'h', upkeep: 'n', account_of_key: 'n' });
    expect(coordinator?.functions).toContainEqual({
      function: 'authenticate(uuid,bytea)',
      argument: 0,
    });
    for (const { settings } of uninterrupted.own) {
      expect(settings).toEqual([
        { setting: 'log_error_verbosity=terse' },
        { setting: 'log_min_error_statement=panic' },
      ]);
    }
  });

  test.each(STEPS)('is as if the command had not been killed when it is killed at: %s', async (step) => {
    const database = await createFilled();
    expect((await distribute(database.urls[0], step)).exitCode).toBe(137);
    expect(await distribute(database.urls[0])).toEqual(completed);
    expect(await stateOf(database)).toEqual({ ...uninterrupted, rows: await digestOfRows(database.sql) });
  });

  test('is writable soon after the command is killed while it copies, and not distributed', async () => {
    const database = await createFilled();
    const [first] = database.urls as [string];
    await database.sql`
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
      select account_id, gen_random_uuid(), source_id, date '2026-01-01', 1, 'income'
        from (select account_id, source_id from ledger.source limit 1) as s, generate_series(1, 400000)`;
    const child = spawnDistribute(first);
    await untilCopying(first);
    child.kill('SIGKILL');
    // If the servers went on with the copy, this would wait until the database is distributed.
    await database.sql`update ledger.account set plan = plan`;
    expect(await database.sql`select from pg_dist_partition`).toHaveLength(0);
  });

  test('is distributed once by commands that run at the same time, and by another one afterwards', async () => {
    const database = await createFilled();
    const runs = Array.from({ length: 4 }, () => distribute(database.urls[0]));
    expect(await Promise.all(runs)).toEqual(runs.map(() => completed));
    expect(await distribute(database.urls[0])).toEqual(completed);
    expect(await stateOf(database)).toEqual({ ...uninterrupted, rows: await digestOfRows(database.sql) });
  });

  test.each([0, 1, 2])('is as if server %d had not been killed while the rows were copied', async (index) => {
    const database = await createFilled();
    const rows = await digestOfRows(database.sql);
    const [first] = database.urls;
    const copying = distribute(first);
    const server = [cluster.coordinator, ...cluster.nodes][index];
    await untilCopying(first as string);
    await server?.kill();
    expect((await copying).exitCode).toBe(1);
    await server?.start();
    await untilReady(database);
    expect(await distribute(first)).toEqual(completed);
    expect(await stateOf(database)).toEqual({ ...uninterrupted, rows });
  });
});

/** Until a transaction that copies has reached a node. */
async function untilCopying(url: string): Promise<void> {
  const sql = openOne(url);
  const holders = () =>
    sql`select from pg_locks where relation = 'ledger.entry'::regclass and mode = 'ExclusiveLock'`;
  try {
    // More often than `until`: a copy of few rows is short.
    while ((await holders()).length === 0) await Bun.sleep(5);
  } finally {
    await sql.end();
  }
}

function untilReady({ sql }: CitusDatabase): Promise<void> {
  return until('every server responds', async () => {
    const results = await sql`select success from run_command_on_all_nodes('select 1')`.catch(() => []);
    return results.length === 1 + cluster.nodes.length && results.every(({ success }) => success);
  });
}
