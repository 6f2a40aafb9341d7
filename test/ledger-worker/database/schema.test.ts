/** The schema is the one that is written down: every change of it is deliberate. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { SCHEMA_FILE } from '../../../ledger-worker/database/schema-sql.ts';
import { describeMigrated, UPDATE } from './schema.ts';

setDefaultTimeout(60_000);

test('a migrated database has the schema that is written down', async () => {
  const expected = readFileSync(SCHEMA_FILE, 'utf8');
  const actual = await describeMigrated();
  expect(actual, `Is the change meant? Then write it down: ${UPDATE}`).toBe(expected);
});
