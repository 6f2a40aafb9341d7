/** A database is distributed while a worker serves: reads go on, writes wait, and what is acknowledged is stored once. */
import { expect, setDefaultTimeout } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distribute } from '../../ledger-worker/citus/distribute.ts';
import type { Sql } from '../../ledger-worker/database/connection.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { type CitusCluster, startCitusCluster } from '../fixtures/citus-cluster.ts';
import { migrateAndFill } from '../fixtures/citus-database.ts';
import { openOne } from '../fixtures/database.ts';
import { newEntry, openLedger, type TestLedger } from '../fixtures/ledger.ts';
import { until } from '../fixtures/until.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(600_000);

// In each of the 50 accounts. For figures: ENTRIES_PER_ACCOUNT=20000 is a million.
const ENTRIES_PER_ACCOUNT = Number(process.env.ENTRIES_PER_ACCOUNT ?? 1_000);
const TIMEOUT_MS = 5_000;
const CLIENTS = 6;

const directory = temporaryDirectory();
const logFile = join(directory, 'worker.log');
let cluster: CitusCluster;
let sql: Sql;
let worker: Worker;
let ledger: TestLedger;
afterAll(async () => {
  ledger?.close();
  await worker?.stop();
  await sql?.end();
  await cluster?.stop();
});

interface Attempt {
  startedAt: number;
  endedAt: number;
  isRead: boolean;
  outcome: string;
}
const attempts: Attempt[] = [];
const acknowledged: string[] = [];
/** The end of the command, and its step that copies. */
const times = { copyingAt: 0, copiedAt: 0, endedAt: 0 };

const uuidOf = (text: string) =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const callerOf = (n: number) => ({
  accountId: uuidOf(`account ${n}`),
  keyHash: createHash('sha256').update(`key ${n}`).digest(),
});
const sourceOf = (accountId: string) => uuidOf(`source ${accountId}`);

async function attempt(isRead: boolean, call: () => Promise<unknown>): Promise<void> {
  const startedAt = Date.now();
  const outcome = await call().then(
    () => 'ok',
    ({ code, details }) => `${code} ${details}`,
  );
  attempts.push({ startedAt, endedAt: Date.now(), isRead, outcome });
  await Bun.sleep(20);
}

async function load(hasEnded: () => boolean): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, index) => callerOf(index + 1));
  const write = async (caller: ReturnType<typeof callerOf>) => {
    for (let n = 0; !hasEnded(); n++) {
      await attempt(false, async () => {
        const entry = newEntry({ externalRef: `${caller.accountId} ${n}` });
        const { created } = await ledger.createEntries(
          { caller, sourceId: sourceOf(caller.accountId), entries: [entry] },
          { deadline: Date.now() + TIMEOUT_MS },
        );
        expect(created).toBeDefined();
        acknowledged.push(`${caller.accountId} ${entry.id}`);
      });
    }
  };
  const read = async (caller: ReturnType<typeof callerOf>) => {
    while (!hasEnded()) {
      await attempt(true, async () => {
        const sourceId = sourceOf(caller.accountId);
        expect((await ledger.listEntries({ caller, sourceId, limit: 50 })).page).toBeDefined();
        expect((await ledger.listSources({ caller })).sources).toBeDefined();
        expect((await ledger.authenticate({ keyHash: caller.keyHash })).identity).toBeDefined();
        // Of no account. For a null in the place of an account Citus computes a hash, and crashes.
        const { refused } = await ledger.authenticate({ keyHash: Buffer.alloc(32) });
        expect(refused).toBe('REFUSAL_INVALID_KEY');
      });
    }
  };
  await Promise.all(clients.flatMap((caller) => [write(caller), read(caller)]));
}

beforeAll(async () => {
  cluster = await startCitusCluster();
  const { url } = cluster.coordinator;
  sql = openOne(url);
  await migrateAndFill(sql);
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
    select account_id, gen_random_uuid(), source_id, date '2026-01-01', 1, 'income'
      from ledger.source, generate_series(101, ${ENTRIES_PER_ACCOUNT})`;
  await sql`update ledger.source set transaction_count = ${ENTRIES_PER_ACCOUNT}`;
  worker = await startWorker({ databaseUrl: url, logFile });
  ledger = openLedger(worker.address);
  let isDone = false;
  const loaded = load(() => isDone);
  await until('the clients write', () => acknowledged.length > 100);
  await distribute(sql, (step) => {
    if (step.startsWith('copying the rows')) times.copyingAt = Date.now();
    if (step.startsWith('deleting')) times.copiedAt = Date.now();
  });
  times.endedAt = Date.now();
  // A request that waited for the copy may still fail, so those of each kind that begin later count.
  const later = (isRead: boolean) =>
    attempts.filter((each) => each.isRead === isRead && isLater(each)).length;
  await until('the clients go on', () => later(false) > 10 && later(true) > 10, 60_000);
  isDone = true;
  await loaded;
});

test('what is acknowledged is stored once, and nothing else', async () => {
  const rows = await sql<{ id: string }[]>`
    select account_id || ' ' || entry_id as id from ledger.entry where external_ref like '%-%'`;
  expect(acknowledged.length).toBeGreaterThan(100);
  const stored = rows.map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
  const wrong = await sql`
    select account_id, transaction_count, count
      from ledger.source
      join (select account_id, source_id, count(*) from ledger.entry group by account_id, source_id) as counted
     using (account_id, source_id)
     where transaction_count <> count`;
  expect([...wrong]).toEqual([]);
});

const isLater = ({ startedAt }: Attempt) => startedAt > times.endedAt + 3_000;

test('reads go on while the rows are copied, and writes wait or fail and store nothing', () => {
  const { copyingAt, copiedAt } = times;
  const reads = attempts.filter(
    ({ isRead, startedAt, endedAt }) => isRead && startedAt > copyingAt && endedAt < copiedAt,
  );
  const longestReadMs = Math.max(...reads.map(({ startedAt, endedAt }) => endedAt - startedAt));
  console.log({ entries: 50 * ENTRIES_PER_ACCOUNT, copyMs: copiedAt - copyingAt, longestReadMs });
  expect(reads.length).toBeGreaterThan(10);
  expect(reads.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
});

test('the same worker serves the distributed database a few seconds later', () => {
  expect(attempts.filter((each) => isLater(each) && each.outcome !== 'ok')).toEqual([]);
});

test('no server has crashed or logged an entry, and the worker has not logged one either', () => {
  for (const server of [cluster.coordinator, ...cluster.nodes]) {
    expect(server.readLog()).not.toContain('was terminated by signal');
    expect(server.readLog()).not.toContain('Rent ');
  }
  expect(readFileSync(logFile, 'utf8')).not.toContain('Rent ');
});
