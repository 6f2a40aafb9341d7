/** Migrates the database, with the DATABASE_URL of the schema's owner. */
import { createLog } from '../platform/log.ts';
import { run } from '../platform/process.ts';
import { ON_CITUS } from './citus/schema-changes.ts';
import { readConfig } from './config.ts';
import { oneAddress } from './database/address.ts';
import { openDatabase } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { hasCitus } from './database/nodes.ts';
import { SQL_FOLDER } from './database/sql-files.ts';

const log = createLog('migrate');

async function main() {
  const { DATABASE_URL, LOG_LEVEL } = readConfig(process.env);
  log.level = LOG_LEVEL;
  const url = oneAddress(DATABASE_URL);
  const changes = (await hasCitus(url)) ? ON_CITUS : undefined;
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(sql, SQL_FOLDER, changes);
  await sql.end();
  log.info('the database is up to date');
}

run(main, log);
