/** A process that cannot use its environment stops at its start, with one sentence that names what is wrong. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { runToEnd } from './fixtures/checkout.ts';

// Each test waits for a process of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';

type Environment = Record<string, string>;

/** What stops each entry point, and what its sentence has to name. `test/configuration.test.ts` has the variables one by one. */
const BAD: [main: string, env: Environment, names: string[]][] = [
  ['gateway/main.ts', { REDIS_URL: 'http://s3cret@redis', PORT: 'http' }, ['REDIS_URL', 'PORT']],
  ['gateway/main.ts', { TLS_CERT_FILE: '/nowhere/1.pem', TLS_KEY_FILE: '/nowhere/2' }, ['/nowhere/1.pem']],
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

    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const { msg, level } = JSON.parse(lines[0] ?? '');
    expect(level).toBe(60);
    // Text, one full stop at its end, and not the trace of a stack.
    expect(msg).toMatch(/^[^\n]+\.$/);
    for (const name of names) expect(msg).toContain(name);
    expect(out).not.toMatch(/\bat .*\.ts:\d+|node_modules/);
    // A value may be a secret.
    expect(out).not.toContain('s3cret');
  },
);
