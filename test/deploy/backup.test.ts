/** Runs the commands of docs/backup.md: a restored database equals the original. */

import * as bun from 'bun:test';
import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../../local/servers/postgres.ts';
import { makeDirectoryFor } from '../../local/servers/postgres-cluster.ts';
import { postgresUser } from '../../local/servers/postgres-program.ts';
import { type System, startSystem } from '../../local/system.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { batch } from '../fixtures/books.ts';
import { runToEnd, temporaryDirectory } from '../fixtures/checkout.ts';
import { type ApiResponse, entry, send } from '../fixtures/client.ts';
import { digestOfRows, execute, openOne } from '../fixtures/database.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { until } from '../fixtures/until.ts';
import { blocks, copyByHand, hasClient, run, settings } from './runbook.ts';

// Each restore starts its own system.
setDefaultTimeout(120_000);

const directory = temporaryDirectory();
const backups = join(directory, 'backups');
/** The commands create directories here as the server's user. */
const restores = join(directory, 'restores');
mkdirSync(join(directory, 'books'));
for (const each of [directory, backups, restores]) makeDirectoryFor(postgresUser(undefined), each);

const hasDump = ['pg_dump', 'pg_dumpall', 'pg_restore', 'psql'].every(hasClient);

const CAP = 5_000;
const LEFT = 3;

let original: System;
let key: string;
let revokedKey: string;
let source: string;
/** The response to a request with an Idempotency-Key. */
let first: ApiResponse;
/** The time to restore, and the rows of each table at that time. */
let moment: string;
let rows: Record<string, string>;

beforeAll(async () => {
  const [archive = ''] = blocks('Base backup and write-ahead log', 'ini', backups);
  const postgresSettings = settings(archive);
  original = await startSystem({ dataDir: join(directory, 'books'), redisUrl: false, postgresSettings });
  const { databaseUrl: DATABASE_URL } = original;
  const oneValue = async (statement: string) =>
    `${(await execute<{ value: string }>(DATABASE_URL, statement))[0]?.value}`;
  const admin = createAdminClient(original.adminAddress);
  const account = await newAccount(admin);
  [key = ''] = account.keys;
  ({ source } = account);
  const revoked = await admin.createKey({ accountId: account.accountId });
  revokedKey = revoked.key;
  await admin.revokeKey({ keyId: revoked.keyId });
  admin.close();

  const [backup = ''] = blocks('Base backup and write-ahead log', 'sh', backups);
  const [mkdir = '', ...steps] = backup.trim().split('\n');
  await run(mkdir);
  await create(batch('before', 500));
  if (hasClient('pg_basebackup')) await run(steps.join('\n'), { DATABASE_URL });
  else await copyByHand(DATABASE_URL, join(directory, 'books/postgres'), join(backups, 'base'));

  // Uses the daily cap up to the last few. From here on the rows are in the write-ahead log only.
  first = await postTwo(original);
  expect(first.status).toBe(201);
  for (let left = CAP - 502 - LEFT; left > 0; left -= 500) {
    await create(batch(`more-${left}`, Math.min(left, 500)));
  }
  // The worker removes what has expired, beside the test: the rows are the same before and after the moment and the dump.
  await until('nothing changes meanwhile', async () => {
    rows = await digestsOf(DATABASE_URL);
    moment = await oneValue('select clock_timestamp()::text as value');
    if (hasDump) await run(blocks('Dump', 'sh', backups).join(''), { DATABASE_URL });
    return Bun.deepEquals(await digestsOf(DATABASE_URL), rows);
  });

  // This entry is after the moment and must not be restored.
  await create([entry({ externalRef: 'after' })]);
  const segment = await oneValue('select pg_walfile_name(pg_switch_wal()) as value');
  const archived = `select from pg_stat_archiver where last_archived_wal >= '${segment}'`;
  await until('the log is archived', async () => (await execute(DATABASE_URL, archived)).length === 1);
});

