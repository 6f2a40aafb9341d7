/** The gateway: HTTP in, gRPC out. */
import pino from 'pino';
import { followCertificates } from '../proto/certificates.ts';
import { mutualTlsFiles } from '../proto/environment.ts';
import { clientSecurity } from '../proto/mutual-tls.ts';
import { run, terminationSignal } from '../proto/process.ts';
import { createApp } from './app.ts';
import { createAuth } from './auth.ts';
import { readConfig } from './config.ts';
import { createLedger } from './ledger.ts';
import { createLimits, SCRIPTS } from './limits.ts';
import { listen } from './listen.ts';
import { createBodies } from './receive.ts';
import { connectRedis } from './redis.ts';

const log = pino({ base: { service: 'gateway' } });

async function main() {
  const config = readConfig(process.env);
  log.level = config.LOG_LEVEL;
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = config;
  const certificates = cert && key ? followCertificates({ cert, key }, log) : undefined;
  const workerFiles = mutualTlsFiles(config);

  if (!config.REDIS_URL) log.warn('REDIS_URL is not set: limits are kept in this process');
  const limits = createLimits(
    config.REDIS_URL ? await connectRedis(config.REDIS_URL, SCRIPTS, log) : undefined,
  );
  const ledger = createLedger({
    address: config.LEDGER_WORKER_ADDRESS,
    security: clientSecurity(
      config.LEDGER_WORKER_ADDRESS,
      workerFiles && followCertificates(workerFiles, log),
    ),
    onRejected: limits.forget,
  });
  const auth = createAuth(config.KEY_PREFIX, limits, ledger);
  const bodies = createBodies({
    timeoutMs: config.BODY_TIMEOUT_MS,
    bytesMax: config.BODY_BYTES_IN_FLIGHT_MAX,
  });
  const draining = new AbortController();
  const app = createApp({
    apiEnabled: config.API_ENABLED,
    draining: draining.signal,
    auth,
    limits,
    ledger,
    bodies,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    requestsInFlightMax: config.REQUESTS_IN_FLIGHT_MAX,
    log,
  });
  const listener = listen(app, { hostname: config.HOST, port: config.PORT, certificates }, log);
  log.info({ url: listener.url }, 'listening');

  await terminationSignal();
  log.info('draining');
  // A load balancer has to notice before connections are refused.
  draining.abort();
  await Bun.sleep(config.SHUTDOWN_DELAY_MS);
  await Promise.race([listener.stop(), Bun.sleep(config.SHUTDOWN_GRACE_MS)]);
  ledger.close();
  limits.close();
  log.info('stopped');
}

run(main, log);
