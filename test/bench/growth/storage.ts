/** What entries take on disk, and what a load writes to the WAL and reads from outside of the server's cache. */
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { WRITERS } from './accounts.ts';

/** Bytes per entry, by table and index, the largest first. */
export async function printStorage(sql: Sql, entries: number): Promise<void> {
  const relations = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_relation_size(oid)::float8 as bytes
      from pg_class
     where relnamespace = 'ledger'::regnamespace and relname like 'entry%' and relkind in ('r', 'i')
     order by 2 desc`;
  const perEntry = (bytes: number) => (bytes / entries).toFixed(0);
  const parts = relations.map(({ name, bytes }) => `${name} ${perEntry(bytes)}`);
  const all = relations.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `bytes per entry: ${perEntry(all)} (${parts.join(', ')}), ${(all / 2 ** 30).toFixed(1)} GiB in all`,
  );
}

/**
 * Into memory, as they are where a server has run for a while: all of them into that of the operating system, in the order of the disk, and then
 * the pages of the writers into the server's cache, until it is full.
 */
export async function readIndexes(sql: Sql): Promise<void> {
  await sql`create extension if not exists pg_prewarm schema public`;
  await sql`select pg_prewarm(indexrelid, 'read') from pg_index where indrelid = 'ledger.entry'::regclass`;
  const entries = sql`select count(*) as counted from ledger.entry where entry.account_id = filled.account_id`;
  // Each time only one of the indexes is enough.
  for (const ofAccount of [entries, sql`${entries} and external_ref is not null`])
    await sql`
      select sum(counted)
        from public.filled, lateral (${ofAccount}) as of_account
       where n <= ${WRITERS}::integer`;
}

export interface Counters {
  walBytes: number;
  fullPages: number;
  /** Pages of tables and indexes that were looked at, and how many of them the server's cache lacked. */
  pages: number;
  misses: number;
  checkpoints: number;
}

export async function countersOf(sql: Sql): Promise<Counters> {
  const [row] = await sql<[Counters]>`
    select wal_bytes::float8 as "walBytes", wal_fpi::float8 as "fullPages",
           pages, misses,
           (select num_timed + num_requested from pg_stat_checkpointer)::float8 as checkpoints
      from pg_stat_wal,
           (select sum(blks_hit + blks_read)::float8 as pages, sum(blks_read)::float8 as misses from pg_stat_database)`;
  return row;
}

/** What the server's sessions wait for, sampled: `nothing` is the processor. */
export function sampleWaits(sql: Sql): { end(): Promise<string> } {
  const counts = new Map<string, number>();
  let isEnded = false;
  const sample = async () => {
    while (!isEnded) {
      const rows = await sql<{ name: string }[]>`
        select coalesce(wait_event, 'nothing') as name from pg_stat_activity
         where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`;
      for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
      await Bun.sleep(20);
    }
  };
  const sampling = sample();
  return {
    async end() {
      isEnded = true;
      await sampling;
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return [...counts]
        .sort(([, one], [, other]) => other - one)
        .slice(0, 5)
        .map(([name, count]) => `${name} ${((100 * count) / all).toFixed(0)} %`)
        .join(', ');
    },
  };
}
