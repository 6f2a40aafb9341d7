/** Writes the present schema to its file, and raises the version of the functions if one has changed. `git diff` shows the changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  functions,
  SCHEMA_FILE,
  SQL_FOLDER,
  VERSION_FILE,
} from '../../../ledger-worker/database/schema-sql.ts';
import { endRun } from '../../fixtures/end-of-run.ts';
import { describeMigrated } from './schema.ts';

const { version, checksum } = functions(SQL_FOLDER);
const file = join(SQL_FOLDER, VERSION_FILE);
if (!readFileSync(file, 'utf8').includes(checksum)) writeFileSync(file, `${version + 1} ${checksum}\n`);
writeFileSync(SCHEMA_FILE, await describeMigrated());
await endRun();
