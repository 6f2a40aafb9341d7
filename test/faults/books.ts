/** Reads the books of accounts from the database. */
import type { PendingQuery, Sql } from 'postgres';
import type { EntryType } from '../../proto/vocabulary.ts';

export interface Row {
  id: string;
  accountId: string;
  sourceId: string;
  date: string;
  type: EntryType;
  amountPence: number;
  category: string | null;
  description: string | null;
  externalRef: string | null;
  /** The commit time in µs since 1970, the same for all rows of a transaction. */
  committed: number;
}

export interface LoggedWrite {
  accountId: string;
  /** µs since 1970. */
  writtenAt: number;
  created: number;
  total: number;
  committed: number;
}

export interface CountedSource {
  id: string;
  accountId: string;
  transactionCount: number;
}

export interface Books {
  rows: Row[];
  writes: LoggedWrite[];
  sources: CountedSource[];
}

/** One snapshot of the books, taken once no write is active. Needs track_commit_timestamp. */
export async function readBooks(sql: Sql, accountIds: string[]): Promise<Books> {
  // A double is exact below 2^53.
  const micros = (instant: PendingQuery<never[]>) => sql`(extract(epoch from ${instant}) * 1000000)::float8`;
  const committed = micros(sql`pg_xact_commit_timestamp(xmin)`);
  await waitUntilIdle(sql);
  const [rows, writes, sources] = await sql.begin('isolation level repeatable read', (sql) => [
    sql<Row[]>`
      select entry_id as id, account_id as "accountId", source_id as "sourceId",
             to_char(entry_date, 'YYYY-MM-DD') as date, type, amount_pence::float8 as "amountPence", category,
             description, external_ref as "externalRef", ${committed} as committed
        from ledger.entry where account_id = any(${accountIds}::uuid[])`,
    sql<LoggedWrite[]>`
      select account_id as "accountId", ${micros(sql`written_at`)} as "writtenAt", created, total::float8 as total,
             ${committed} as committed
        from ledger.write_log where account_id = any(${accountIds}::uuid[])
       order by account_id, written_at, total`,
    sql<CountedSource[]>`
      select source_id as id, account_id as "accountId", transaction_count::float8 as "transactionCount"
        from ledger.source where account_id = any(${accountIds}::uuid[])`,
  ]);
  return { rows, writes, sources };
}

const IDLE_MS_MAX = 15_000;
const CHECK_EVERY_MS = 100;
const IDLE_CHECKS = 3;

/** A write that its client has abandoned may still be in progress in a gateway or a worker. */
async function waitUntilIdle(sql: Sql): Promise<void> {
  let inARow = 0;
  for (const end = performance.now() + IDLE_MS_MAX; inARow < IDLE_CHECKS; await Bun.sleep(CHECK_EVERY_MS)) {
    if (performance.now() > end) throw new Error('writes continue although every client has stopped');
    const active = await sql`
      select from pg_stat_activity where state <> 'idle' and query like '%ledger.create_%' and pid <> pg_backend_pid()`;
    inARow = active.length === 0 ? inARow + 1 : 0;
  }
}

/** A checksum of all entries of some accounts. */
export async function checksumOf(sql: Sql, accountIds: string[]): Promise<string> {
  const [books] = await sql<[{ checksum: string }]>`
    select count(*) || ' entries, ' || coalesce(md5(string_agg(e::text, '|' order by entry_id)), '') as checksum
      from ledger.entry e where account_id = any(${accountIds}::uuid[])`;
  return books.checksum;
}

/** Describes audited books that have changed since, and entries of accounts that were never audited. */
export async function changesSince(
  sql: Sql,
  audited: { accountIds: string[]; checksum: string }[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const { accountIds, checksum } of audited) {
    const now = await checksumOf(sql, accountIds);
    if (now !== checksum) changed.push(`${accountIds.join(', ')}: ${checksum}, now ${now}`);
  }
  const known = audited.flatMap(({ accountIds }) => accountIds);
  const unknown = await sql<{ accountId: string }[]>`
    select distinct account_id as "accountId" from ledger.entry where account_id <> all(${known}::uuid[])`;
  return [
    ...changed,
    ...unknown.map(({ accountId }) => `${accountId} has entries, but no client has used it`),
  ];
}
