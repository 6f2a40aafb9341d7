/** The environment of gateway and worker: documented, checked at the start, and refused in one sentence. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readCommandLineConfig } from '../admin/config.ts';
import { readConfig as readGatewayConfig } from '../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../ledger-worker/config.ts';

// Each test waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '..');
const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';
const PAGE = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

type Environment = Record<string, string>;

/** The rows of the table of variables under `heading`, as texts: variable, default, value, meaning. */
function rowsUnder(heading: string): string[][] {
  const section = PAGE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (`[A-Z_]+` .*) \|$/gm)];
  return rows.map(([, cells = '']) => cells.split(' | '));
}

/** The variables under `heading`, each with its default as the table shows it. */
function documented(heading: string): Record<string, string> {
  return Object.fromEntries(rowsUnder(heading).map(([name = '', value = '']) => [name.slice(1, -1), value]));
}

/** The variables that a process reads, each with its default; `required` must be given, and has none. */
function defaults(read: (env: Environment) => object, required: Environment = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(read(required)).map(([name, value]) => {
      if (name in required) return [name, '(required)'];
      return [name, value === undefined ? '(none)' : `\`${value}\``];
    }),
  );
}

describe('docs/configuration.md lists every variable with its default, and no other:', () => {
  test.each([
    ['Gateway', defaults(readGatewayConfig)],
    ['Ledger worker', defaults(readWorkerConfig, { DATABASE_URL })],
    ['Command line', defaults(readCommandLineConfig)],
    ['Local start', variablesOfLocalStart()],
  ])('%s', (heading, expected) => {
    expect(Object.keys(expected).length).toBeGreaterThan(2);
    expect(documented(heading)).toEqual(expected);
  });

  test('each with its value and its meaning, and times in milliseconds', () => {
    const tables = ['Gateway', 'Ledger worker', 'Command line', 'Local start'].map(rowsUnder);
    for (const [name = '', , value = '', meaning = '', ...more] of tables.flat()) {
      expect([name, more]).toEqual([name, []]);
      expect([name, value]).toEqual([name, expect.stringMatching(/\S/)]);
      expect([name, meaning]).toEqual([name, expect.stringMatching(/\.$/)]);
      if (name.endsWith('_MS`')) expect([name, value]).toEqual([name, 'milliseconds']);
    }
  });
});

/** `bun run start` has no reader of its environment. All of its variables are optional. */
function variablesOfLocalStart(): Record<string, string> {
  const files = readdirSync(join(ROOT, 'local'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'local', file), 'utf8'));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name]) => name),
  );
  return Object.fromEntries(names.filter((name) => name !== 'PATH').map((name) => [name, '(none)']));
}

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
  [WORKER, { DATABASE_URL: 'postgres://someone@localhost/books?host=/nowhere' }, ['up to date', '/nowhere']],
  [WORKER, { DATABASE_URL, DATABASE_REPLICA_URL: 'mysql://one:s3cret@replica' }, ['DATABASE_REPLICA_URL']],
  [WORKER, { DATABASE_URL, MIGRATE: 'sometimes' }, ['MIGRATE']],
  ['ledger-worker/migrate-main.ts', {}, ['DATABASE_URL']],
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

test.each([
  ['one:1', { nodes: [['one', 1]], isEncrypted: false, username: undefined, password: undefined }],
  [
    'one:1, 10.0.0.1:2,[::1]:3',
    {
      nodes: [
        ['one', 1],
        ['10.0.0.1', 2],
        ['::1', 3],
      ],
      isEncrypted: false,
      username: undefined,
      password: undefined,
    },
  ],
  [
    'rediss://limits:a%40b%2F%2C@one:1,two:2',
    {
      nodes: [
        ['one', 1],
        ['two', 2],
      ],
      isEncrypted: true,
      username: 'limits',
      password: 'a@b/,',
    },
  ],
])('REDIS_CLUSTER=%s is read as what it says', (text, expected) => {
  const { nodes = [], ...access } = readGatewayConfig({ REDIS_CLUSTER: text }).REDIS_CLUSTER ?? {};
  expect({ nodes: nodes.map(({ host, port }) => [host, port]), ...access }).toEqual(expected as never);
});

test.each([
  ['https://books.example', ['https://books.example']],
  [
    ' http://localhost:5173 ,https://my_app.example:8443, http://[::1]:8080',
    ['http://localhost:5173', 'https://my_app.example:8443', 'http://[::1]:8080'],
  ],
  ['chrome-extension://abcdefghijklmnop', ['chrome-extension://abcdefghijklmnop']],
])('CORS_ORIGINS=%s is read as what it says', (text, expected) => {
  expect(readGatewayConfig({ CORS_ORIGINS: text }).CORS_ORIGINS).toEqual(expected);
});

test('the configuration is frozen once it is read', () => {
  const config = readGatewayConfig({}) as { PORT: number };
  expect(() => {
    config.PORT = 1;
  }).toThrow();
  expect(config.PORT).toBe(3000);
});
