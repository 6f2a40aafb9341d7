/** What Citus does not take, or takes in another way than Postgres: no statement of the service does it. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { startWorker } from '../../local/servers/worker.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { createAdminClient } from '../../proto/client.ts';
import { startCitusCluster } from '../fixtures/citus-cluster.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { runCommand } from '../fixtures/distributed-books.ts';
import { newEntry, openLedger } from '../fixtures/ledger.ts';

setDefaultTimeout(120_000);

const WORKER = join(import.meta.dir, '../../ledger-worker');

const cluster = await startCitusCluster();
const { coordinator } = cluster;
const [first] = cluster.nodes as [CitusNode];
await runCommand('migrate', coordinator.url);

/** Started on plain books, so that it finds out while it runs that they have been distributed. */
const worker = await startWorker({ databaseUrl: coordinator.url });
const admin = createAdminClient(worker.adminAddress);
const ledger = openLedger(worker.address);
const sql = openDatabase({ url: coordinator.url, poolMax: 1, statementTimeoutMs: 0, isDistributed: true });
afterAll(async () => {
  admin.close();
  ledger.close();
  await worker.stop();
  await sql.end();
  await cluster.stop();
});

const { accountId } = await admin.createAccount({ plan: 'pro' });
const { key } = await admin.createKey({ accountId });
const source = { type: 'uk-property', name: 'x', role: 'owner', sharePercent: 100 };
const { id: sourceId } = await admin.createSource({ accountId, ...source });
const caller = { accountId, keyHash: hashApiKey(key) };

/** Server processes that have crashed. */
const crashes = () =>
  [coordinator, ...cluster.nodes].flatMap(
    (node) => node.readLog().match(/.*was terminated by signal.*/g) ?? [],
  );

/** Every request once. @returns how many have failed */
async function sendAll(): Promise<number> {
  const keyHash = hashApiKey('unknown');
  const requests = [
    ledger.authenticate({ keyHash: caller.keyHash }),
    ledger.authenticate({ keyHash }),
    ledger.listSources({ caller }),
    ledger.listSources({ caller: { accountId, keyHash } }),
    ledger.listEntries({ caller, sourceId, limit: 1 }),
    ledger.createEntries({ caller, sourceId, entries: [newEntry()] }),
  ];
  const results = await Promise.allSettled(requests);
  return results.filter(({ status }) => status === 'rejected').length;
}

describe('a null in the place of the account, for which Citus computes a hash and crashes', () => {
  test('is in no request of a worker that runs while the books are distributed', async () => {
    let isDistributing = true;
    const distributed = runCommand('distribute', coordinator.url).finally(() => {
      isDistributing = false;
    });
    while (isDistributing) await sendAll();
    await distributed;
    for (const end = Date.now() + 5_000; Date.now() < end; ) await sendAll();
    expect(await sendAll()).toBe(0);
    expect(crashes()).toEqual([]);
  });
});

describe('plan_cache_mode = force_generic_plan', () => {
  const read = async (isDistributed: boolean) => {
    const own = openDatabase({ url: first.url, poolMax: 1, statementTimeoutMs: 0, isDistributed });
    try {
      const [row] = await own<{ mode: string; count: number }[]>`
        select current_setting('plan_cache_mode') as mode, count(*)::integer as count
          from ledger.account a join ledger.source s using (account_id)
         where a.account_id = ${accountId}::uuid`;
      return row;
    } finally {
      await own.end();
    }
  };

  test('fails for a read of distributed books, whose connections have another setting', async () => {
    expect(await read(true)).toEqual({ mode: 'auto', count: 1 });
    expect(await read(false).catch(({ message }) => message)).toContain('could not create distributed plan');
  });
});

describe('a lateral call of a distributed function, which crashes the server', () => {
  test('is in no statement', async () => {
    const rows = await sql<{ name: string }[]>`
      select proname as name from pg_dist_object join pg_proc on pg_proc.oid = objid
       where classid = 'pg_proc'::regclass and distribution_argument_index is not null
         and pronamespace = 'ledger'::regnamespace`;
    expect(rows.length).toBeGreaterThan(3);
    const calls = new RegExp(
      `(?:\\b(?:lateral|join)|,)\\s*ledger\\.(?:${rows.map(({ name }) => name).join('|')})\\(`,
      'g',
    );
    const files = [...new Bun.Glob('**/*.{ts,sql}').scanSync(WORKER)];
    const found = files.flatMap((file) =>
      [...readFileSync(join(WORKER, file), 'utf8').matchAll(calls)].map(([call]) => `${file}: ${call}`),
    );
    expect(found).toEqual([]);
    expect('cross join lateral ledger.list_entries(x)').toMatch(calls);
  });
});
