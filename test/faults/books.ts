/** Reads the books of accounts from the database. */
import type { Sql } from 'postgres';
import type { EntryType } from '../../proto/domain.ts';
import { until } from '../fixtures/until.ts';

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

/** Runs a query on a table. `query` gets the name of the table, or of a part of it that has all rows of its accounts. */
export type Read = <Row>(table: string, query: (table: string) => string) => Promise<Row[]>;

/** Direct connections to the database, without a proxy. */
export interface Database {
  /** Sees every row. */
  sql: Sql;
  /** Of each server that executes the workers' statements. */
  servers: () => Sql[];
  /** The rows of an account are of one snapshot. */
  inSnapshot<Result>(work: (read: Read) => Promise<Result>): Promise<Result>;
}

// A double is exact below 2^53.
const micros = (instant: string) => `(extract(epoch from ${instant}) * 1000000)::float8`;

/**
 * The books, taken once no write is active. Gateways and workers hold no request any more. Needs track_commit_timestamp.
 * @param hasMoved the rows have been copied since they were committed: then all commit times are 0
 */
export async function readBooks(database: Database, accountIds: string[], hasMoved = false): Promise<Books> {
  const committed = hasMoved ? '0' : micros('pg_xact_commit_timestamp(xmin)');
  const ofAccounts = `account_id = any('{${accountIds.join()}}'::uuid[])`;
  await untilIdle(database);
  return database.inSnapshot(async (read) => {
    const rows = await read<Row>(
      'ledger.entry',
      (table) => `
      select entry_id as id, account_id as "accountId", source_id as "sourceId",
             to_char(entry_date, 'YYYY-MM-DD') as date, type, amount_pence::float8 as "amountPence", category,
             description, external_ref as "externalRef", ${committed} as committed
        from ${table} where ${ofAccounts}`,
    );
    const writes = await read<LoggedWrite>(
      'ledger.write_log',
      (table) => `
      select account_id as "accountId", ${micros('written_at')} as "writtenAt", created, total::float8 as total,
             ${committed} as committed
        from ${table} where ${ofAccounts}
       order by account_id, written_at, total`,
    );
    const sources = await read<CountedSource>(
      'ledger.source',
      (table) => `
      select source_id as id, account_id as "accountId", transaction_count::float8 as "transactionCount"
        from ${table} where ${ofAccounts}`,
    );
    return { rows, writes, sources };
  });
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
