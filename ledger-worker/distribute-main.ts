/** Distributes the database over the nodes of a Citus cluster, with the DATABASE_URL of the schema's owner on the coordinator. */
import { createLog } from '../platform/log.ts';
import { run } from '../platform/process.ts';
import { distribute } from './citus/distribute.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database/connection.ts';

const log = createLog('distribute');

async function main() {
  const { DATABASE_URL: urls, LOG_LEVEL } = readConfig(process.env);
  log.level = LOG_LEVEL;
  const [url = '', ...others] = urls;
  if (others.length > 0) throw new Error('DATABASE_URL must name one host here, the coordinator.');
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  await distribute(sql, (step) => log.info(step));
  await sql.end();
  log.info('the database is distributed');
}

run(main, log);
