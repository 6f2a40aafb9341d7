/** Pages that a streaming replica answers: as the primary would, however far the replica is behind, and when it is away. */
import { afterAll, beforeAll, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test';
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { batch, rowsOf } from '../fixtures/books.ts';
import { type ApiResponse, entry, type Json, TestAccount } from '../fixtures/client.ts';
import { type Metrics, scrape } from '../fixtures/metrics.ts';
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
    // Less than what a statement may take: a replica that hangs must not be waited for.
    env: { REQUEST_TIMEOUT_MS: '3000' },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await worker?.stop();
  await standby?.stop();
});

const post = (account: TestAccount, body: unknown) => account.post(body, { url: gateway.url });
const page = (account: TestAccount, query = 'limit=200', source = account.sources['uk-property']) =>
  account.request(`/api/v1/sources/${source}/transactions?${query}`, { url: gateway.url });
const idsIn = ({ body }: ApiResponse): string[] => body.transactions.map(({ id }: Json) => id).sort();
const createdIn = ({ body }: ApiResponse): string[] => body.transactions.map(({ id }: Json) => id);

const metrics = () => scrape(worker.metricsAddress);
const pages = (shown: Metrics, outcome: string) => shown.value('ledger_replica_pages_total', { outcome });
/** What became of the pages that `work` read, by outcome. */
async function outcomes(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await metrics();
  await work();
  const after = await metrics();
  const names = ['used', 'behind', 'unanswered', 'not_asked'];
  const counts = names.map((name) => [name, pages(after, name) - pages(before, name)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
/** Until it is asked again, and answers. */
async function untilUsed(account: TestAccount): Promise<void> {
  const used = async () => Boolean((await outcomes(() => page(account))).used);
  await until('the replica is used', used, 30_000);
}

test('pages are read from the replica, and are those of the primary', async () => {
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
  // As the replica itself counts.
  await until('the replica has counted the reads', async () => {
    await page(account);
    const [after] = await readsOfEntries();
    return after?.scans >= before?.scans + 5;
  });
});

const readsOfEntries = () =>
  standby.sql`select idx_scan::integer as scans from pg_stat_user_tables where relname = 'entry'`;

test('what was acknowledged is read at once while the replica stands still', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => TestAccount.create()));
  const atRest = await TestAccount.create();
  await post(atRest, batch('at rest', 3));
  await standby.caughtUp();
  await standby.pause();
  onTestFinished(() => standby.resume());
  const counted = await outcomes(async () => {
    const write = async (account: TestAccount) => {
      const acknowledged: string[] = [];
      for (let n = 0; n < 12; n++) {
        const answer = await post(account, n % 2 === 0 ? entry() : batch(`batch ${n}`, 5));
        expect(answer.status).toBe(201);
        acknowledged.push(...createdIn(answer));
        expect(idsIn(await page(account))).toEqual(acknowledged.toSorted());
      }
    };
    await Promise.all(accounts.map(write));
  });
  expect(counted.behind).toBeGreaterThan(0);
  expect(counted.used).toBeUndefined();
  // Of those who have not written since, it knows all.
  await untilUsed(atRest);
  await standby.resume();
  await standby.caughtUp();
  for (const account of accounts) await untilUsed(account);
});

test('what the app did counts at once while the replica stands still', async () => {
  const account = await TestAccount.create();
  const { accountId, sources } = account;
  const [created = ''] = createdIn(await post(account, entry()));
  const { keyId, key } = await admin.createKey({ accountId });
  await standby.caughtUp();
  await untilUsed(account);
  await standby.pause();
  onTestFinished(() => standby.resume());

  const source = sources['uk-property'];
  const place = { accountId, sourceId: source, date: '2026-04-06', id: created };
  await admin.categorise({ ...place, category: 'periodAmount' });
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

test('of two sources that the same transaction changed last, the account’s last write tells which one is of now', async () => {
  const account = await TestAccount.create();
  await post(account, entry());
  await standby.caughtUp();
  await untilUsed(account);
  await standby.pause();
  onTestFinished(() => standby.resume());
  // As if a standby had taken over, and another write had got the number of the one that it did not know.
  await sql`
    update ledger.write_log set written_at = written_at + interval '1 ms' where account_id = ${account.accountId}`;
  expect(await outcomes(() => page(account))).toEqual({ behind: 1 });
});

/** Clients who read and write until they are stopped; no answer of theirs may be wrong. */
function beginLoad(accounts: readonly TestAccount[]) {
  let isStopped = false;
  let rounds = 0;
  const work = async (account: TestAccount) => {
    const acknowledged: string[] = [];
    for (; !isStopped; rounds++) {
      // Not so much that the page does not show all of it.
      if (acknowledged.length < 200) {
        const answer = await post(account, entry());
        expect([answer.status, answer.body.error]).toEqual([201, undefined]);
        acknowledged.push(...createdIn(answer));
      }
      const answer = await page(account);
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      expect(idsIn(answer)).toEqual(acknowledged.toSorted());
      await Bun.sleep(10);
    }
  };
  const clients = Promise.all(accounts.map(work));
  return {
    async goOn() {
      const before = rounds;
      await until('reading goes on', () => rounds > before + 50, 30_000);
    },
    stop() {
      isStopped = true;
      return clients;
    },
  };
}

const isUp = async () => (await metrics()).value('ledger_replica_up') === 1;

test('the replica is killed under load, and hangs, and comes back: nobody is told, and it is used again', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => TestAccount.create()));
  await standby.caughtUp();
  await untilUsed(accounts[0] as TestAccount);
  const load = beginLoad(accounts);
  await load.goOn();
  await standby.kill();
  await until('it is known to be away', async () => !(await isUp()));
  await load.goOn();
  await standby.start();
  await until('it is known to be back', isUp, 30_000);
  await load.goOn();

  const backends = await standby.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'ledger-worker' and pid <> pg_backend_pid()`;
  expect(backends.length).toBeGreaterThan(0);
  const tell = (signal: NodeJS.Signals) => {
    for (const { pid } of backends) process.kill(pid, signal);
  };
  tell('SIGSTOP');
  await load.goOn();
  tell('SIGCONT');
  await load.goOn();
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

test('a replica whose statements would run under other settings keeps a worker from starting', async () => {
  // It passes none of them on, and nor has the role any.
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
  expect(started).toContain('Of DATABASE_REPLICA_URL: Statements do not run under the settings');
});

test('a replica that was promoted is not read any more: it goes its own way', async () => {
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