afterAll(() => original?.stop());

async function restoreMoment(): Promise<Postgres> {
  const PGDATA = join(restores, 'moment');
  for (const script of blocks('Restore a moment', 'sh', backups)) {
    await run(script, { PGDATA, MOMENT: moment });
  }
  return startPostgres({ dataDir: PGDATA });
}

async function restoreDump(): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir: join(restores, 'dump') });
  for (const script of blocks('Restore a dump', 'sh', backups)) {
    await run(script, { RESTORED_URL: postgres.url });
  }
  return postgres;
}

describe.each([
  ['a base backup and the write-ahead log restore a moment', true, restoreMoment],
  ['a dump restores the moment of the dump', hasDump, restoreDump],
] as const)('%s:', (_, has, restore) => {
  const test = bun.test.skipIf(!has);
  let restored: Restored;
  if (has)
    beforeAll(async () => {
      restored = await serve(await restore());
    });
  afterAll(() => restored?.stop());

  test('every table, row by row', async () => {
    expect(rows.entry).toStartWith(`${CAP - LEFT} `);
    expect(restored.rows).toEqual(rows);
  });

  test('the check of the runbook finds nothing', async () => {
    const [check = ''] = blocks('After every restore', 'sh');
    const env = { ...process.env, RESTORED_URL: restored.databaseUrl };
    const { exitCode, out } = await runToEnd(['sh', '-eu', '-c', check], { env });
    expect(exitCode).toBe(0);
    expect(out).toContain(`right: 0 findings in 1 accounts, ${CAP - LEFT} entries`);
  });

  test('keys: a valid one works, a revoked one does not', async () => {
    const { body } = await get(restored, '/api/v1/sources', key);
    expect(body.sources).toMatchObject([{ id: source, transactionCount: CAP - LEFT }]);
    expect((await get(restored, '/api/v1/me', revokedKey)).status).toBe(401);
  });

  test('an Idempotency-Key: the same request gets the same response', async () => {
    const { status, body } = await postTwo(restored);
    expect([status, body]).toEqual([first.status, first.body]);
  });

  test('the daily cap: exactly the remaining entries fit; references still deduplicate', async () => {
    const tooMany = await post(restored, batch('beyond', LEFT + 1));
    expect(tooMany).toMatchObject({ status: 429, body: { error: { code: 'daily_cap', remaining: LEFT } } });
    const known = await post(restored, batch('before', 500));
    expect(known).toMatchObject({ status: 200, body: { deduplicated: 500 } });
    expect((await post(restored, batch('fits', LEFT))).status).toBe(201);
  });
});

interface Restored extends System {
  rows: Record<string, string>;
}

async function serve(postgres: Postgres): Promise<Restored> {
  // Postgres responds before it has replayed the log.
  const recovering = 'select where pg_is_in_recovery()';
  await until('the recovery ends', async () => (await execute(postgres.url, recovering)).length === 0);
  const restored = await digestsOf(postgres.url);
  const dataDir = mkdtempSync(join(directory, 'services-'));
  const system = await startSystem({ dataDir, databaseUrl: postgres.url, redisUrl: false });
  const stop = async () => {
    await system.stop();
    await postgres.stop();
  };
  return { ...system, rows: restored, stop };
}

function digestsOf(url: string) {
  const sql = openOne(url);
  return digestOfRows(sql).finally(() => sql.end());
}

async function create(body: unknown): Promise<void> {
  expect((await post(original, body)).status).toBe(201);
}

function post({ url }: System, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return send(`/api/v1/sources/${source}/transactions`, {
    url,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
}

const postTwo = (system: System) => post(system, [entry(), entry()], { 'idempotency-key': 'rent-1' });

function get({ url }: System, path: string, key: string): Promise<ApiResponse> {
  return send(path, { url, headers: { authorization: `Bearer ${key}` } });
}
