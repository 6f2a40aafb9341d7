/** TLS to Postgres, as the address requires: authority and name of the certificate are checked, and a silent connection is detected. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../ledger-worker/database/connection.ts';
import { reasonOf } from '../../ledger-worker/database/errors.ts';
import { startPostgres } from '../../local/servers/postgres.ts';
import { startWorker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { startProxy } from '../faults/proxy.ts';
import { giveTls, newAuthority, newFiles } from '../fixtures/certificates.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { execute } from '../fixtures/database.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startTcpServer } from '../fixtures/tcp-server.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
const dataDir = join(directory, 'data');
const [authority, other] = [await newAuthority('ours'), await newAuthority('theirs')];
const pair = await authority.issue('database', ['localhost']);
/** The database's, for `localhost` alone, and its authority; and another authority. */
const [ours, theirs] = [newFiles(pair, authority.cert), newFiles(await other.issue('database'), other.cert)];
const port = freePort();
const settings = { listen_addresses: '127.0.0.1', port: String(port) };
const postgres = await startPostgres({ dataDir, settings });
afterAll(() => postgres.stop());

const host = (kind: string, role: string, method: string) => `${kind} all ${role} 127.0.0.1/32 ${method}\n`;
const access = [
  'local all all trust\n',
  host('hostssl', 'guarded', 'scram-sha-256'),
  host('hostssl', 'all', 'trust'),
];
giveTls(dataDir, pair, access.join(''));
const overSocket = Object.assign(new URL(postgres.url), { port: String(port) }).href;
await execute(overSocket, "create role guarded login password 's3cret'");
await execute(overSocket, 'create role crowded login connection limit 0');
await execute(overSocket, 'select pg_reload_conf()');
const isTls = async () => (await execute<{ ssl: string }>(overSocket, 'show ssl'))[0]?.ssl === 'on';
await until('it speaks TLS', isTls);

const addressOf = (host: string, query: string, at = port) =>
  `postgres://${host.includes('@') ? host : `ledger@${host}`}:${at}/ledger?${query}`;

/** Whether a statement went through TLS, or why there was none, and the way out. */
async function outcome(url: string): Promise<string> {
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  const query = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
  const outcome = await query.then(
    ([row]) => (row?.ssl ? 'TLS' : 'no TLS'),
    (error) => `${reasonOf(error)}`,
  );
  await sql.end({ timeout: 1 });
  return outcome;
}

describe('by the address', () => {
  const UNTRUSTED = /(certificate|issuer).*: set sslrootcert/;
  test.each<[what: string, host: string, mode: string, root: string | undefined, RegExp]>([
    ['authority and name are right', 'localhost', 'verify-full', ours.ca, /^TLS$/],
    ['another name', '127.0.0.1', 'verify-full', ours.ca, /altnames.*: write a name/],
    ['another authority', 'localhost', 'verify-full', theirs.ca, UNTRUSTED],
    ['an authority that this machine does not trust', 'localhost', 'verify-full', undefined, UNTRUSTED],
    ['another name', '127.0.0.1', 'verify-ca', ours.ca, /^TLS$/],
    ['another authority', 'localhost', 'verify-ca', theirs.ca, UNTRUSTED],
    ['an unknown authority', 'localhost', 'require', undefined, /^TLS$/],
    ['another authority', 'localhost', 'require', theirs.ca, UNTRUSTED],
    ['a database that requires TLS', 'localhost', 'disable', undefined, /pg_hba.*: add sslmode=verify-full/],
    [
      'another password',
      'guarded:wr0ng@localhost',
      'require',
      undefined,
      /password.*, which may be in PGPASSWORD$/,
    ],
    ['no password', 'guarded@localhost', 'require', undefined, /password.*, which may be in PGPASSWORD$/],
    ['too many connections', 'crowded@localhost', 'require', undefined, /: raise max_connections/],
  ])('%s: %s with sslmode=%s', async (_, host, mode, root, expected) => {
    const query = new URLSearchParams({ sslmode: mode, ...(root && { sslrootcert: root }) });
    expect(await outcome(addressOf(host, String(query)))).toMatch(expected);
  });

  test.each([
    ['sslmode=prefer', 'sslmode'],
    ['ssl=true', 'ssl'],
    ['sslmode=verify-full&sslcert=/x', 'sslcert'],
    ['sslmode=verify-full&sslrootcert=/nowhere.pem', '/nowhere.pem'],
  ])('%s is refused', (query, named) => {
    const open = () =>
      openDatabase({ url: addressOf('localhost', query), poolMax: 1, statementTimeoutMs: 0 });
    expect(open).toThrow(named);
  });
});

test('a worker migrates and serves over it', async () => {
  const databaseUrl = addressOf('localhost', `sslmode=verify-full&sslrootcert=${ours.ca}`);
  const worker = await startWorker({ databaseUrl });
  const admin = createAdminClient(worker.adminAddress);
  expect((await admin.createAccount({ plan: 'pro' })).accountId).toBeString();
  admin.close();
  await worker.stop();
});

const succeeds = async (sql: Sql) => (await sql`select 1 as one`.catch(() => [])).length === 1;

test('a silent database is given up, and found again', async () => {
  const link = await startProxy(() => ({ host: '127.0.0.1', port }));
  const url = addressOf('localhost', `sslmode=verify-full&sslrootcert=${ours.ca}`, link.port);
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 3_000 });
  expect(await sql`select 1 as one`).toHaveLength(1);
  await link.set({ kind: 'blackhole' });
  expect<unknown>(await sql`select 1 as one`.catch(({ code }) => code)).toBe('ETIMEDOUT');
  await link.set({ kind: 'pass' });
  await until('it is available', () => succeeds(sql));
  await sql.end();
  await link.close();
});

test.each([
  ['says that it speaks no TLS', 'N'],
  ['says more than that it does', 'SE'],
  ['says nothing and closes', ''],
])(
  'another server in its place %s: each statement fails, and the next finds the database',
  async (_, response) => {
    let isItself = false;
    const target = await startTcpServer((socket) => socket.once('data', () => socket.end(response)));
    const link = await startProxy(() => ({ host: '127.0.0.1', port: isItself ? port : target.port }));
    const url = addressOf('localhost', `sslmode=verify-full&sslrootcert=${ours.ca}`, link.port);
    const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 3_000 });
    for (let i = 0; i < 3; i++) expect(await succeeds(sql)).toBe(false);
    isItself = true;
    await until('it is available', () => succeeds(sql));
    await sql.end();
    await link.close();
    target.close();
  },
);
