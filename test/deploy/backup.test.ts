/** Runs the commands of docs/backup.md: a restored database equals the original. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { type Postgres, startPostgres } from '../../local/servers/postgres.ts';
import { makeDirectoryFor } from '../../local/servers/postgres-cluster.ts';
import { postgresUser } from '../../local/servers/postgres-program.ts';
import { type System, startSystem } from '../../local/system.ts';
import { createAdminClient } from '../../proto/client.ts';
import { batch } from '../fixtures/books.ts';
import { type ApiResponse, entry, type Json, send } from '../fixtures/client.ts';
import { until } from '../fixtures/until.ts';
import { blocks, copyByHand, hasClient, run, settings } from './runbook.ts';

// Each restore starts its own system.
setDefaultTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'ledger-backup-'));
const backups = join(directory, 'backups');
/** The commands create directories here as the server's user. */
const restores = join(directory, 'restores');
mkdirSync(join(directory, 'books'));
for (const each of [directory, backups, restores]) makeDirectoryFor(postgresUser(undefined), each);

const DUMP_CLIENTS = ['pg_dump', 'pg_dumpall', 'pg_restore', 'psql'];

const CAP = 5_000;
const LEFT = 3;

let original: System;
let key: string;
let revokedKey: string;
let source: string;
/** The response to a request with an Idempotency-Key. */
let first: ApiResponse;
/** The time to restore, and all rows at that time. */
let moment: string;
let rows: Rows;

/** The rows of each table, as text. */
type Rows = Record<string, string[]>;

beforeAll(async () => {
  const [archive = ''] = blocks('Base backup and write-ahead log', 'ini', backups);
  original = await startSystem({
    dataDir: join(directory, 'books'),
    redisUrl: false,
    postgresSettings: settings(archive),
  });
  const admin = createAdminClient(original.adminAddress);
  const { accountId = '' } = await admin.createAccount({ plan: 'pro' });
  const newKey = async () => await admin.createKey({ accountId });
  key = (await newKey()).key;
  const revoked = await newKey();
  revokedKey = revoked.key;
  await admin.revokeKey({ keyId: revoked.keyId });
  const details = { type: 'uk-property', name: 'Home', role: 'owner', sharePercent: 100 };
  source = (await admin.createSource({ accountId, ...details })).id;
  admin.close();

  const [mkdir, ...backup] = backupCommands();
  await run(mkdir ?? '');
  await create(batch('before', 500));
  if (hasClient('pg_basebackup')) await run(backup.join('\n'), { DATABASE_URL: original.databaseUrl });
  else await copyByHand(original.databaseUrl, join(directory, 'books/postgres'), join(backups, 'base'));

  // Uses the daily cap up to the last few. From here on the rows are in the write-ahead log only.
  first = await post(original, [entry(), entry()], { 'idempotency-key': 'rent-1' });
  expect(first.status).toBe(201);
  for (let left = CAP - 502 - LEFT; left > 0; left -= 500) {
    await create(batch(`more-${left}`, Math.min(left, 500)));
  }
  rows = await rowsOf(original.databaseUrl);
  moment = await query(original.databaseUrl, (sql) => sql`select clock_timestamp()::text as value`);
  if (DUMP_CLIENTS.every(hasClient))
    await run(blocks('Dump', 'sh', backups).join(''), { DATABASE_URL: original.databaseUrl });

  // This entry is after the moment and must not be restored.
  await create([entry({ externalRef: 'after' })]);
  const segment = await query(
    original.databaseUrl,
    (sql) => sql`select pg_walfile_name(pg_switch_wal()) as value`,
  );
  await until('the log is archived', () => {
    const archived = (sql: Sql) => sql`select last_archived_wal >= ${segment} as value from pg_stat_archiver`;
    return query<boolean>(original.databaseUrl, archived);
  });
});

