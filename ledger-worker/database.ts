/** The connection pool. */
import postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number; calendarDay: string }>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`; `?host=/directory` names a unix socket, as in libpq. */
  url: string;
  poolMax: number;
  /** 0 switches it off. */
  statementTimeoutMs: number;
}

/** Opens no connection yet: the first statement does. */
export function openDatabase({ url, poolMax, statementTimeoutMs }: DatabaseOptions): Sql {
  const address = new URL(url);
  const socketDirectory = address.searchParams.get('host');
  address.searchParams.delete('host');

  return postgres(address.href, {
    ...(socketDirectory && { host: socketDirectory }),
    max: poolMax,
    connect_timeout: 5,
    onnotice: () => {},
    connection: {
      application_name: 'ledger-worker',
      statement_timeout: statementTimeoutMs,
      // ledger.create_entries reads what committed while it waited for a lock.
      default_transaction_isolation: 'read committed',
    },
    types: {
      // Every bigint of the schema ends at 2^53-1, and a date is a calendar day, not an instant.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      calendarDay: { to: 1082, from: [1082], serialize: String, parse: String },
    },
  });
}
