/** The books of some accounts as the database has them. */
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
  /** µs since 1970: rows of one account that were committed together have the same. */
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

/** All of one moment, once nothing is being written any more. Needs track_commit_timestamp. */
export async function readBooks(sql: Sql, accountIds: string[]): Promise<Books> {
  // What is below 2^53 is exact.
  const micros = (instant: PendingQuery<never[]>) => sql`(extract(epoch from ${instant}) * 1000000)::float8`;
  const committed = micros(sql`pg_xact_commit_timestamp(xmin)`);
  await atRest(sql);
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

const REST_MS_MAX = 15_000;
const LOOK_EVERY_MS = 100;
const LOOKS_IN_A_ROW = 3;

/** A request that its client has given up may still be on its way through gateway and worker. */
async function atRest(sql: Sql): Promise<void> {
  let inARow = 0;
  for (const end = performance.now() + REST_MS_MAX; inARow < LOOKS_IN_A_ROW; await Bun.sleep(LOOK_EVERY_MS)) {
    if (performance.now() > end) throw new Error('writes go on although every client has stopped');
    const active = await sql`
      select from pg_stat_activity where state <> 'idle' and query like '%ledger.create_batches%' and pid <> pg_backend_pid()`;
    inARow = active.length === 0 ? inARow + 1 : 0;
  }
}

/**
 * Differs when anything about the entries of these accounts does: for books that nobody writes to any more.
 */
export async function seal(sql: Sql, accountIds: string[]): Promise<string> {
  const [books] = await sql<[{ seal: string }]>`
    select count(*) || ' entries, ' || coalesce(md5(string_agg(e::text, '|' order by entry_id)), '') as seal
      from ledger.entry e where account_id = any(${accountIds}::uuid[])`;
  return books.seal;
}

/** Which of the seals no longer hold, and whether there are entries of accounts under no seal. */
export async function sealedOtherwise(
  sql: Sql,
  seals: { accountIds: string[]; seal: string }[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const { accountIds, seal: before } of seals) {
    const now = await seal(sql, accountIds);
    if (now !== before) changed.push(`${accountIds.join(', ')}: ${before}, now ${now}`);
  }
  const known = seals.flatMap(({ accountIds }) => accountIds);
  const strangers = await sql<{ accountId: string }[]>`
    select distinct account_id as "accountId" from ledger.entry where account_id <> all(${known}::uuid[])`;
  return [
    ...changed,
    ...strangers.map(({ accountId }) => `${accountId} has entries, and nobody has used it`),
  ];
}
