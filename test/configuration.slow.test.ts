/** A gateway or worker whose environment is wrong stops at its start, with one sentence that names what is wrong. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';

// Each test waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '..');
const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';

type Environment = Record<string, string>;

/** Starts an entry point with these variables alone. It has to end by itself. */
async function start(main: string, env: Environment) {
  const child = Bun.spawn([process.execPath, join(ROOT, main)], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 4_000,
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

const GATEWAY = 'gateway/main.ts';
const WORKER = 'ledger-worker/main.ts';

/** What stops each process, and the variables that its sentence has to name. */
const BAD: [main: string, env: Environment, names: string[]][] = [
  [GATEWAY, { PORT: 'http' }, ['PORT']],
  [GATEWAY, { PORT: '99999' }, ['PORT']],
  [GATEWAY, { PORT: '' }, ['PORT']],
  [GATEWAY, { API_ENABLED: 'maybe' }, ['API_ENABLED']],
  [GATEWAY, { CORS_ORIGINS: '*' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'null' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://books.example/' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://books.example/path' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'books.example' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://*.example' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://books.example:443' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://Books.example' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://me:s3cret@books.example' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://books.example:99999' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://books.example,' }, ['CORS_ORIGINS', 'https://books.example']],
  [
    GATEWAY,
    { CORS_ORIGINS: 'https://a.example,,https://b.example' },
    ['CORS_ORIGINS', 'https://books.example'],
  ],
  [
    GATEWAY,
    { CORS_ORIGINS: 'https://a.example https://b.example' },
    ['CORS_ORIGINS', 'https://books.example'],
  ],
  [GATEWAY, { CORS_ORIGINS: '' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: ' ' }, ['CORS_ORIGINS', 'https://books.example']],
  [GATEWAY, { CORS_ORIGINS: 'https://a.example, https://b.example/x' }, ['CORS_ORIGINS', 'number 2']],
  [GATEWAY, { REDIS_URL: 'http://s3cret@redis' }, ['REDIS_URL']],
  [GATEWAY, { REDIS_CLUSTER: 'redis://:s3cret@one' }, ['REDIS_CLUSTER']],
  [GATEWAY, { REDIS_SENTINELS: 'one:26379,two', REDIS_SENTINEL_NAME: 'limits' }, ['REDIS_SENTINELS']],
  [GATEWAY, { REDIS_SENTINELS: 'one:26379' }, ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME']],
  [GATEWAY, { REDIS_SENTINEL_NAME: 'limits' }, ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME']],
  [
    GATEWAY,
    { REDIS_URL: 'redis://:s3cret@one', REDIS_CLUSTER: 'redis://:s3cret@one:6379' },
    ['REDIS_URL', 'REDIS_CLUSTER'],
  ],
  [GATEWAY, { PORT: '0', LEDGER_WORKER_ADDRESS: '' }, ['LEDGER_WORKER_ADDRESS']],
  [GATEWAY, { PORT: '0', SHUTDOWN_GRACE_MS: '' }, ['SHUTDOWN_GRACE_MS']],
  [GATEWAY, { TLS_CERT_FILE: import.meta.path }, ['TLS_CERT_FILE', 'TLS_KEY_FILE']],
  [GATEWAY, { TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: '/nowhere/key.pem' }, ['/nowhere/cert.pem']],
  [GATEWAY, { MTLS_CA_FILE: import.meta.path, MTLS_KEY_FILE: import.meta.path }, ['MTLS_CERT_FILE']],
  [GATEWAY, { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
  [GATEWAY, { OTEL_TRACES_SAMPLER_ARG: '1.5' }, ['OTEL_TRACES_SAMPLER_ARG']],
  [GATEWAY, { REQUEST_TIMEOUT_MS: '0', KEY_PREFIX: 'Not_Lower' }, ['REQUEST_TIMEOUT_MS', 'KEY_PREFIX']],
  [WORKER, {}, ['DATABASE_URL']],
  [WORKER, { DATABASE_URL: 'mysql://someone:s3cret@127.0.0.1/books' }, ['DATABASE_URL']],
  [
    WORKER,
    { DATABASE_URL: 'postgres://someone@localhost/books?host=/nowhere' },
    ['out of reach', '/nowhere'],
  ],
  [WORKER, { DATABASE_URL: 'postgres://someone:s3cret@one,two:x/books' }, ['DATABASE_URL']],
  [WORKER, { DATABASE_URL: 'postgres://someone:s3cret@one,,two/books' }, ['DATABASE_URL']],
  [
    'ledger-worker/migrate-main.ts',
    { DATABASE_URL: 'postgres://:s3cret@one,two/books' },
    ['DATABASE_URL', 'coordinator'],
  ],
  [WORKER, { DATABASE_URL, MIGRATE: 'sometimes' }, ['MIGRATE']],
  ['ledger-worker/migrate-main.ts', {}, ['DATABASE_URL']],
  ['ledger-worker/distribute-main.ts', {}, ['DATABASE_URL']],
  [WORKER, { DATABASE_URL: `${DATABASE_URL}?sslmode=prefer` }, ['DATABASE_URL', 'verify-full']],
  [WORKER, { DATABASE_URL, MTLS_CERT_FILE: import.meta.path }, ['MTLS_CA_FILE', 'MTLS_KEY_FILE']],
  [WORKER, { DATABASE_URL, LISTEN_ADDRESS: '50051' }, ['LISTEN_ADDRESS']],
  [
    WORKER,
    { DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:s3cret@collector:4318' },
    ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  ],
  [WORKER, { DATABASE_URL, LISTEN_ADDRESS: '127.0.0.1:99999' }, ['LISTEN_ADDRESS']],
  [WORKER, { DATABASE_URL, DATABASE_POOL_MAX: '0', LOG_LEVEL: 'loud' }, ['DATABASE_POOL_MAX', 'LOG_LEVEL']],
];

const labelled = BAD.map(([main, env, names]) => [main, JSON.stringify(env), env, names] as const);

test.each(labelled)(
  '%s with %s stops with one sentence that names what is wrong',
  async (main, _, env, names) => {
    const { exitCode, out, err } = await start(main, env);
    expect([exitCode, err]).toEqual([1, '']);

    const lines = out.trimEnd().split('\n');
    const { msg, level } = JSON.parse(lines.at(-1) ?? '');
    expect(level).toBe(60);
    // Text, one full stop at its end, and not the trace of a stack.
    expect(msg).toMatch(/^[^\n]+\.$/);
    for (const name of names) expect(msg).toContain(name);
    expect(out).not.toMatch(/\bat .*\.ts:\d+|node_modules/);
    // A value may be a secret.
    expect(out).not.toContain('s3cret');
    expect(lines).toHaveLength(1);
  },
);
