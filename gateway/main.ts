/** The gateway: HTTP in, gRPC out. */

import { join } from 'node:path';
import { followCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { createLog } from '../platform/log.ts';
import { createRegistry, registerCertificates, serveMetrics } from '../platform/metrics.ts';
import { clientSecurity } from '../platform/mutual-tls.ts';
import { run, startTracing, terminationSignal } from '../platform/process.ts';
import { VERSION } from '../proto/domain.ts';
import { createAdmission, rememberKeyAccounts } from './access/admission.ts';
import { createLimits } from './access/limits.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { listen } from './http/listen.ts';
import { createQuotas } from './http/quotas.ts';
import { createBodyReader } from './input/body-reader.ts';
import { createLedger, type Ledger } from './ledger/client.ts';
import { createClockComparison } from './ledger/health.ts';
import { createMetrics } from './metrics.ts';
import { redisAddress } from './redis/address.ts';
import { connectRedis, createScripts } from './redis/scripts.ts';
import { isDocsPageBuilt, readImportPage, webFiles } from './routes/files.ts';

const log = createLog('gateway');
const COMPARE_CLOCKS_EVERY_MS = 30_000;
const IMPORT_PAGE = join(import.meta.dir, '../clients/web/dist');

async function main() {
  const config = readConfig(process.env);
  log.level = config.LOG_LEVEL;
  const draining = new AbortController();
  const { app, certificates, registry, tracing, ledger, redis, limits } = await createParts(
    config,
    draining.signal,
  );
  const listener = await listen(app, { hostname: config.HOST, port: config.PORT, certificates }, log);
  const metricsServer = await serveMetrics(config.METRICS_ADDRESS, registry);
  log.info({ url: listener.url, metricsAddress: metricsServer?.address }, 'listening');
  void waitForWorker(ledger, config.LEDGER_WORKER_ADDRESS, draining.signal);
  // A probe of /readyz compares them too, but not every gateway has a load balancer.
  const comparing = setInterval(() => void ledger.isServing(), COMPARE_CLOCKS_EVERY_MS);

  await terminationSignal();
  log.info('draining');
  // Load balancers must notice before connections are refused.
  draining.abort();
  await Bun.sleep(config.SHUTDOWN_DELAY_MS);
  await Promise.race([listener.stop(), Bun.sleep(config.SHUTDOWN_GRACE_MS)]);
  clearInterval(comparing);
  ledger.close();
  limits.close();
  redis?.close();
  metricsServer?.stop();
  await tracing?.close();
  log.info('stopped');
}

/** Reads the certificates, connects to Redis, and creates the parts of the gateway from the lowest up. */
async function createParts(config: ReturnType<typeof readConfig>, draining: AbortSignal) {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = config;
  const certificates = cert && key ? followCertificates({ prefix: 'TLS', cert, key }, log) : undefined;
  const workerFiles = mutualTlsFiles(config);
  const workerCertificates = workerFiles && followCertificates(workerFiles, log);
  const registry = createRegistry('gateway', VERSION);
  registerCertificates(registry, certificates, workerCertificates);
  const metrics = createMetrics(registry);
  const tracing = await startTracing(
    {
      service: 'gateway',
      version: VERSION,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
    },
    log,
  );
  const address = redisAddress(config);
  if (!address) log.warn('REDIS_URL is not set: limits are kept in this process');
  const redis = address && (await connectRedis(address, log));
  const limits = createLimits(createScripts(redis), metrics);
  const quotas = createQuotas(config.REQUESTS_IN_FLIGHT_MAX, config.BYTES_IN_FLIGHT_MAX);
  const ledger = createLedger({
    address: config.LEDGER_WORKER_ADDRESS,
    security: clientSecurity(config.LEDGER_WORKER_ADDRESS, workerCertificates),
    keyPrefix: config.KEY_PREFIX,
    onTimes: createClockComparison(metrics, log),
    observer: metrics,
    retryQuota: quotas.retries,
  });
  const admission = createAdmission({
    keyPrefix: config.KEY_PREFIX,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    quotas,
    keyAccounts: rememberKeyAccounts(),
    limits,
    ledger,
  });
  const bodyReader = createBodyReader({ timeoutMs: config.BODY_TIMEOUT_MS, bytes: quotas.bodyBytes });
  const importPage = config.WEB_PAGES ? readImportPage(IMPORT_PAGE) : undefined;
  if (config.WEB_PAGES && !importPage)
    log.warn('the import page is not built: run "bun clients/web/build.ts"');
  if (config.API_ENABLED && !isDocsPageBuilt())
    log.warn('the page /api/v1/docs is not built: run "bun gateway/docs-page/build.ts"');
  const app = createApp({
    apiEnabled: config.API_ENABLED,
    webFiles: config.WEB_PAGES ? webFiles(importPage) : {},
    corsOrigins: config.CORS_ORIGINS ?? [],
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
    servesHttps: certificates !== undefined,
    draining,
    admission,
    limits,
    isRedisAvailable: async () => (await redis?.isAvailable()) ?? false,
    ledger,
    bodyReader,
    quotas,
    tracing,
    observer: metrics,
    log,
  });
  metrics.registerGauges({
    requests: quotas.requests.used,
    bodyBytes: quotas.bodyBytes.used,
    isRedisUp: redis?.isUp,
    inFlight: {
      ...ledger.inFlight,
      ...admission.inFlight,
      ...quotas.inFlight,
      unread_responses: () => admission.unread(app.server),
    },
  });
  return { app, certificates, registry, tracing, ledger, redis, limits };
}

/** Logs each reason why no worker is ready at the start, and that one is. Later, failed requests have their lines. */
async function waitForWorker(ledger: Ledger, address: string, draining: AbortSignal): Promise<void> {
  const reasons = new Set<string | undefined>();
  let reason: string | undefined;
  while (!(await ledger.isServing((why) => (reason = why)))) {
    if (draining.aborted) return;
    if (!reasons.has(reason)) {
      log.warn(
        { address, reason },
        'no ledger worker is ready at LEDGER_WORKER_ADDRESS: requests wait for one, then get 503',
      );
    }
    reasons.add(reason);
    await Bun.sleep(1_000);
  }
  if (reasons.size > 0) log.info('a ledger worker is ready');
}

run(main, log);
