/** The ledger worker: gRPC in, SQL out. */

import { followCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { createLog } from '../platform/log.ts';
import { createRegistry, serveMetrics } from '../platform/metrics.ts';
import { serverCredentials } from '../platform/mutual-tls.ts';
import { run, terminationSignal } from '../platform/process.ts';
import { startTracing } from '../platform/tracing.ts';
import { adminService } from './admin/service.ts';
import { readConfig } from './config.ts';
import { migrate, requireMigrated } from './database/migrate.ts';
import { openDatabase, requireSettings } from './database/pool.ts';
import { poolUse } from './database/query.ts';
import { serve } from './grpc/server.ts';
import { isReachable } from './ledger/reads.ts';
import { pagesOf, pagesWithReplica, requireReplicaSettings } from './ledger/replica.ts';
import { forgetting } from './ledger/retention.ts';
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
    openDatabase({
      url,
      poolMax: config.DATABASE_POOL_MAX,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    });
  const sql = openPool(config.DATABASE_URL);
  await requireSettings(sql);
  const replica = config.DATABASE_REPLICA_URL ? openPool(config.DATABASE_REPLICA_URL) : undefined;
  if (replica) await requireReplicaSettings(replica, log);
  // Of its own: it must not wait behind the work.
  const probe = openDatabase({ url: config.DATABASE_URL, poolMax: 1, statementTimeoutMs: PROBE_MS_MAX });
  const registry = createRegistry('ledger-worker');
  const metrics = createMetrics(registry);
  metrics.pool(config.DATABASE_POOL_MAX, () => poolUse(sql));
  const readPages = replica ? pagesWithReplica(sql, replica, metrics, log) : pagesOf(sql, metrics);
  // What is sampled, its gateways say.
  const tracing = await startTracing(
    { service: 'ledger-worker', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: 0 },
    log,
  );
  const server = await serve(
    {
      ledger: ledgerService(sql, readPages, metrics),
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
  await Promise.all([sql, probe, replica].map((each) => each?.end({ timeout: 5 })));
  measured?.stop();
  await tracing?.close();
  log.info('stopped');
}

run(main, log);
