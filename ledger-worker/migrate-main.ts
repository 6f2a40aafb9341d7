/** Migrates the database, with the DATABASE_URL of the schema's owner. */
import { createLog } from '../platform/log.ts';
import { run } from '../platform/process.ts';
import { openNodes } from './citus/cluster.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { SQL_FOLDER } from './database/schema-sql.ts';

const log = createLog('migrate');

async function main() {
  const { DATABASE_URL: urls, LOG_LEVEL } = readConfig(process.env);
  log.level = LOG_LEVEL;
  const nodes = await openNodes({ urls, poolMax: 1, statementTimeoutMs: 0, log });
  const sql = openDatabase({ url: nodes.schemaUrl, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(sql, SQL_FOLDER, nodes.schemaChanges);
  await Promise.all([sql.end(), nodes.end()]);
  log.info('the database is up to date');
}

run(main, log);
