/** A process that cannot use its environment stops at its start, with one sentence that names what is wrong. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { newAuthority, newFiles } from './fixtures/certificates.ts';
import { runToEnd } from './fixtures/checkout.ts';

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

/** What stops each entry point, and what its sentence has to name. `test/configuration.test.ts` has the variables one by one. */
const BAD: [main: string, env: Environment, names: string[]][] = [
  ['gateway/main.ts', { REDIS_URL: 'http://s3cret@redis', PORT: 'http' }, ['REDIS_URL', 'PORT']],
  ['gateway/main.ts', { TLS_CERT_FILE: '/nowhere/1.pem', TLS_KEY_FILE: '/nowhere/2' }, ['/nowhere/1.pem']],
  ['gateway/main.ts', { HOST: '192.0.2.1' }, ['HOST', '192.0.2.1', 'no such address']],
  ['gateway/main.ts', { PORT: String(TAKEN) }, ['PORT', `127.0.0.1:${TAKEN}`, 'another process']],
  [
    'gateway/main.ts',
    { PORT: '0', METRICS_ADDRESS: `127.0.0.1:${TAKEN}` },
    ['METRICS_ADDRESS', 'another process'],
  ],
  [
    'gateway/main.ts',
    { TLS_CERT_FILE: CERT, TLS_KEY_FILE: OTHER_KEY },
    ['TLS_KEY_FILE', OTHER_KEY, 'another certificate'],
  ],
  ['gateway/main.ts', { TLS_CERT_FILE: CERT, TLS_KEY_FILE: CERT }, ['TLS_KEY_FILE', 'PEM']],
  ['ledger-worker/main.ts', { DATABASE_URL, MIGRATE: 'sometimes' }, ['MIGRATE']],
  [
    'ledger-worker/main.ts',
    { DATABASE_URL: 'postgres://someone@localhost/books?host=/nowhere' },
    ['unavailable', '/nowhere'],
  ],
  ['ledger-worker/migrate-main.ts', {}, ['DATABASE_URL']],
  [
    'ledger-worker/distribute-main.ts',
    { DATABASE_URL: 'postgres://:s3cret@one,two/books' },
    ['DATABASE_URL', 'coordinator'],
  ],
];

test.each(BAD.map(([main, env, names]) => [main, JSON.stringify(env), env, names] as const))(
  '%s with %s stops with one sentence that names what is wrong',
  async (main, _, env, names) => {
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
  },
);
