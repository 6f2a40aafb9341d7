/** Pages read from a streaming replica equal those of the primary, also while the replica is behind or down. */
import { afterAll, beforeAll, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, type Json, TestAccount } from '../fixtures/client.ts';
import { type Metrics, scrape } from '../fixtures/metrics.ts';
import { stopEmpty } from '../fixtures/nothing-held.ts';
import { readPages } from '../fixtures/paging.ts';
import { admin, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { pgBouncerProgram, startPgBouncer } from './pgbouncer.ts';
import { type Standby, startStandby } from './standby.ts';

setDefaultTimeout(120_000);

let standby: Standby;
let worker: Worker;
let gateway: Gateway;

beforeAll(async () => {
  standby = await startStandby();
  worker = await startWorker({
    databaseUrl: `${system.databaseUrl}&application_name=with-replica`,
    env: { DATABASE_REPLICA_URL: standby.url },
  });
  gateway = await startGateway({
    workerAddress: worker.address,
    redisUrl: system.redisUrl,
    // Below the statement timeout, so that waiting for a frozen replica would fail the request.
    env: { REQUEST_TIMEOUT_MS: '3000' },
  });
});
afterAll(async () => {
  await stopEmpty(gateway, worker);
  await standby?.stop();
});

const post = (account: TestAccount, body: unknown) => account.post(body, { url: gateway.url });
const page = (account: TestAccount, query = 'limit=200', source = account.sources['uk-property']) =>
  account.request(`/api/v1/sources/${source}/transactions?${query}`, { url: gateway.url });
const idsIn = ({ body }: ApiResponse): string[] => body.transactions.map(({ id }: Json) => id).sort();
const createdIn = ({ body }: ApiResponse): string[] => body.transactions.map(({ id }: Json) => id);

const metrics = () => scrape(worker.metricsAddress);
const pages = (shown: Metrics, outcome: string) => shown.value('ledger_replica_pages_total', { outcome });
/** The number of pages by outcome that `read` has caused. */
async function outcomes(read: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await metrics();
  await read();
  const after = await metrics();
  const names = ['used', 'behind', 'unanswered', 'not_asked'];
  const counts = names.map((name) => [name, pages(after, name) - pages(before, name)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
/** Waits until the worker reads pages from the replica. */
async function untilUsed(account: TestAccount): Promise<void> {
  const used = async () => Boolean((await outcomes(() => page(account))).used);
  await until('a page from the replica', used, 30_000);
}

test('pages are read from the replica and equal those of the primary', async () => {
  const account = await TestAccount.create();
  await post(account, batch('some', 250));
  await standby.caughtUp();
  await untilUsed(account);
  const [before] = await readsOfEntries();
  const readPage = async (cursor?: string): Promise<Json> =>
    (await page(account, `limit=50${cursor ? `&cursor=${cursor}` : ''}`)).body;
  const pages = await readPages(readPage, ({ nextCursor }) => nextCursor);
  const read = pages.flatMap(({ transactions }) => transactions);
  const rows = await rowsOf(account.accountId);
  expect(read).toEqual(rows.map(({ sourceId: _, ...row }) => row));
  // Postgres on the replica counts the reads with a delay.
  await until('the reads in the statistics of the replica', async () => {
    await page(account);
    const [after] = await readsOfEntries();
    return after?.scans >= before?.scans + 5;
  });
});

const readsOfEntries = () =>
  standby.sql`select idx_scan::integer as scans from pg_stat_user_tables where relname = 'entry'`;

test('acknowledged entries are read at once while the replay on the replica is paused', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => TestAccount.create()));
  const idle = await TestAccount.create();
  await post(idle, batch('idle', 3));
  await standby.caughtUp();
  await standby.pause();
  onTestFinished(() => standby.resume());
  const counted = await outcomes(async () => {
    const write = async (account: TestAccount) => {
      const acknowledged: string[] = [];
      for (let n = 0; n < 12; n++) {
        const response = await post(account, n % 2 === 0 ? entry() : batch(`batch ${n}`, 5));
        expect(response.status).toBe(201);
        acknowledged.push(...createdIn(response));
        expect(idsIn(await page(account))).toEqual(acknowledged.toSorted());
      }
    };
    await Promise.all(accounts.map(write));
  });
  expect(counted.behind).toBeGreaterThan(0);
  expect(counted.used).toBeUndefined();
  // The replica is up to date for accounts without later writes.
  await untilUsed(idle);
  await standby.resume();
  await standby.caughtUp();
  for (const account of accounts) await untilUsed(account);
});

test('changes by the Admin service apply at once while the replay on the replica is paused', async () => {
  const account = await TestAccount.create();
  const { accountId, sources } = account;
  const [created = ''] = createdIn(await post(account, entry()));
  const { keyId, key } = await admin.createKey({ accountId });
  await standby.caughtUp();
  await untilUsed(account);
  await standby.pause();
  onTestFinished(() => standby.resume());

  const source = sources['uk-property'];
  const found = { accountId, sourceId: source, date: '2026-04-06', id: created };
  await admin.categorise({ ...found, category: 'periodAmount' });
  expect((await page(account)).body.transactions).toMatchObject([{ id: created, category: 'periodAmount' }]);

  const bearer = { headers: { authorization: `Bearer ${key}` }, url: gateway.url };
  const path = `/api/v1/sources/${source}/transactions`;
  expect((await account.request(path, bearer)).status).toBe(200);
  await admin.revokeKey({ keyId });
  expect((await account.request(path, bearer)).status).toBe(401);

  const details = { type: 'uk-property', name: 'New', role: 'owner', sharePercent: 100 };
  const { id: newSource } = await admin.createSource({ accountId, ...details });
  expect(await page(account, '', newSource)).toMatchObject({ status: 200, body: { transactions: [] } });
  const other = await TestAccount.create();
  expect((await page(other)).status).toBe(200);
  expect((await page(other, '', source)).status).toBe(404);

  await admin.removeSource({ id: source });
  expect((await page(account)).status).toBe(404);
  await admin.setPlan({ accountId, plan: 'free' });
  expect((await page(account)).status).toBe(403);
  await admin.setPlan({ accountId, plan: 'pro' });
  await admin.deleteAccount({ accountId });
  expect((await page(account)).status).toBe(401);
});

test('a replica with an equal transaction id but another last write of the account is behind', async () => {
  const account = await TestAccount.create();
  await post(account, entry());
  await standby.caughtUp();
  await untilUsed(account);
  await standby.pause();
  onTestFinished(() => standby.resume());
  // As after a failover, when a new write has got the transaction id of a write that the standby had not received.
  await sql`
    update ledger.write_log set written_at = written_at + interval '1 ms' where account_id = ${account.accountId}`;
  expect(await outcomes(() => page(account))).toEqual({ behind: 1 });
});

/** Clients that read and write until `stop`; every response must be right. */
function beginLoad(accounts: readonly TestAccount[]) {
  let isStopped = false;
  let rounds = 0;
  const work = async (account: TestAccount) => {
    const acknowledged: string[] = [];
    for (; !isStopped; rounds++) {
      // One page must show all entries.
      if (acknowledged.length < 200) {
        const response = await post(account, entry());
        expect([response.status, response.body.error]).toEqual([201, undefined]);
        acknowledged.push(...createdIn(response));
      }
      const response = await page(account);
      expect([response.status, response.body.error]).toEqual([200, undefined]);
      expect(idsIn(response)).toEqual(acknowledged.toSorted());
      await Bun.sleep(10);
    }
  };
  const clients = Promise.all(accounts.map(work));
  return {
    async progress() {
      const before = rounds;
      await until('more reads', () => rounds > before + 50, 30_000);
    },
    stop() {
      isStopped = true;
      return clients;
    },
  };
}

const isUp = async () => (await metrics()).value('ledger_replica_up') === 1;

test('the replica is killed, started again and frozen under load: no request fails, and it is used again', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => TestAccount.create()));
  await standby.caughtUp();
  await untilUsed(accounts[0] as TestAccount);
  const load = beginLoad(accounts);
  await load.progress();
  await standby.kill();
  await until('ledger_replica_up 0', async () => !(await isUp()));
  await load.progress();
  await standby.start();
  await until('ledger_replica_up 1', isUp, 30_000);
  await load.progress();

  const backends = await standby.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'ledger-worker' and pid <> pg_backend_pid()`;
  expect(backends.length).toBeGreaterThan(0);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { pid } of backends) process.kill(pid, signal);
  };
  signalAll('SIGSTOP');
  await load.progress();
  signalAll('SIGCONT');
  await load.progress();
  await load.stop();
  await standby.caughtUp();
  await untilUsed(accounts[0] as TestAccount);
});

test('a worker starts without its replica', async () => {
  const alone = await startWorker({
    databaseUrl: system.databaseUrl,
    env: { DATABASE_REPLICA_URL: 'postgres://ledger@127.0.0.1:1/ledger' },
  });
  await alone.stop();
});

test('a worker does not start with a replica whose statements would run under other settings', async () => {
  // PgBouncer does not pass on the worker's settings, and this role has none.
  const program = await pgBouncerProgram();
  const pooler = await startPgBouncer({ program, databaseUrl: standby.url, role: 'ledger', poolSize: 2 });
  const started = await startWorker({
    databaseUrl: system.databaseUrl,
    env: { DATABASE_REPLICA_URL: `${pooler.url}?prepare=false` },
  }).then(
    async (other) => {
      await other.stop();
      return 'it started';
    },
    (error) => String(error),
  );
  await pooler.stop();
  expect(started).toContain('DATABASE_REPLICA_URL: Statements do not run under the settings');
});

test('a promoted replica is not read any more, since its data may differ', async () => {
  const account = await TestAccount.create();
  const [created = ''] = createdIn(await post(account, entry()));
  await standby.caughtUp();
  await untilUsed(account);
  await standby.sql`select pg_promote(true)`;
  await standby.sql`update ledger.entry set description = 'not so' where account_id = ${account.accountId}`;
  for (let n = 0; n < 10; n++) {
    expect((await page(account)).body.transactions).toMatchObject([{ id: created, description: null }]);
  }
  expect(await isUp()).toBe(false);
});
