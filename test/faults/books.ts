/** Reads the books of accounts from the database. */
import type { Sql } from 'postgres';
import type { Transaction } from '../fixtures/client.ts';
import { until } from '../fixtures/until.ts';

export interface Row extends Transaction {
  accountId: string;
  sourceId: string;
  /** The id of its transaction; of a distributed database always empty. */
  transaction: string;
}

interface LoggedWrite {
  accountId: string;
  /** The id that the gateway made for the first entry of the request. */
  writeId: string;
  created: number;
  total: number;
}

interface CountedSource {
  id: string;
  accountId: string;
  transactionCount: number;
}

export interface Books {
  rows: Row[];
  /** In their order. */
  writes: LoggedWrite[];
  sources: CountedSource[];
}

/** Direct connections to the database, without a proxy. */
export interface Database {
  /** Sees every row. */
  sql: Sql;
  /** Of each server that executes the workers' statements. */
  servers: () => Sql[];
  isDistributed: boolean;
}

/** The books, read once no write is active. Gateways and workers hold no request any more. */
export async function readBooks(database: Database, accountIds: string[]): Promise<Books> {
  await untilIdle(database);
  const { sql, isDistributed } = database;
  const ids = `{${accountIds.join()}}`;
  const rows = await sql<Row[]>`
    select entry_id as id, account_id as "accountId", source_id as "sourceId",
           to_char(entry_date, 'YYYY-MM-DD') as date, type, amount_pence::float8 as "amountPence", category,
           description, external_ref as "externalRef", ${isDistributed ? sql`''` : sql`xmin::text`} as transaction
      from ledger.entry where account_id = any(${ids}::text::uuid[])`;
  const writes = await sql<LoggedWrite[]>`
    select account_id as "accountId", write_id as "writeId", created, total::float8 as total
      from ledger.write_log where account_id = any(${ids}::text::uuid[])
     order by account_id, written_at, total`;
  const sources = await sql<CountedSource[]>`
    select source_id as id, account_id as "accountId", transaction_count::float8 as "transactionCount"
      from ledger.source where account_id = any(${ids}::text::uuid[])`;
  return { rows, writes, sources };
}

/** Waits for writes whose client, gateway or worker no longer waits for them. */
const untilIdle = ({ servers }: Database) =>
  until(
    'no write is active',
    async () => {
      const active = await Promise.all(
        servers().map(
          (sql) => sql`
            select from pg_stat_activity
             where state <> 'idle' and query like '%ledger.write_%' and pid <> pg_backend_pid()`,
        ),
      );
      return active.flat().length === 0;
    },
    60_000,
  );
