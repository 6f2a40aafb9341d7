/** An acknowledgement outlives a crash of Postgres, also with settings that trade it for speed. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { type Postgres, startPostgres } from '../../../local/servers/postgres.ts';
import { startWorker } from '../../../local/servers/worker.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { temporaryDirectory } from '../../fixtures/checkout.ts';
import { openOne } from '../../fixtures/database.ts';
import { newEntry, openLedger } from '../../fixtures/ledger.ts';
import { newAccount } from '../../fixtures/new-account.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Without a commit that waits, what was written in the last seconds is in memory only. */
const SETTINGS = { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' };

async function start(): Promise<{ postgres: Postgres; crash: () => Promise<Postgres> }> {
  const dataDir = `${temporaryDirectory()}/data`;
  let postgres = await startPostgres({ dataDir, settings: SETTINGS });
  stops.push(() => postgres.stop());
  return {
    postgres,
    async crash() {
      process.kill(postgres.pid, 'SIGQUIT');
      await postgres.died;
      postgres = await startPostgres({ dataDir, settings: SETTINGS });
      return postgres;
    },
  };
}

/** Executes one statement as the owner of the database. */
async function execute(url: string, statement: string) {
  const sql = openOne(url);
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

/** A worker on a database, its Admin service, and a function that creates one entry of a new account. */
async function startLedger(databaseUrl: string) {
  const worker = await startWorker({ databaseUrl });
  const admin = createAdminClient(worker.adminAddress);
  const ledger = openLedger(worker.address);
  stops.push(
    () => worker.stop(),
    ledger.close,
    () => admin.close(),
  );
  const { accountId, source: sourceId, keys } = await newAccount(admin);
  const caller = { accountId, keyHash: hashApiKey(`${keys[0]}`) };
  return { admin, create: () => ledger.createEntries({ caller, sourceId, entries: [newEntry()] }) };
}

test('with synchronous_commit off for the role, entries, accounts and keys are on disk once they are acknowledged', async () => {
  const { postgres, crash } = await start();
  await execute(postgres.url, 'alter role ledger set synchronous_commit = off');
  const { admin, create } = await startLedger(postgres.url);
  for (let n = 0; n < 5; n++) expect((await create()).created?.newEntries).toBe(1);
  const last = await newAccount(admin);
  const after = await crash();

  const [stored] = await execute(
    after.url,
    `select (select count(*)::int from ledger.entry) as entries, (select count(*)::int from ledger.account) as accounts,
            (select count(*)::int from ledger.api_key where account_id = '${last.accountId}') as keys`,
  );
  expect({ ...stored }).toEqual({ entries: 5, accounts: 2, keys: last.keys.length });
});

test.each(['fsync', 'full_page_writes'])(
  'with %s off a worker does not start, and one that runs is not ready until it is on again',
  async (setting) => {
    const { postgres } = await start();
    const set = async (value: string) => {
      await execute(postgres.url, `alter system set ${setting} = ${value}`);
      await execute(postgres.url, 'select pg_reload_conf()');
    };
    await set('off');
    await until(
      'it is off',
      async () => (await execute(postgres.url, `show ${setting}`))[0]?.[setting] === 'off',
    );
    const refused = await startWorker({ databaseUrl: postgres.url }).catch((error: Error) => error);
    expect(`${(refused as Error).message}`).toContain(`set ${setting} to on`);

    await set('on');
    await until(
      'it is on',
      async () => (await execute(postgres.url, `show ${setting}`))[0]?.[setting] === 'on',
    );
    const { create } = await startLedger(postgres.url);
    const isCreated = async () => (await create().catch(() => undefined))?.created?.newEntries === 1;
    await set('off');
    await until('writes are refused', async () => !(await isCreated()));
    await set('on');
    await until('writes succeed', isCreated);
  },
);
