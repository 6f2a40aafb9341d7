/** What a database with many entries needs from time to time, and what requests notice of it. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { migrations, SQL_FOLDER } from '../../../ledger-worker/database/schema-sql.ts';
import { deleteExpired } from '../../../ledger-worker/upkeep.ts';
import { connectionsOf } from '../../fixtures/database.ts';
import { LAST_MONTH, SOURCE_TYPE } from '../entries.ts';
import { closedLoop, openConnections, quantile } from '../load.ts';
import { dayOf } from '../requests.ts';
import { rotation, type Target } from '../target.ts';

const CLIENTS = 8;
const QUIET_MS = 10_000;
const ERASED_ENTRIES = 100_000;
// Another one in each run: an interrupted run leaves its account.
const ERASED_ACCOUNT = Bun.randomUUIDv7();
const EXPIRED_PER_ACCOUNT = 20;

interface Upkeep {
  name: string;
  prepare?: (sql: Sql) => Promise<unknown>;
  /** @returns something to print */
  run(sql: Sql): Promise<unknown>;
}

const indexBytes = async (sql: Sql) => {
  const [row] = await sql<{ text: string }[]>`
    select string_agg(relname || ' ' || pg_size_pretty(pg_relation_size(oid)), ', ' order by relname) as text
      from pg_class where relnamespace = 'ledger'::regnamespace and relkind = 'i' and relname like 'entry%'`;
  return row?.text;
};

const UPKEEP: Upkeep[] = [
  {
    name: `an account with ${ERASED_ENTRIES} entries is erased`,
    prepare: (sql) => sql`
      with account as (
        insert into ledger.account (account_id, plan, deleted_at, erasing_at)
        values (${ERASED_ACCOUNT}, 'pro', now(), now())
        returning account_id
      ), source as (
        insert into ledger.source (account_id, source_id, type, name, role, share_percent)
        select account_id, account_id, ${SOURCE_TYPE}, 'erased', 'owner', 100 from account
        returning account_id, source_id
      )
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, external_ref)
      select account_id, uuidv7(), source_id, date '2024-04-06' + n % 730, 1, 'expense', 'erased-' || n
        from source, generate_series(1, ${ERASED_ENTRIES}::integer) n`,
    async run(sql) {
      let calls = 0;
      for (let isErased = false; !isErased; calls++) {
        const [row] = await sql<{ isErased: boolean }[]>`
          select ledger.erase_some(${ERASED_ACCOUNT}, 1000) as "isErased"`;
        isErased = row?.isErased ?? true;
      }
      return `${calls} calls`;
    },
  },
  {
    name: 'a pass of retention',
    prepare: (sql) => sql`
      insert into ledger.write_log (account_id, write_id, written_at, created, total)
      select account_id, gen_random_uuid(), now() - interval '10 days' - nth * interval '1 minute', 0, 0
        from public.filled, generate_series(1, ${EXPIRED_PER_ACCOUNT}::integer) nth`,
    async run(sql) {
      const [row] = await sql`select count(*)::integer as count from ledger.write_log`;
      await deleteExpired(connectionsOf(sql), new AbortController().signal);
      const [rest] = await sql`select count(*)::integer as count from ledger.write_log`;
      return `${row?.count} rows, ${rest?.count} are kept`;
    },
  },
  {
    name: 'a migration adds a column',
    async run(sql) {
      const folder = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
      try {
        cpSync(SQL_FOLDER, folder, { recursive: true });
        const version = (migrations(folder).at(-1)?.version ?? 0) + 1;
        const file = `${String(version).padStart(4, '0')}_bench.sql`;
        writeFileSync(join(folder, 'migrations', file), 'alter table ledger.entry add column bench text;\n');
        await migrate(sql, folder);
        await sql`delete from ledger.migration where version = ${version}`;
        await sql`alter table ledger.entry drop column bench`;
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    name: 'create index concurrently',
    async run(sql) {
      await sql`create index concurrently entry_bench on ledger.entry (account_id, amount_pence)`;
      const text = await indexBytes(sql);
      await sql`drop index concurrently ledger.entry_bench`;
      return text;
    },
  },
  {
    name: 'vacuum (freeze)',
    async run(sql) {
      await sql`vacuum (freeze) ledger.entry`;
    },
  },
  {
    name: 'reindex table concurrently',
    async run(sql) {
      const before = await indexBytes(sql);
      await sql`reindex table concurrently ledger.entry`;
      return `${before} -> ${await indexBytes(sql)}`;
    },
  },
];

/** Each beside the requests of a day: how long it takes, and how many requests there are, with the slowest. */
export async function measureUpkeep(target: Target, sql: Sql, only: string): Promise<void> {
  const print = (name: string, text: string) => console.log(`${name.padEnd(46)}${text}`);
  for (const { name, prepare, run } of UPKEEP.filter((each) => each.name.startsWith(only))) {
    await prepare?.(sql);
    const quiet = await load(target);
    await Bun.sleep(QUIET_MS);
    print('nothing', await quiet.end());
    const beside = await load(target);
    const text = await run(sql);
    print(name, `${await beside.end()}${text ? `; ${text}` : ''}`);
  }
}

async function load({ url, accounts }: Target): Promise<{ end(): Promise<string> }> {
  const connections = await openConnections(url, CLIENTS);
  const next = dayOf(rotation(accounts.writers), LAST_MONTH);
  let isEnded = false;
  const loop = closedLoop(connections, () => (isEnded ? undefined : next()));
  return {
    async end() {
      isEnded = true;
      const { seconds, times, failures } = await loop;
      for (const connection of connections) connection.close();
      const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
      return (
        `${seconds.toFixed(1)} s, ${(times.length / seconds).toFixed(0)} requests/s, ` +
        `p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms, failed ${JSON.stringify(failures)}`
      );
    },
  };
}
