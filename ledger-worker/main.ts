/** The ledger worker: gRPC in, SQL out. */

import { followCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { createLog } from '../platform/log.ts';
import { createRegistry, registerCertificates, serveMetrics } from '../platform/metrics.ts';
import { serverCredentials } from '../platform/mutual-tls.ts';
import { run, startTracing, terminationSignal } from '../platform/process.ts';
import { VERSION } from '../proto/domain.ts';
import { adminService } from './admin/service.ts';
import { openNodes } from './citus/cluster.ts';
import { openAddresses, readConfig } from './config.ts';
import { openDatabase } from './database/connection.ts';
import { migrate, requireMigrated } from './database/migrate.ts';
import { SQL_FOLDER } from './database/schema-sql.ts';
import { serve } from './grpc/server.ts';
import { ledgerService } from './ledger/service.ts';
import { createMetrics } from './metrics.ts';
import { startRetention, startSealing } from './upkeep.ts';

const log = createLog('ledger-worker');

async function main() {
  const config = readConfig(process.env);
  log.level = config.LOG_LEVEL;
  for (const name of openAddresses(config)) {
    const remedy =
      'set MTLS_CA_FILE, MTLS_CERT_FILE and MTLS_KEY_FILE, or let only trusted machines reach it';
    log.warn({ address: config[name] }, `${name} is open to other machines without a certificate: ${remedy}`);
  }
  const files = mutualTlsFiles(config);
  const certificates = files && followCertificates(files, log);
  const security = serverCredentials(certificates);

  const { DATABASE_URL: urls, DATABASE_POOL_MAX: poolMax, STATEMENT_TIMEOUT_MS: statementTimeoutMs } = config;
  const nodes = await openNodes({ urls, poolMax, statementTimeoutMs, log });
  const migrations = openDatabase({ url: nodes.schemaUrl, poolMax: 1, statementTimeoutMs: 0 });
  await (config.MIGRATE === 'never'
    ? requireMigrated(migrations)
    : migrate(migrations, SQL_FOLDER, nodes.schemaChanges));
  await migrations.end();
  await nodes.requireSettings();
  await nodes.requireSchema();

  const registry = createRegistry('ledger-worker', VERSION);
  registerCertificates(registry, certificates);
  const metrics = createMetrics(registry);
  metrics.registerNodes(nodes);
  // The gateways decide which requests are sampled.
  const tracing = await startTracing(
    { service: 'ledger-worker', version: VERSION, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: 0 },
    log,
  );
  const server = await serve(
    {
      ledger: ledgerService({ nodes, requestsInFlightMax: config.REQUESTS_IN_FLIGHT_MAX, observer: metrics }),
      admin: adminService(nodes, config.KEY_PREFIX),
      database: nodes,
    },
    {
      listenAddress: config.LISTEN_ADDRESS,
      adminAddress: config.ADMIN_ADDRESS,
      security,
      keyPrefix: config.KEY_PREFIX,
      requestsInFlightMax: config.REQUESTS_IN_FLIGHT_MAX,
    },
    { observer: metrics, tracing, log },
  );
  const metricsServer = await serveMetrics(config.METRICS_ADDRESS, registry);
  const { address, adminAddress } = server;
  log.info({ address, adminAddress, metricsAddress: metricsServer?.address }, 'listening');
  const stopRetention = startRetention(nodes, log);
  const stopSealing = startSealing(nodes, log);

  await terminationSignal();
  log.info('draining');
  await Promise.all([server.drain(config.SHUTDOWN_GRACE_MS), stopRetention(), stopSealing()]);
  await nodes.end();
  metricsServer?.stop();
  await tracing?.close();
  log.info('stopped');
}

run(main, log);
