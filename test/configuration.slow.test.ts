/** A process that cannot use its environment stops at its start, or warns: with one sentence that names the variable and the way out. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { atOnce } from './fixtures/at-once.ts';
import { newAuthority, newFiles } from './fixtures/certificates.ts';
import { ROOT, runToEnd } from './fixtures/checkout.ts';
import { sql, system } from './fixtures/system.ts';

// Each test waits for a process of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';

type Environment = Record<string, string>;

const authority = await newAuthority('someone');
const [{ cert: CERT }, { key: OTHER_KEY }] = [
  newFiles(await authority.issue('one'), authority.cert),
  newFiles(await authority.issue('another'), authority.cert),
];
const taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
afterAll(() => taken.stop());
const TAKEN = taken.port;

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const issued = async (name: string, from: number, to: number) => {
  const dates = { notBeforeDate: inDays(from), notAfterDate: inDays(to) };
  return newFiles(await authority.issue(name, ['localhost'], dates), authority.cert);
};
const [EXPIRED, SOON, LATER] = [
  await issued('an old one', -9, -1),
  await issued('one that ends', -9, 9),
  await issued('one of tomorrow', 1, 99),
];

/** The database of the run, with one part of its address changed. */
const database = (part: 'username' | 'pathname' | 'search', value: string) => ({
  DATABASE_URL: Object.assign(new URL(system.databaseUrl), {
    [part]: part === 'search' ? `${new URL(system.databaseUrl).search}&${value}` : value,
  }).href,
});
await sql.unsafe(`
  create role a_reader login; alter role a_reader set default_transaction_read_only = on;
  create role a_stranger login;
  -- An earlier release of Postgres, for the worker.
  create role a_late_one login; alter role a_late_one set search_path = earlier, pg_catalog;
  create schema earlier authorization a_late_one;
  create function earlier.current_setting(text) returns text return
    case $1 when 'server_version' then '14.9' else pg_catalog.current_setting($1) end`);
afterAll(async () => {
  await sql.unsafe('drop schema earlier cascade; drop role a_reader, a_stranger, a_late_one');
});

/** What stops each entry point, and what its sentence has to name. `test/configuration.test.ts` has the variables one by one. */
const BAD: Record<string, [env: Environment, names: string[]][]> = {
  'gateway/main.ts': [
    [{ REDIS_URL: 'http://s3cret@redis', PORT: 'http' }, ['REDIS_URL', 'PORT']],
    [{ TLS_CERT_FILE: '/nowhere/1.pem', TLS_KEY_FILE: '/nowhere/2' }, ['/nowhere/1.pem']],
    [{ HOST: '192.0.2.1' }, ['HOST', '192.0.2.1', 'no such address']],
    [{ HOST: 'none.invalid' }, ['HOST', 'none.invalid', 'no address is known']],
    [{ PORT: String(TAKEN) }, ['PORT', `127.0.0.1:${TAKEN}`, 'another process']],
    [{ PORT: '0', METRICS_ADDRESS: `127.0.0.1:${TAKEN}` }, ['METRICS_ADDRESS', 'another process']],
    [{ TLS_CERT_FILE: CERT, TLS_KEY_FILE: OTHER_KEY }, ['TLS_KEY_FILE', OTHER_KEY, 'another certificate']],
    [{ TLS_CERT_FILE: CERT, TLS_KEY_FILE: CERT }, ['TLS_KEY_FILE', 'PEM']],
  ],
  'ledger-worker/main.ts': [
    [{ DATABASE_URL, MIGRATE: 'sometimes' }, ['MIGRATE']],
    [
      { DATABASE_URL: 'postgres://someone@localhost/books?host=/nowhere' },
      ['DATABASE_URL is unavailable', '/nowhere', 'correct the path'],
    ],
    [
      { DATABASE_URL: 'postgres://a:s3cret@127.0.0.1:1,none.invalid/books' },
      ['127.0.0.1:1', 'start the server, or correct host and port', 'none.invalid', 'correct the host.'],
    ],
    [
      { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full&sslrootcert=${CERT}x` },
      ['DATABASE_URL', `there is no file ${CERT}x`],
    ],
    [
      { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full&sslrootcert=${OTHER_KEY}` },
      ['DATABASE_URL', OTHER_KEY, 'no certificate'],
    ],
    [database('username', 'nobody'), ['DATABASE_URL', '"nobody"', 'correct the user']],
    [database('pathname', '/none'), ['DATABASE_URL', '"none"', 'correct the name']],
    [database('search', 'x=1'), ['DATABASE_URL', '"x"', 'remove the option']],
    [database('username', 'a_reader'), ['DATABASE_URL', 'list the primary']],
    [database('username', 'a_late_one'), ['DATABASE_URL', '14.9', '15 or later']],
    [database('username', 'a_stranger'), ['DATABASE_URL', 'permission', 'bun run migrate', 'MIGRATE=never']],
    [
      { ...database('username', 'a_stranger'), MIGRATE: 'never' },
      ['DATABASE_URL cannot be used', 'permission', 'ledger_worker'],
    ],
  ],
  'ledger-worker/migrate-main.ts': [[{}, ['DATABASE_URL']]],
  'ledger-worker/distribute-main.ts': [
    [{ DATABASE_URL: 'postgres://:s3cret@one,two/books' }, ['DATABASE_URL', 'coordinator']],
  ],
};

