/** A connection for statements between the measurements, without the worker's settings. */
import postgres from 'postgres';

export type Sql = postgres.Sql;

/** @param databaseUrl with a unix socket, as local/servers/postgres.ts has it */
export function openSql(databaseUrl: string): Sql {
  const address = new URL(databaseUrl);
  const socketDirectory = address.searchParams.get('host') ?? '';
  address.searchParams.delete('host');
  return postgres(address.href, { host: socketDirectory, max: 1, onnotice: () => {} });
}
