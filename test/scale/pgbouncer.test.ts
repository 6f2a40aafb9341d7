/** Three workers that share four connections to Postgres through PgBouncer in transaction mode. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, expectCountsToEqualRows, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, TestAccount } from '../fixtures/client.ts';
import { ENDPOINTS, statuses } from '../fixtures/endpoints.ts';
import { keepDoing } from '../fixtures/keep-doing.ts';
import { locks } from '../fixtures/locks.ts';
import { stopEmpty } from '../fixtures/no-leaks.ts';
import { admin, logsDir, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { createPooledRole, type PgBouncer, roleSettings, startPgBouncer } from './pgbouncer.ts';

setDefaultTimeout(120_000);
afterEach(() => locks.release());

const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 1_000;
const ROLE = 'pooled_worker';
const SETTINGS = roleSettings(STATEMENT_TIMEOUT_MS);

let pooler: PgBouncer;
let workers: Worker[];
let gateway: Gateway;
let url: string;

const startPooler = (port?: number) => startPgBouncer(ROLE, POOL_SIZE, port);
/** PgBouncer 1.18 does not support prepared statements in transaction mode. */
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
  await stopEmpty(gateway, ...workers);
  await pooler?.stop();
  await sql.unsafe(`drop role if exists ${ROLE}`);
});

/** Kills the pooler, and starts it again at the same address. @param meanwhile while there is none */
async function restartPooler(meanwhile = async () => {}): Promise<void> {
  process.kill(pooler.pid, 'SIGKILL');
  await pooler.died;
  const { port } = pooler;
  await pooler.stop();
  await meanwhile();
  pooler = await startPooler(port);
}

/** The backends of Postgres that serve the pooler. */
const backends = () => sql`select pid, query, state from pg_stat_activity where usename = ${ROLE}`;

test('every endpoint works, and a revoked key is refused', async () => {
  const account = await TestAccount.create();
  const { keyId, key } = await admin.createKey({ accountId: account.accountId });
  for (const { name, request } of ENDPOINTS) {
    const { status } = await request(account, key, { url });
    expect([name, status]).toEqual([name, name.startsWith('POST') ? 201 : 200]);
  }
  await admin.revokeKey({ keyId });
  const responses = await Promise.all(ENDPOINTS.map(({ request }) => request(account, key, { url })));
  expect(statuses(responses)).toEqual({ 401: ENDPOINTS.length });
});

/** Clients that write batches with references until `stop`, one account each. */
function beginWrites(accounts: readonly TestAccount[]) {
  const clients = accounts.map((account) => {
    return { account, acknowledged: [] as string[], failed: [] as ApiResponse[] };
  });
  const write = ({ account, acknowledged, failed }: Client) => {
    return async (n: number) => {
      const response = await account.post(batch(`batch ${n}`, 5), { url });
      if (response.status !== 201) failed.push(response);
      else acknowledged.push(...response.body.transactions.map(({ id }: { id: string }) => id));
      return response.status === 201;
    };
  };
  const { untilMore, stop } = keepDoing(clients.map(write));
  return { untilMore, stop: () => stop().then(() => clients) };
}

const newAccounts = (count: number) => Promise.all(Array.from({ length: count }, () => TestAccount.create()));

type Writes = ReturnType<typeof beginWrites>;

interface Client {
  account: TestAccount;
  acknowledged: string[];
  failed: ApiResponse[];
}

/** Stops the clients, none of whose writes may have failed. */
async function expectSuccess(writes: Writes): Promise<void> {
  for (const client of await writes.stop()) {
    expect(client.failed.map(({ status, body }) => [status, body])).toEqual([]);
    await expectNothingLost(client);
  }
}

async function expectNothingLost({ account, acknowledged }: Pick<Client, 'account' | 'acknowledged'>) {
  const rows = await rowsOf(account.accountId);
  const ids = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(rows.map(({ externalRef }) => externalRef)).size).toBe(rows.length);
  await expectCountsToEqualRows(account);
}

test('writes of many accounts succeed over no more connections to Postgres than the pool size', async () => {
  const writes = beginWrites(await newAccounts(24));
  let most = 0;
  for (let batches = 0; batches < 200; batches += 10) {
    await writes.untilMore(10);
    most = Math.max(most, (await backends()).length);
  }
  await expectSuccess(writes);
  // An error about a prepared statement of another connection, after which the library would retry.
  expect(readFileSync(join(logsDir, 'postgres.log'), 'utf8')).not.toContain('prepared statement');
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(POOL_SIZE);
});

test('a write that waits for a lock fails in time, stores nothing, and blocks no other write', async () => {
  const [account, other] = (await newAccounts(2)) as [TestAccount, TestAccount];
  await locks.account(account.accountId);
  const failed = await account.post(entry(), { url });
  expect(failed.status).toBe(503);
  expect((await other.post(entry(), { url })).status).toBe(201);
  await until('the end of the waiting statement', async () =>
    (await backends()).every(({ state, query }) => state !== 'active' || !query.includes('ledger.write_')),
  );
  await locks.release();
  expect(await rowsOf(account.accountId)).toEqual([]);
  expect((await account.post(entry(), { url })).status).toBe(201);
});

test('PgBouncer is killed under load and started again: no entry is lost, and writes continue', async () => {
  const writes = beginWrites(await newAccounts(12));
  await writes.untilMore(30);
  const untilReadiness = (status: number) =>
    until(`/readyz returns ${status}`, async () => (await fetch(`${url}/readyz`)).status === status, 60_000);
  await restartPooler(() => untilReadiness(503));
  await untilReadiness(200);
  await writes.untilMore(30);
  for (const client of await writes.stop()) {
    for (const { status, body } of client.failed) {
      expect([status, body.error.code]).toEqual([503, 'server_error']);
    }
    await expectNothingLost(client);
  }
});

test('during a short outage of PgBouncer requests wait, and none fails', async () => {
  const writes = beginWrites(await newAccounts(6));
  await writes.untilMore(20);
  await restartPooler();
  await writes.untilMore(30);
  await expectSuccess(writes);
});

test('a worker whose role lacks the settings does not start, and its error names each', async () => {
  const other: Record<string, string> = { default_transaction_isolation: "'repeatable read'" };
  for (const name of Object.keys(SETTINGS)) await setForRole(name, other[name] ?? 'default');
  // Existing connections keep the settings of their start.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${ROLE}`;
  const started = await newWorker().then(
    async (worker) => {
      await worker.stop();
      return 'it started';
    },
    (error) => String(error),
  );
  expect(started).toContain('Statements do not run under the settings that they need');
  for (const name of Object.keys(SETTINGS)) expect(started).toContain(`${name} = '`);
});
