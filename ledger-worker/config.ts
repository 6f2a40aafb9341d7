/** Reads and checks the worker's environment variables. No other file reads them. */
import { makeValidator, str } from 'envalid';
import {
  allOrNone,
  collector,
  listenAddress,
  MUTUAL_TLS,
  MUTUAL_TLS_NAMES,
  matching,
  readEnvironment,
  wholeNumber,
} from '../platform/environment.ts';
import { KEY_PREFIX_PATTERN } from '../proto/api-key.ts';
import { addressesIn } from './database/address.ts';

/** @throws Error with one sentence that names every missing or invalid variable */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readEnvironment(env, {
    DATABASE_URL: makeValidator(addressesIn)(),
    MIGRATE: str({ choices: ['on-start', 'never'], default: 'on-start' }),
    LISTEN_ADDRESS: listenAddress({ default: '127.0.0.1:50051' }),
    ADMIN_ADDRESS: listenAddress({ default: '127.0.0.1:50052' }),
    ...MUTUAL_TLS,
    KEY_PREFIX: matching(KEY_PREFIX_PATTERN, 'a lower-case word')({ default: 'ledger' }),
    DATABASE_POOL_MAX: wholeNumber(1)({ default: 10 }),
    REQUESTS_IN_FLIGHT_MAX: wholeNumber(1)({ default: 500 }),
    // A connection takes tens of ms on a busy machine.
    STATEMENT_TIMEOUT_MS: wholeNumber(100)({ default: 4_000 }),
    SHUTDOWN_GRACE_MS: wholeNumber(0)({ default: 10_000 }),
    METRICS_ADDRESS: listenAddress({ default: undefined }),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector({ default: undefined }),
    LOG_LEVEL: str({ choices: ['debug', 'info', 'warn', 'error', 'silent'], default: 'info' }),
  });
  return allOrNone(config, MUTUAL_TLS_NAMES);
}

/** The addresses at which other machines reach a service without a certificate. */
export function openAddresses(config: ReturnType<typeof readConfig>): ('LISTEN_ADDRESS' | 'ADMIN_ADDRESS')[] {
  if (config.MTLS_CA_FILE) return [];
  return (['LISTEN_ADDRESS', 'ADMIN_ADDRESS'] as const).filter((name) => !LOOPBACK.test(config[name]));
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$/;
