/** The ledger worker: gRPC in, SQL out. */

import { followCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { createLog } from '../platform/log.ts';
import { createRegistry, serveMetrics } from '../platform/metrics.ts';
import { serverCredentials } from '../platform/mutual-tls.ts';
import { run, terminationSignal } from '../platform/process.ts';
import { startTracing } from '../platform/start-tracing.ts';
import { VERSION } from '../proto/vocabulary.ts';
import { adminService } from './admin/service.ts';
import { readConfig } from './config.ts';
import { openDatabase, requireSettings } from './database/connection.ts';
import { migrate, requireMigrated } from './database/migrate.ts';
import { Pool } from './database/pool.ts';
import { isReachable } from './database/query.ts';
import { serve } from './grpc/server.ts';
import { primaryPages, replicaPages, requireReplicaSettings } from './ledger/replica.ts';
import { startRetention } from './ledger/retention.ts';
import { ledgerService } from './ledger/service.ts';
import { createMetrics } from './metrics.ts';

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

  const openPool = (url: string) =>
    new Pool(
      openDatabase({
        url,
        poolMax: config.DATABASE_POOL_MAX,
        statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      }),
    );
  const pool = openPool(config.DATABASE_URL);
  await requireSettings(pool.sql);
  const replica = config.DATABASE_REPLICA_URL ? openPool(config.DATABASE_REPLICA_URL) : undefined;
  if (replica) await requireReplicaSettings(replica.sql, log);
  // A connection of its own: the health check must not wait for other statements.
  const probe = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: PROBE_MS_MAX });
  const registry = createRegistry('ledger-worker', VERSION);
  const metrics = createMetrics(registry);
  metrics.registerPool(pool.size, () => pool.usage());
  const readPages = replica ? replicaPages(pool, replica, metrics, log) : primaryPages(pool, metrics);
  // The gateways decide which requests are sampled.
  const tracing = await startTracing(
    { service: 'ledger-worker', version: VERSION, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: 0 },
    log,
  );
  const server = await serve(
    {
      ledger: ledgerService(pool, readPages, metrics),
      admin: adminService(pool.sql, config.KEY_PREFIX),
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
  const metricsServer = config.METRICS_ADDRESS
    ? await serveMetrics(config.METRICS_ADDRESS, registry)
    : undefined;
  const { address, adminAddress } = server;
  log.info(
    { address, adminAddress, ...(metricsServer && { metricsAddress: metricsServer.address }) },
    'listening',
  );
  const stopRetention = startRetention(pool.sql, log);

  await terminationSignal();
  log.info('draining');
  await Promise.all([server.drain(config.SHUTDOWN_GRACE_MS), stopRetention()]);
  await Promise.all([pool.sql, probe, replica?.sql].map((each) => each?.end({ timeout: 5 })));
  metricsServer?.stop();
  await tracing?.close();
  log.info('stopped');
}

run(main, log);
