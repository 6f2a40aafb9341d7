/** Three workers that share four connections to Postgres through PgBouncer in transaction mode. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { ENDPOINTS, statuses } from '../fixtures/endpoints.ts';
import { openLocks } from '../fixtures/locks.ts';
import { admin, logsDir, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import {
  createPooledRole,
  type PgBouncer,
  pgBouncerProgram,
  roleSettings,
  startPgBouncer,
} from './pgbouncer.ts';

setDefaultTimeout(120_000);

const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 1_000;
const ROLE = 'pooled_worker';
const SETTINGS = roleSettings(STATEMENT_TIMEOUT_MS);

let pooler: PgBouncer;
let workers: Worker[];
let gateway: Gateway;
let url: string;

const startPooler = async (port?: number) =>
  startPgBouncer({
    program: await pgBouncerProgram(),
    databaseUrl: system.databaseUrl,
    role: ROLE,
    poolSize: POOL_SIZE,
    ...(port !== undefined && { port }),
  });
/** Of PgBouncer 1.18, which knows no prepared statements in transaction mode. */
const pooledUrl = () => `${pooler.url}?prepare=false`;
const newWorker = () =>
  startWorker({
    databaseUrl: pooledUrl(),
    env: { STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS), DATABASE_POOL_MAX: '8' },
  });
const setForRole = (name: string, value: string) => sql.unsafe(`alter role ${ROLE} set ${name} = ${value}`);

beforeAll(async () => {
  await createPooledRole(ROLE, STATEMENT_TIMEOUT_MS);
  pooler = await startPooler();
  workers = await Promise.all([newWorker(), newWorker(), newWorker()]);
  gateway = await startGateway({
    workerAddress: `ipv4:${workers.map(({ address }) => address)}`,
    redisUrl: system.redisUrl,
    env: { REQUEST_TIMEOUT_MS: '5000' },
  });
  url = gateway.url;
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all((workers ?? []).map((worker) => worker.stop()));
  await pooler?.stop();
  await sql.unsafe(`drop role if exists ${ROLE}`);
});

/** The backends of Postgres that serve the pooler. */
const backends = () => sql`select pid, query, state from pg_stat_activity where usename = ${ROLE}`;

test('every endpoint answers, and a key that is revoked is stopped', async () => {
  const account = await TestAccount.create();
  const { keyId, key } = await admin.createKey({ accountId: account.accountId });
  for (const { name, request } of ENDPOINTS) {
    const { status } = await request(account, key, { url });
    expect([name, status]).toEqual([name, name.startsWith('POST') ? 201 : 200]);
  }
  await admin.revokeKey({ keyId });
  const answers = await Promise.all(ENDPOINTS.map(({ request }) => request(account, key, { url })));
  expect(statuses(answers)).toEqual({ 401: ENDPOINTS.length });
});

test('of one batch sent many times at once each entry is created once, and all are told the same ids', async () => {
  const account = await TestAccount.create();
  const entries = batch('same', 100);
  const answers = await Promise.all(Array.from({ length: 30 }, () => account.post(entries, { url })));
  expect(statuses(answers)).toEqual({ 200: 29, 201: 1 });
  const ids = answers.map(({ body }) =>
    [...body.transactions, ...body.existing].map(({ id }: { id: string }) => id).join(),
  );
  expect(new Set(ids).size).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(100);
  await expectCountsToEqualRows(account);
});

test('of batches that race for the last places of the day exactly 5,000 entries stay', async () => {
  const account = await TestAccount.create();
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => account.post(batch(`batch ${n}`, 250), { url })),
  );
  expect(statuses(answers)).toEqual({ 201: 20, 429: 4 });
  expect(await rowsOf(account.accountId)).toHaveLength(5_000);
  await expectCountsToEqualRows(account);
});

test('requests under one idempotency key create once', async () => {
  const account = await TestAccount.create();
  const headers = { 'idempotency-key': 'once' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => account.post(entry(), { url, headers })),
  );
  expect(statuses(answers)).toEqual({ 201: 20 });
  expect(new Set(answers.map(({ body }) => body.transactions[0].id)).size).toBe(1);
  expect(await rowsOf(account.accountId)).toHaveLength(1);
});

/** Clients of their own accounts, who write batches with references until they are stopped. */
function beginWrites(accounts: readonly TestAccount[]) {
  let isStopped = false;
  let written = 0;
  const write = async (account: TestAccount) => {
    const acknowledged: string[] = [];
    const failed: ApiResponse[] = [];
    for (let n = 0; !isStopped; n++) {
      const answer = await account.post(batch(`batch ${n}`, 5), { url });
      if (answer.status !== 201) failed.push(answer);
      else {
        written++;
        acknowledged.push(...answer.body.transactions.map(({ id }: { id: string }) => id));
      }
    }
    return { account, acknowledged, failed };
  };
  const clients = Promise.all(accounts.map(write));
  return {
    written: () => written,
    stop() {
      isStopped = true;
      return clients;
    },
  };
}