afterAll(async () => {
  await original?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('a base backup and the write-ahead log restore a moment:', () => {
  let restored: Restored;

  beforeAll(async () => {
    const PGDATA = join(restores, 'moment');
    for (const script of blocks('Restore a moment', 'sh', backups)) {
      await run(script, { PGDATA, MOMENT: moment });
    }
    restored = await serve('moment', await startPostgres({ dataDir: PGDATA }));
  });
  afterAll(() => restored?.stop());

  testRestored(() => restored);
});

describe.skipIf(!DUMP_CLIENTS.every(hasClient))('a dump restores the moment of the dump:', () => {
  let restored: Restored;

  beforeAll(async () => {
    const postgres = await startPostgres({ dataDir: join(restores, 'dump') });
    for (const script of blocks('Restore a dump', 'sh', backups)) {
      await run(script, { RESTORED_URL: postgres.url });
    }
    restored = await serve('dump', postgres);
  });
  afterAll(() => restored?.stop());

  testRestored(() => restored);
});

function testRestored(restored: () => Restored) {
  test('every table, row by row', async () => {
    expect(Object.keys(rows)).toContain('entry');
    expect(rows.entry).toHaveLength(CAP - LEFT);
    expect(restored().rows).toEqual(rows);
  });

  test('the counters: the check of the runbook finds no difference, and would find one', async () => {
    const [check = ''] = blocks('After every restore', 'sql');
    const find = () =>
      query<Json[]>(restored().databaseUrl, async (sql) => [{ value: await sql.unsafe(check) }]);
    expect(await find()).toHaveLength(0);
    const changeCounts = (by: number) =>
      query(restored().databaseUrl, async (sql) => {
        await sql`update ledger.source set transaction_count = transaction_count + ${by}`;
        return [{ value: undefined }];
      });
    await changeCounts(1);
    expect(await find()).toHaveLength(1);
    await changeCounts(-1);
  });

  test('keys: a valid one works, a revoked one does not', async () => {
    const { status, body } = await get(restored(), '/api/v1/sources', key);
    expect(status).toBe(200);
    expect(body.sources.map(({ id, transactionCount }: Json) => [id, transactionCount])).toEqual([
      [source, CAP - LEFT],
    ]);
    expect((await get(restored(), '/api/v1/me', revokedKey)).status).toBe(401);
  });

  test('an Idempotency-Key: the same request gets the same response', async () => {
    const again = await post(restored(), [entry(), entry()], { 'idempotency-key': 'rent-1' });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
  });

  test('the daily cap: exactly the remaining entries fit; references still deduplicate', async () => {
    const tooMany = await post(restored(), batch('beyond', LEFT + 1));
    expect([tooMany.status, tooMany.body.error.code, tooMany.body.error.remaining]).toEqual([
      429,
      'daily_cap',
      LEFT,
    ]);
    const known = await post(restored(), batch('before', 500));
    expect([known.status, known.body.deduplicated]).toEqual([200, 500]);
    expect((await post(restored(), batch('fits', LEFT))).status).toBe(201);
  });
}

type Sql = ReturnType<typeof openDatabase>;

interface Restored extends System {
  /** The restored rows, before any request. */
  rows: Rows;
}

/** Starts a worker and a gateway on a restored database. */
async function serve(name: string, postgres: Postgres): Promise<Restored> {
  const restored = await rowsOf(postgres.url);
  const system = await startSystem({
    dataDir: join(directory, name),
    databaseUrl: postgres.url,
    redisUrl: false,
  });
  const stop = async () => {
    await system.stop();
    await postgres.stop();
  };
  return { ...system, rows: restored, stop };
}

/** The commands of a base backup, one by one. */
function backupCommands(): string[] {
  return blocks('Base backup and write-ahead log', 'sh', backups).join('').trim().split('\n');
}

/** Opens a connection for one query, and returns `value` of its row. */
async function query<Result = string>(
  url: string,
  select: (sql: Sql) => PromiseLike<Json[]>,
): Promise<Result> {
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  try {
    return (await select(sql))[0]?.value;
  } finally {
    await sql.end();
  }
}

async function rowsOf(url: string): Promise<Rows> {
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
     where table_schema = 'ledger' and table_type = 'BASE TABLE' order by name`;
  const found: Rows = {};
  for (const { name } of tables) {
    const lines = await sql<{ line: string }[]>`
      select each::text as line from ${sql(`ledger.${name}`)} each order by line`;
    found[name] = lines.map(({ line }) => line);
  }
  await sql.end();
  return found;
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

function get({ url }: System, path: string, key: string): Promise<ApiResponse> {
  return send(path, { url, headers: { authorization: `Bearer ${key}` } });
}
