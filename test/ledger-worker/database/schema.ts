/** The schema of a migrated database as text. */
import { join } from 'node:path';
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { describe } from '../../fixtures/describe-schema.ts';
import { createDatabase } from '../../fixtures/own-database.ts';

export const EXPECTED = join(import.meta.dir, 'schema.expected.txt');
export const UPDATE = 'bun test/ledger-worker/database/update-schema.ts';

/** Migrates a database of its own, and describes it. */
export async function describeSchema(): Promise<string> {
  const { db, drop } = await createDatabase();
  await migrate(db);
  return describe(db).finally(drop);
}
