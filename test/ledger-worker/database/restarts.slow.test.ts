/**
 * Postgres ends at random moments under load and is started again at once. The worker lives, and no entry is lost or stored twice.
 * More restarts:
 *
 *   RESTARTS=200 bun test --path-ignore-patterns none test/ledger-worker/database/restarts.slow.test.ts
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../../ledger-worker/database/connection.ts';
import { type Postgres, startPostgres } from '../../../local/servers/postgres.ts';
import { startWorker, type Worker } from '../../../local/servers/worker.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { random } from '../../faults/random.ts';
import { type Files, giveTls, newAuthority, newFiles } from '../../fixtures/certificates.ts';
import { temporaryDirectory } from '../../fixtures/checkout.ts';
import { openOne } from '../../fixtures/database.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { keepDoing } from '../../fixtures/keep-doing.ts';
import { newEntry, openLedger, type TestLedger } from '../../fixtures/ledger.ts';
import { newAccount } from '../../fixtures/new-account.ts';
import { until } from '../../fixtures/until.ts';

const RESTARTS = Number(process.env.RESTARTS ?? 5);
// Of each worker.
const CLIENTS = 8;
// A restart takes about one second.
setDefaultTimeout(60_000 + RESTARTS * 10_000);

const directory = temporaryDirectory();
const dataDir = join(directory, 'data');
const socketDir = join(directory, 'socket');
const port = freePort();
let files: Files;
let postgres: Postgres;
let sql: Sql;

const start = async () => {
  postgres = await startPostgres({
    dataDir,
    socketDir,
    settings: { listen_addresses: '127.0.0.1', port: String(port), shared_buffers: '32MB' },
  });
};

const overSocket = () => `postgres://ledger@localhost:${port}/ledger?host=${socketDir}`;
const overTls = () =>
  `postgres://ledger@localhost:${port}/ledger?sslmode=verify-full&sslrootcert=${files.ca}`;

beforeAll(async () => {
  mkdirSync(socketDir);
  await start();
  const authority = await newAuthority('restarts');
  const pair = await authority.issue('database', ['localhost']);
  files = newFiles(pair, authority.cert);
  giveTls(dataDir, pair, 'local all all trust\nhost all all 127.0.0.1/32 trust\n');
  await restart();
  sql = openOne(overSocket());
});

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await postgres?.stop();
});

async function restart() {
  process.kill(postgres.pid, 'SIGQUIT');
  await postgres.died;
  await start();
}

async function createAccounts({ adminAddress }: Worker) {
  const admin = createAdminClient(adminAddress);
  const accounts = Array.from({ length: CLIENTS }, async () => {
    const { accountId, source: sourceId, keys } = await newAccount(admin);
    const caller = { accountId, keyHash: hashApiKey(`${keys[0]}`) };
    return { caller, sourceId, acknowledged: new Set<string>() };
  });
  return Promise.all(accounts).finally(() => admin.close());
}

type Account = Awaited<ReturnType<typeof createAccounts>>[number];

const chance = random('restarts');

/** Writes, and adds what is acknowledged. A caller that gives up makes the worker cancel its statement. */
function writesOf(ledger: TestLedger, { acknowledged, ...property }: Account) {
  return async () => {
    const entry = newEntry({ description: 'x'.repeat(chance.int(1, 200)) });
    const deadline = Date.now() + (chance.chance(0.1) ? chance.int(2, 20) : 5_000);
    const reply = await ledger.createEntries({ ...property, entries: [entry] }, { deadline }).catch(() => {});
    const isStored = reply?.created?.newEntries === 1;
    if (isStored) acknowledged.add(entry.id);
    // While there is no server, a write fails at once.
    else await Bun.sleep(5);
    return isStored;
  };
}

/** Until a write of each client has succeeded again. */
function untilEachHasWritten(accounts: Account[], hasEnded: () => boolean): Promise<void> {
  const before = accounts.map(({ acknowledged }) => acknowledged.size);
  const haveWritten = () =>
    accounts.every(({ acknowledged }, n) => acknowledged.size > (before[n] as number));
  return until('each client has written', () => hasEnded() || haveWritten(), 60_000);
}

/** Fails unless each acknowledged entry is stored once, and each source counts its rows. */
async function expectStored(accounts: Account[]) {
  for (const { caller, sourceId, acknowledged } of accounts) {
    const rows = await sql<{ id: string }[]>`
      select entry_id as id from ledger.entry where account_id = ${caller.accountId}`;
    const stored = new Set(rows.map(({ id }) => id));
    expect(stored.size).toBe(rows.length);
    expect([...acknowledged.difference(stored)]).toEqual([]);
    const [source] = await sql<{ count: number }[]>`
      select transaction_count as count from ledger.source
       where account_id = ${caller.accountId} and source_id = ${sourceId}`;
    expect(source?.count).toBe(rows.length);
  }
}

/** A worker that has lost its connections lives, and the clients that wrote by it have written again. */
async function startWorkerUnderLoad(databaseUrl: string) {
  const worker = await startWorker({ databaseUrl });
  let ended: string | undefined;
  void worker.died.then(({ message }) => {
    ended = message;
  });
  const hasEnded = () => ended !== undefined;
  const ledger = openLedger(worker.address);
  // Of each round, so that no daily cap is reached.
  let accounts: Account[] = [];
  let clients = keepDoing([]);
  return {
    async beginWrites() {
      accounts = [];
      // A check of the database may fail after a restart, and a client of the Admin service repeats no call.
      await until('accounts are created', async () => {
        accounts = await createAccounts(worker).catch(() => []);
        return accounts.length > 0;
      });
      clients = keepDoing(accounts.map((account) => writesOf(ledger, account)));
      await untilEachHasWritten(accounts, hasEnded);
    },
    async expectWrites() {
      await untilEachHasWritten(accounts, hasEnded);
      await clients.stop();
      await expectStored(accounts);
      expect(ended).toBeUndefined();
    },
    async stop() {
      await clients.stop();
      ledger.close();
      await worker.stop();
    },
  };
}

test(`Postgres is restarted ${RESTARTS} times under load, and no worker ends, over a unix socket or over TLS`, async () => {
  const workers = await Promise.all([overSocket(), overTls()].map(startWorkerUnderLoad));
  const each = (what: 'beginWrites' | 'expectWrites' | 'stop') =>
    Promise.all(workers.map((worker) => worker[what]()));
  try {
    for (let n = 0; n < RESTARTS; n++) {
      await each('beginWrites');
      // At a random moment of the writes.
      await Bun.sleep(chance.int(0, 200));
      await restart();
      await each('expectWrites');
    }
  } finally {
    await each('stop');
  }
});
