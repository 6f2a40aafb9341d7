/** Migrates the database, with the DATABASE_URL of the schema's owner. */
import { createLog } from '../platform/log.ts';
import { run } from '../platform/process.ts';
import { Cluster, openNodes } from './citus/cluster.ts';
import { ON_CITUS } from './citus/schema-changes.ts';
import { readConfig } from './config.ts';
import { addressesIn } from './database/address.ts';
import { openDatabase } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { SQL_FOLDER } from './database/schema-sql.ts';

const log = createLog('migrate');

async function main() {
  const { DATABASE_URL, LOG_LEVEL } = readConfig(process.env);
  log.level = LOG_LEVEL;
  const urls = addressesIn(DATABASE_URL);
  const nodes = await openNodes({ urls, poolMax: 1, statementTimeoutMs: 0, log });
  const sql = openDatabase({ url: nodes.schemaUrl, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(sql, SQL_FOLDER, nodes instanceof Cluster ? ON_CITUS : undefined);
  await Promise.all([sql.end(), nodes.end()]);
  log.info('the database is up to date');
}

run(main, log);
