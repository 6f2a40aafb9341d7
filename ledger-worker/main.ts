/** The ledger worker: gRPC in, SQL out. */

import { followCertificates } from '../proto/certificates.ts';
import { mutualTlsFiles } from '../proto/environment.ts';
import { createLog } from '../proto/log.ts';
import { createRegistry, serveMetrics } from '../proto/metrics.ts';
import { serverCredentials } from '../proto/mutual-tls.ts';
import { run, terminationSignal } from '../proto/process.ts';
import { startTracing } from '../proto/tracing.ts';
import { adminService } from './admin-service.ts';
import { poolUse } from './ask.ts';
import { readConfig } from './config.ts';
import { openDatabase, requireSettings } from './database.ts';
import { isReachable } from './ledger.ts';
import { ledgerService } from './ledger-service.ts';
import { createMetrics } from './metrics.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { forgetting } from './retention.ts';
import { serve } from './server.ts';

const log = createLog('ledger-worker');

const PROBE_MS_MAX = 1_000;

async function main() {
  const config = readConfig(process.env);
  log.level = config.LOG_LEVEL;
  const files = mutualTlsFiles(config);
  const security = serverCredentials(files && followCertificates(files, log));

  const migrations = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: 0 });
  await (config.MIGRATE === 'never' ? requireMigrated(migrations) : migrate(migrations));
  await migrations.end();

  const sql = openDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  });
  await requireSettings(sql);
  // Of its own: it must not wait behind the work.
  const probe = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: PROBE_MS_MAX });
  const registry = createRegistry('ledger-worker');
  const metrics = createMetrics(registry);
  metrics.pool(config.DATABASE_POOL_MAX, () => poolUse(sql));
  // What is sampled, its gateways say.
  const tracing = await startTracing(
    { service: 'ledger-worker', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: 0 },
    log,
  );
  const server = await serve(
    {
      ledger: ledgerService(sql, metrics),
      admin: adminService(sql, config.KEY_PREFIX),
      isHealthy: () => isReachable(probe),
    },
    {
      listenAddress: config.LISTEN_ADDRESS,
      adminAddress: config.ADMIN_ADDRESS,
      security,
      callsMax: config.CALLS_MAX,
    },
    metrics,
    tracing,
    log,
  );
  const measured = config.METRICS_ADDRESS ? await serveMetrics(config.METRICS_ADDRESS, registry) : undefined;
  const { address, adminAddress } = server;
  log.info({ address, adminAddress, ...(measured && { metricsAddress: measured.address }) }, 'listening');
  const stopForgetting = forgetting(sql, log);

  await terminationSignal();
  log.info('draining');
  await Promise.all([server.drain(config.SHUTDOWN_GRACE_MS), stopForgetting()]);
  await Promise.all([sql, probe].map((each) => each.end({ timeout: 5 })));
  measured?.stop();
  await tracing?.close();
  log.info('stopped');
}

run(main, log);
