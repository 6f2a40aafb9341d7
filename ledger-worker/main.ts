/** The ledger worker: gRPC in, SQL out. */
import pino from 'pino';
import { followCertificates } from '../proto/certificates.ts';
import { mutualTlsFiles } from '../proto/environment.ts';
import { serverCredentials } from '../proto/mutual-tls.ts';
import { run, terminationSignal } from '../proto/process.ts';
import { adminService } from './admin-service.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database.ts';
import { isReachable } from './ledger.ts';
import { ledgerService } from './ledger-service.ts';
import { migrate } from './migrate.ts';
import { serve } from './server.ts';

const log = pino({ base: { service: 'ledger-worker' } });

const PROBE_MS_MAX = 1_000;

async function main() {
  const config = readConfig(process.env);
  log.level = config.LOG_LEVEL;
  const files = mutualTlsFiles(config);
  const security = serverCredentials(files && followCertificates(files, log));

  const migrations = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(migrations);
  await migrations.end();

  const sql = openDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  });
  // Of its own: it must not wait behind the work.
  const probe = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: PROBE_MS_MAX });
  const server = await serve(
    {
      ledger: ledgerService(sql),
      admin: adminService(sql, config.KEY_PREFIX),
      isHealthy: () => isReachable(probe),
    },
    {
      listenAddress: config.LISTEN_ADDRESS,
      adminAddress: config.ADMIN_ADDRESS,
      security,
      callsMax: config.CALLS_MAX,
    },
    log,
  );
  log.info({ address: server.address, adminAddress: server.adminAddress }, 'listening');

  await terminationSignal();
  log.info('draining');
  await server.drain(config.SHUTDOWN_GRACE_MS);
  await Promise.all([sql, probe].map((each) => each.end({ timeout: 5 })));
  log.info('stopped');
}

run(main, log);
