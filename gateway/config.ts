/** Reads and checks the gateway's environment variables. No other file reads them. */
import { str } from 'envalid';
import {
  address,
  allOrNone,
  collector,
  file,
  fraction,
  grpcTarget,
  host,
  listenAddress,
  MUTUAL_TLS,
  MUTUAL_TLS_NAMES,
  matching,
  readEnvironment,
  toggle,
  wholeNumber,
} from '../platform/environment.ts';
import { KEY_PREFIX_PATTERN } from '../proto/api-key.ts';
import { LIMITS } from '../proto/domain.ts';
import { origins } from './http/cors.ts';
import { redisAddress, servers } from './redis/address.ts';

/** @throws Error with one sentence that names every missing or invalid variable */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readEnvironment(env, {
    HOST: host({ default: '0.0.0.0' }),
    PORT: wholeNumber(0, 65_535)({ default: 3000 }),
    /** Absent: plain HTTP. */
    TLS_CERT_FILE: file(),
    TLS_KEY_FILE: file(),
    LEDGER_WORKER_ADDRESS: grpcTarget({ default: 'dns:///localhost:50051' }),
    ...MUTUAL_TLS,
    /** At most one of REDIS_URL, REDIS_CLUSTER and REDIS_SENTINELS. Without any, the limits are kept in this process. */
    REDIS_URL: address(
      /^(rediss?:\/\/[^/?]*(\/\d*)?(\?.*)?$|\/)/,
      'a redis:// address, with special characters of user and password percent-encoded and no path but the number of a database, or the path of a socket',
    )({
      default: undefined,
    }),
    REDIS_CLUSTER: servers({ default: undefined }),
    REDIS_SENTINELS: servers({ default: undefined }),
    REDIS_SENTINEL_NAME: matching(/\S/, 'a name')({ default: undefined }),
    KEY_PREFIX: matching(KEY_PREFIX_PATTERN, 'a lower-case word')({ default: 'ledger' }),
    API_ENABLED: toggle({ default: true }),
    /** False: there are no pages at / and /import. */
    WEB_PAGES: toggle({ default: true }),
    /** Absent: browsers block calls from other origins. */
    CORS_ORIGINS: origins({ default: undefined }),
    REQUEST_TIMEOUT_MS: wholeNumber(1)({ default: 10_000 }),
    // Bun closes idle connections after at most 255 s.
    BODY_TIMEOUT_MS: wholeNumber(1, 240_000)({ default: 30_000 }),
    REQUESTS_IN_FLIGHT_MAX: wholeNumber(1)({ default: 1_000 }),
    BYTES_IN_FLIGHT_MAX: wholeNumber(LIMITS.bodyBytesMax)({ default: 64 * 1024 * 1024 }),
    SHUTDOWN_DELAY_MS: wholeNumber(0)({ default: 3_000 }),
    SHUTDOWN_GRACE_MS: wholeNumber(0)({ default: 15_000 }),
    METRICS_ADDRESS: listenAddress({ default: undefined }),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector({ default: undefined }),
    OTEL_TRACES_SAMPLER_ARG: fraction({ default: 1 }),
    LOG_LEVEL: str({ choices: ['debug', 'info', 'warn', 'error', 'silent'], default: 'info' }),
  });
  redisAddress(config);
  return allOrNone(config, ['TLS_CERT_FILE', 'TLS_KEY_FILE'], MUTUAL_TLS_NAMES);
}
