/** Migrations and functions on a distributed database: the schema becomes that of a plain one, on every server and in every shard. */
import { expect, setDefaultTimeout } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distribute } from '../../ledger-worker/citus/distribute.ts';
import { ON_CITUS } from '../../ledger-worker/citus/schema-changes.ts';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { migrate, requireMigrated } from '../../ledger-worker/database/migrate.ts';
import { withoutValidity } from '../../ledger-worker/verify/schema.ts';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import {
  type CitusDatabase,
  createCitusDatabase,
  describeServer,
  linesOfTables,
  migrateAndFill,
  tablesIn,
} from '../fixtures/citus-database.ts';
import { execute, openOne } from '../fixtures/database.ts';
import { sharedDistributedDatabase } from '../fixtures/distributed-database.ts';
import { addMigration, changeFunction, copySchema, raiseVersion } from '../fixtures/newer-schema.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

// The first version whose database can be distributed. Later migrations must run on a distributed database.
const FIRST_VERSION = 1;

let cluster: CitusCluster;
let first: string;
let later: string;
let distributed: CitusDatabase;
let plain: CitusDatabase;
afterAll(async () => {
  for (const each of [distributed, plain]) await each?.drop();
});

/** Leaves the migrations of the first version, and the functions that their tables need. */
function makeFirst(folder: string): void {
  const remove = (directory: string, isLeft: (file: string) => boolean) => {
    for (const path of readdirSync(join(folder, directory), { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.sql') && !isLeft(basename(path))) rmSync(join(folder, directory, path));
    }
  };
  remove('migrations', (file) => Number.parseInt(file, 10) <= FIRST_VERSION);
  remove('functions', () => false);
  writeFileSync(
    join(folder, 'functions/grant_to_worker.sql'),
    "create or replace function ledger.grant_to_worker() returns void language sql as '';\n",
  );
}

function makeLater(folder: string): void {
  addMigration(
    folder,
    'remarks',
    `-- A semicolon in a comment; and a quote: '
     alter table ledger.entry add column note text;
     alter table ledger.entry add constraint entry_note_check check (char_length(note) <= 100);
     update ledger.entry set note = 'a;b' where entry_date > '2026-03-01';
     create domain ledger.payee as text;
     alter table ledger.entry add column payee ledger.payee;
     alter domain ledger.payee add constraint payee_check check (char_length(value) <= 200) not valid;
     create index entry_note on ledger.entry (account_id, note) where note is not null;
     create type ledger.remark_state as enum ('open', 'done');
     create table ledger.remark_kind (kind text primary key);
     insert into ledger.remark_kind values ('question');
     create table ledger.remark (
       account_id uuid not null,
       remark_id  uuid not null,
       source_id  uuid not null,
       kind       text not null references ledger.remark_kind,
       state      ledger.remark_state not null default 'open',
       primary key (account_id, remark_id)
     );
     alter table ledger.remark add constraint remark_source_fkey foreign key (account_id, source_id) references ledger.source;
     alter table ledger.source add column remarks integer not null default 0;
     do $$ begin perform 1; end $$;
     alter table ledger.source alter column remarks drop default;\n`,
  );
  addMigration(folder, 'entry_note_bound', 'alter table ledger.entry drop constraint entry_note_check;\n');
  changeFunction(folder, 'delete_account', 'declare', 'declare -- once more');
  writeFileSync(
    join(folder, 'functions/count_remarks.sql'),
    `create or replace function ledger.count_remarks(p_account_id uuid) returns bigint language plpgsql as $$
     begin return (select count(*) from ledger.remark where account_id = p_account_id); end $$;\n`,
  );
  raiseVersion(folder);
}

beforeAll(async () => {
  cluster = await sharedDistributedDatabase();
  [first, later] = [copySchema(), copySchema()];
  makeFirst(first);
  makeLater(later);
  distributed = await createCitusDatabase(cluster);
  await migrateAndFill(distributed.sql, first);
  await distribute(distributed.sql, () => {}, first);
  await migrate(distributed.sql, later, ON_CITUS);

  plain = await createCitusDatabase(cluster, { hasCitus: false });
  await migrate(plain.sql, later);
});

test('every migration and function runs on a distributed database, with the result that it has on a plain one', async () => {
  const expected = withoutValidity((await describeServer(plain.urls[0] as string)).tables);
  for (const url of distributed.urls)
    expect(withoutValidity((await describeServer(url)).tables)).toEqual(expected);
});

test('every shard has what its table has', async () => {
  const expected = (await describeServer(plain.urls[0] as string)).tables;
  for (const url of distributed.urls.slice(1)) {
    const { shards } = await describeServer(url);
    const tables = tablesIn(shards);
    expect(tables).toEqual(expect.arrayContaining(['account', 'remark', 'remark_kind']));
    expect(shards).toEqual(linesOfTables(expected, tables));
  }
});

test('a new table with the account in its primary key is distributed by it, another has a copy on each node, and a function with p_account_id runs on the account’s node', async () => {
  for (const url of distributed.urls) {
    const rows = await execute(
      url,
      `select logicalrelid::text as name, partmethod::text as kind, colocationid = (
                select colocationid from pg_dist_partition where logicalrelid = 'ledger.account'::regclass) as "isWithAccount"
         from pg_dist_partition where logicalrelid::text like '%remark%'
       union all
       select 'count_remarks', distribution_argument_index::text, null from pg_dist_object
        where classid = 'pg_proc'::regclass and objid = 'ledger.count_remarks'::regproc
       order by 1`,
    );
    expect([...rows]).toEqual([
      { name: 'count_remarks', kind: '0', isWithAccount: null },
      { name: 'remark', kind: 'h', isWithAccount: true },
      { name: 'remark_kind', kind: 'n', isWithAccount: false },
    ]);
  }
});

test('a statement of a migration changes the rows of every node, once', async () => {
  const [row] = await distributed.sql`
    select count(*) filter (where note = 'a;b')::integer as changed, count(*)::integer as entries from ledger.entry`;
  const [expected] = await distributed.sql`
    select count(*) filter (where entry_date > '2026-03-01')::integer as changed, count(*)::integer as entries
      from ledger.entry`;
  expect(row).toEqual(expected as never);
  expect(row?.changed).toBeGreaterThan(0);
});

test('workers of both versions start while a node is unavailable, and change nothing', async () => {
  const [, node] = cluster.nodes;
  const { sql, urls } = distributed;
  const versions = () => sql`select xmin::text, * from ledger.applied_functions order by version`;
  const before = await versions();
  node.freeze();
  try {
    for (const url of urls.slice(0, 2)) {
      const db = openDatabase({ url, poolMax: 1, statementTimeoutMs: 2_000 });
      for (const folder of [later, first]) {
        await migrate(db, folder, ON_CITUS);
        await requireMigrated(db, folder);
      }
      await db.end();
    }
  } finally {
    node.thaw();
  }
  expect(await versions()).toEqual(before);
});

test('a node does not migrate; a migration while a node is unavailable ends and changes nothing, and the next start applies it', async () => {
  const folder = copySchema();
  makeLater(folder);
  addMigration(folder, 'more', 'alter table ledger.source add column more integer;\n');
  const asNode = openOne(distributed.urls[1] as string);
  await expect(migrate(asNode, folder, ON_CITUS)).rejects.toThrow(
    'only the coordinator can change the schema: run `bun run migrate` with its address.',
  );
  await asNode.end();
  const [, node] = cluster.nodes;
  const found = () =>
    distributed.sql`select from pg_attribute where attrelid = 'ledger.source'::regclass and attname = 'more'`;
  const failure = async () => {
    const failed = migrate(distributed.sql, folder, ON_CITUS).catch(({ message }) => message);
    return Promise.race([failed, Bun.sleep(50_000).then(() => 'it waits')]);
  };
  node.freeze();
  const frozen = await failure();
  node.thaw();
  expect(frozen).toContain('a server of the cluster does not respond');
  await node.stop();
  expect(await failure()).toContain('a server of the cluster does not respond');
  expect(await found()).toHaveLength(0);
  await node.start();
  await migrate(distributed.sql, folder, ON_CITUS);
  expect(await found()).toHaveLength(1);
  for (const url of distributed.urls) {
    expect((await describeServer(url)).tables).toContain('table source column more integer');
  }
});
