/** The schema of a migrated database as text. */
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { describeSchema } from '../../../ledger-worker/verify/describe-schema.ts';
import { createDatabase } from '../../fixtures/own-database.ts';

export const UPDATE = 'bun test/ledger-worker/database/update-schema.ts';

/** Migrates a database of its own, and describes it. */
export async function describeMigrated(): Promise<string> {
  const { db, drop } = await createDatabase();
  await migrate(db);
  const lines = await describeSchema(db).finally(drop);
  return lines.map((line) => `${line}\n`).join('');
}
