/** The environment of gateway and worker: documented, and read as it is written. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readCommandLineConfig } from '../admin/config.ts';
import { readConfig as readGatewayConfig } from '../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../ledger-worker/config.ts';
import { ROOT, read } from './fixtures/checkout.ts';

const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';
const PAGE = read('docs/configuration.md');

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

const SECRETIVE = 'https://me:s3cret@books.example';

/** Values of CORS_ORIGINS that are no list of origins. */
const NO_ORIGINS = [
  ...['*', 'null', '', ' ', 'books.example', 'https://', 'https://*.example', SECRETIVE],
  ...['https://books.example/', 'https://books.example/path', 'https://Books.example'],
  ...['https://books.example:443', 'https://books.example:99999', 'https://books.example,'],
  ...['https://a.example,,https://b.example', 'https://a.example https://b.example'],
];

/** Environments that a process does not start with, and the names that its sentence has to contain. */
const BAD_OF_GATEWAY: [env: Environment, names: string[]][] = [
  [{ PORT: 'http' }, ['PORT']],
  [{ PORT: '99999' }, ['PORT']],
  [{ PORT: '' }, ['PORT']],
  [{ HOST: '127.0.0.1:3000' }, ['HOST', 'PORT']],
  [{ HOST: '[::1]' }, ['HOST', 'without brackets']],
  [{ API_ENABLED: 'maybe' }, ['API_ENABLED']],
  ...NO_ORIGINS.map((text): [Environment, string[]] => [
    { CORS_ORIGINS: text },
    ['CORS_ORIGINS', 'https://books.example'],
  ]),
  [{ CORS_ORIGINS: 'https://a.example, https://b.example/x' }, ['CORS_ORIGINS', 'number 2']],
  [{ REDIS_URL: 'http://s3cret@redis' }, ['REDIS_URL']],
  [{ REDIS_URL: 'redis://:s3cret%zz@127.0.0.1:1' }, ['REDIS_URL', 'percent-encoded']],
  [{ REDIS_CLUSTER: 'redis://:s3cret%ff@127.0.0.1:1' }, ['REDIS_CLUSTER', 'percent-encoded']],
  [{ REDIS_URL: 'redis://:s3cret@one/abc' }, ['REDIS_URL', 'number of a database']],
  [{ REDIS_URL: 'redis://:s3cret@one/1/2' }, ['REDIS_URL', 'number of a database']],
  [{ REDIS_CLUSTER: 'redis://:s3cret@one' }, ['REDIS_CLUSTER']],
  [{ REDIS_SENTINELS: 'one:26379,two', REDIS_SENTINEL_NAME: 'limits' }, ['REDIS_SENTINELS']],
  [{ REDIS_SENTINELS: 'one:26379' }, ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME']],
  [{ REDIS_SENTINEL_NAME: 'limits' }, ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME']],
  [
    { REDIS_URL: 'redis://:s3cret@one', REDIS_CLUSTER: 'redis://:s3cret@one:6379' },
    ['REDIS_URL', 'REDIS_CLUSTER'],
  ],
  ...['', 'http://worker:50051', 'worker', 'dns:///worker', 'ipv4:1.2.3.4', 'a b:1', '[::1]', 'worker:x'].map(
    (text): [Environment, string[]] => [
      { LEDGER_WORKER_ADDRESS: text },
      ['LEDGER_WORKER_ADDRESS', 'host:port'],
    ],
  ),
  [{ SHUTDOWN_GRACE_MS: '' }, ['SHUTDOWN_GRACE_MS']],
  [{ TLS_CERT_FILE: '/cert.pem' }, ['TLS_CERT_FILE', 'TLS_KEY_FILE']],
  [{ MTLS_CA_FILE: '/ca.pem', MTLS_KEY_FILE: '/key.pem' }, ['MTLS_CERT_FILE']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, ['OTEL_TRACES_SAMPLER_ARG']],
  [{ REQUEST_TIMEOUT_MS: '0', KEY_PREFIX: 'Not_Lower' }, ['REQUEST_TIMEOUT_MS', 'KEY_PREFIX']],
];

const BAD_OF_WORKER: [env: Environment, names: string[]][] = [
  [{ DATABASE_URL: '' }, ['DATABASE_URL']],
  [{ DATABASE_URL: 'postgres://a:s3cret%@127.0.0.1:1/books' }, ['DATABASE_URL', 'percent-encoded']],
  [{ DATABASE_URL: 'mysql://someone:s3cret@127.0.0.1/books' }, ['DATABASE_URL']],
  [{ DATABASE_URL: 'postgres://someone:s3cret@one,two:x/books' }, ['DATABASE_URL']],
  [{ DATABASE_URL: 'postgres://someone:s3cret@one,,two/books' }, ['DATABASE_URL']],
  [{ DATABASE_URL: `${DATABASE_URL}?sslmode=prefer` }, ['DATABASE_URL', 'verify-full']],
  [{ DATABASE_URL: `${DATABASE_URL}?sslrootcert=system` }, ['DATABASE_URL', 'add sslmode=verify-full']],
  [{ STATEMENT_TIMEOUT_MS: '1' }, ['STATEMENT_TIMEOUT_MS', '100']],
  [{ LISTEN_ADDRESS: '::1:50051' }, ['LISTEN_ADDRESS', 'brackets']],
  [{ MIGRATE: 'sometimes' }, ['MIGRATE']],
  [{ MTLS_CERT_FILE: '/cert.pem' }, ['MTLS_CA_FILE', 'MTLS_KEY_FILE']],
  [{ LISTEN_ADDRESS: '50051' }, ['LISTEN_ADDRESS']],
  [{ LISTEN_ADDRESS: '127.0.0.1:99999' }, ['LISTEN_ADDRESS']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:s3cret@collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
  [{ DATABASE_POOL_MAX: '0', LOG_LEVEL: 'loud' }, ['DATABASE_POOL_MAX', 'LOG_LEVEL']],
];

const rows = (program: string, read: (env: Environment) => object, bad: typeof BAD_OF_GATEWAY) =>
  bad.map(([env, names]) => [program, JSON.stringify(env), () => read(env), names] as const);

test.each([
  ...rows('gateway', readGatewayConfig, BAD_OF_GATEWAY),
  ...rows('worker', (env) => readWorkerConfig({ DATABASE_URL, ...env }), BAD_OF_WORKER),
])(
  'the %s refuses %s in one sentence with what is wrong, and without the value',
  async (_, __, read, names) => {
    const message = await Promise.try(read).then(String, (error: Error) => error.message);
    expect(message).toMatch(/^[^\n]+\.$/);
    for (const name of names) expect(message).toContain(name);
    // A value may be a secret.
    expect(message).not.toContain('s3cret');
  },
);

test.each([
  ...['worker:50051', '127.0.0.1:1', '[::1]:1', 'dns:worker:1', 'dns:///ledger-worker.books.svc:50051'],
  ...['dns://10.0.0.1/worker:1', 'ipv4:1.2.3.4:1,1.2.3.5:1', 'ipv6:[::1]:1', 'unix:/run/ledger.sock'],
])('%s is an address of workers', (address) => {
  expect(readGatewayConfig({ LEDGER_WORKER_ADDRESS: address }).LEDGER_WORKER_ADDRESS).toBe(address);
});

test.each(['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'gw_1.internal'])(
  '%s is an address to listen on',
  (HOST) => {
    expect(readGatewayConfig({ HOST }).HOST).toBe(HOST);
  },
);

test.each([
  'redis://one',
  'rediss://me:s3cret@one:6379/',
  'redis://one/3',
  'redis://one?db=3',
  '/run/redis.sock?db=3',
])('%s is an address of Redis', (REDIS_URL) => {
  expect(readGatewayConfig({ REDIS_URL }).REDIS_URL).toBe(REDIS_URL);
});

test.each([
  [true, ['true', 'TRUE', 'True', 't', 'yes', 'on', '1']],
  [false, ['false', 'FALSE', 'False', 'f', 'no', 'OFF', '0']],
])('API_ENABLED is %p in any case', (value, texts) => {
  const read = texts.map((text) => readGatewayConfig({ API_ENABLED: text, WEB_PAGES: text }));
  expect(read.map(({ API_ENABLED, WEB_PAGES }) => [API_ENABLED, WEB_PAGES])).toEqual(
    texts.map(() => [value, value]),
  );
});

const WITHOUT_ACCESS = { isEncrypted: false, username: undefined, password: undefined };

test.each([
  ['one:1', 'one 1', WITHOUT_ACCESS],
  ['one:1, 10.0.0.1:2,[::1]:3', 'one 1, 10.0.0.1 2, ::1 3', WITHOUT_ACCESS],
  [
    'rediss://limits:a%40b%2F%2C@one:1,two:2',
    'one 1, two 2',
    { isEncrypted: true, username: 'limits', password: 'a@b/,' },
  ],
])('REDIS_CLUSTER=%s is read as what it says', (text, hosts, expected) => {
  const { nodes = [], ...access } = readGatewayConfig({ REDIS_CLUSTER: text }).REDIS_CLUSTER ?? {};
  expect(nodes.map(({ host, port }) => `${host} ${port}`).join(', ')).toBe(hosts);
  expect<object>(access).toEqual(expected);
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
