/** The schema of a migrated database as text. */
import { join } from 'node:path';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { describe } from '../../fixtures/describe-schema.ts';
import { sql, system } from '../../fixtures/system.ts';

export const EXPECTED = join(import.meta.dir, 'schema.expected.txt');
export const UPDATE = 'bun test/ledger-worker/database/update-schema.ts';

/** Migrates a database of its own, and describes it. */
export async function describeSchema(): Promise<string> {
  const name = `schema_${Bun.randomUUIDv7().replaceAll('-', '')}`;
  const address = new URL(system.databaseUrl);
  address.pathname = name;
  await sql`create database ${sql(name)}`;
  const db = openDatabase({ url: address.href, poolMax: 1, statementTimeoutMs: 0 });
  try {
    await migrate(db);
    return await describe(db);
  } finally {
    await db.end();
    await sql`drop database ${sql(name)} with (force)`;
  }
}