const newAccounts = (count: number) => Promise.all(Array.from({ length: count }, () => TestAccount.create()));

async function expectNothingLost({
  account,
  acknowledged,
}: {
  account: TestAccount;
  acknowledged: string[];
}) {
  const rows = await rowsOf(account.accountId);
  const ids = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(rows.map(({ externalRef }) => externalRef)).size).toBe(rows.length);
  await expectCountsToEqualRows(account);
}

test('many accounts write and none fails, by no more connections to Postgres than the pool has', async () => {
  const writes = beginWrites(await newAccounts(24));
  let most = 0;
  await until('much was written', async () => {
    most = Math.max(most, (await backends()).length);
    return writes.written() > 500;
  });
  for (const client of await writes.stop()) {
    expect(client.failed.map(({ status, body }) => [status, body])).toEqual([]);
    await expectNothingLost(client);
  }
  // Of another connection: the library would repeat it, each time after an error.
  expect(readFileSync(join(logsDir, 'postgres.log'), 'utf8')).not.toContain('prepared statement');
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(POOL_SIZE);
});

test('a statement is stopped by the database when its time is up', async () => {
  // Only the role's setting is left to stop it.
  const pool = openDatabase({ url: pooledUrl(), poolMax: 1, statementTimeoutMs: 0 });
  const error = await pool`select pg_sleep(30)`.then(
    () => undefined,
    (reason) => reason,
  );
  await pool.end();
  expect([error?.code, error?.message]).toEqual(['57014', 'canceling statement due to statement timeout']);
});

test('a write that waits for a lock fails within its time, leaves nothing, and nobody waits behind it', async () => {
  const [account, other] = (await newAccounts(2)) as [TestAccount, TestAccount];
  const locks = openLocks();
  await locks.account(account.accountId);
  const failed = await account.post(entry(), { url });
  expect(failed.status).toBe(503);
  expect((await other.post(entry(), { url })).status).toBe(201);
  await until('no statement waits', async () =>
    (await backends()).every(({ state, query }) => state !== 'active' || !query.includes('create_batches')),
  );
  await locks.release();
  await locks.close();
  expect(await rowsOf(account.accountId)).toEqual([]);
  expect((await account.post(entry(), { url })).status).toBe(201);
});

test('PgBouncer is killed under load and comes back: nothing is lost, and all goes on', async () => {
  const writes = beginWrites(await newAccounts(12));
  await until('there is load', () => writes.written() > 100);
  process.kill(pooler.pid, 'SIGKILL');
  await pooler.died;
  const { port } = pooler;
  await pooler.stop();
  await until('it is noticed', async () => (await fetch(`${url}/readyz`)).status === 503);
  pooler = await startPooler(port);
  await until('it is back', async () => (await fetch(`${url}/readyz`)).status === 200);
  const before = writes.written();
  await until('writing goes on', () => writes.written() > before + 100);
  for (const client of await writes.stop()) {
    for (const { status, body } of client.failed) {
      expect([status, body.error.code]).toEqual([503, 'server_error']);
    }
    await expectNothingLost(client);
  }
});

test('a short absence of PgBouncer is bridged: no request fails', async () => {
  const writes = beginWrites(await newAccounts(6));
  await until('there is load', () => writes.written() > 50);
  const { port } = pooler;
  process.kill(pooler.pid, 'SIGKILL');
  await pooler.died;
  await pooler.stop();
  pooler = await startPooler(port);
  const before = writes.written();
  await until('writing goes on', () => writes.written() > before + 100);
  for (const client of await writes.stop()) {
    expect(client.failed.map(({ status, body }) => [status, body])).toEqual([]);
    await expectNothingLost(client);
  }
});

test.each(Object.keys(SETTINGS))(
  'without %s for its role a worker does not start, and says so',
  async (name) => {
    const value = SETTINGS[name as keyof typeof SETTINGS];
    const other: Record<string, string> = { default_transaction_isolation: "'repeatable read'" };
    await setForRole(name, other[name] ?? 'default');
    try {
      await expectNoStart(name);
    } finally {
      await setForRole(name, value);
    }
  },
);

async function expectNoStart(name: string): Promise<void> {
  // Those that are kept have the settings with which they began.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${ROLE}`;
  const started = await newWorker().then(
    async (worker) => {
      await worker.stop();
      return 'it started';
    },
    (error) => String(error),
  );
  expect(started).toContain('Statements do not run under the settings that they need');
  expect(started).toContain(`${name} = '`);
}