const STOPPED = Object.entries(BAD).flatMap(([main, rows]) =>
  rows.map(([env, names]) => [main, JSON.stringify(env), env, names] as const),
);

test.concurrent.each(STOPPED)(
  '%s with %s stops with one sentence that names what is wrong',
  atOnce(async (main, _, env, names) => {
    const own = { PATH: process.env.PATH, HOST: '127.0.0.1', ...env };
    const { exitCode, out, err } = await runToEnd([process.execPath, main], { env: own, timeout: 50_000 });
    expect([exitCode, err]).toEqual([1, '']);

    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    // Before it, only warnings.
    expect(lines.map(({ level }) => level)).toEqual([...lines.slice(1).map(() => 40), 60]);
    const { msg } = lines.at(-1);
    // Text, one full stop at its end, and not the trace of a stack.
    expect(msg).toMatch(/^[^\n]+\.$/);
    for (const name of names) expect(msg).toContain(name);
    expect(out).not.toMatch(/\bat .*\.ts:\d+|node_modules/);
    // A value may be a secret.
    expect(out).not.toContain('s3cret');
  }),
);

const WORKER = 'LEDGER_WORKER_ADDRESS';
const { adminAddress } = system;
/** With what a gateway serves, and what its warnings have to contain. */
const WARNED: [env: Environment, texts: string[]][] = [
  [
    { REDIS_URL: 'redis://:s3cret@127.0.0.1:1', TLS_CERT_FILE: EXPIRED.cert, TLS_KEY_FILE: EXPIRED.key },
    [
      'REDIS_URL',
      'correct host and port',
      `TLS_CERT_FILE=${EXPIRED.cert}`,
      'has expired',
      'replace the file',
    ],
  ],
  [
    { REDIS_URL: 'redis://none.invalid:6379', TLS_CERT_FILE: LATER.cert, TLS_KEY_FILE: LATER.key },
    ['REDIS_URL', 'correct the host', 'CN=one of tomorrow is not valid before', 'the clock'],
  ],
  [
    { REDIS_URL: `redis://127.0.0.1:${TAKEN}`, TLS_CERT_FILE: SOON.cert, TLS_KEY_FILE: SOON.key },
    ['REDIS_URL', 'correct host and port', 'CN=one that ends expires at'],
  ],
  [
    { REDIS_CLUSTER: '127.0.0.1:1', [WORKER]: '127.0.0.1:1' },
    ['REDIS_CLUSTER', 'list its nodes', WORKER, 'start the server'],
  ],
  [{ [WORKER]: adminAddress }, [WORKER, adminAddress, 'not the Ledger service', 'LISTEN_ADDRESS']],
  [
    { REDIS_SENTINELS: '127.0.0.1:1', REDIS_SENTINEL_NAME: 'limits', [WORKER]: system.workerAddress },
    ['REDIS_SENTINELS', 'hosts and ports'],
  ],
  [
    {
      [WORKER]: system.workerAddress,
      MTLS_CA_FILE: EXPIRED.ca,
      MTLS_CERT_FILE: EXPIRED.cert,
      MTLS_KEY_FILE: EXPIRED.key,
    },
    [`MTLS_CERT_FILE=${EXPIRED.cert}`, 'has expired', WORKER, 'the worker uses no TLS', 'MTLS_ variables'],
  ],
];

test.concurrent.each(WARNED.map(([env, texts]) => [JSON.stringify(env), env, texts] as const))(
  'a gateway with %s warns in the words of its variables',
  atOnce(async (_, env, texts) => {
    const own = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', SHUTDOWN_DELAY_MS: '0', ...env };
    const child = Bun.spawn([process.execPath, 'gateway/main.ts'], { cwd: ROOT, env: own });
    let log = '';
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) {
      log += decoder.decode(bytes, { stream: true });
      if (texts.every((text) => log.includes(text))) child.kill();
    }
    expect(texts.filter((text) => !log.includes(text))).toEqual([]);
    expect(log).not.toContain('s3cret');
  }),
);
