/** A rolling upgrade of the service on a distributed database, under load: no entry is lost or doubled, and every request succeeds. */
import { expect, setDefaultTimeout } from 'bun:test';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { spawnChild } from '../../local/processes/child.ts';
import { startGateway, startWorker } from '../../local/system.ts';
import { createAdminClient } from '../../proto/client.ts';
import { rowsOf } from '../fixtures/books.ts';
import { startDistributedDatabase } from '../fixtures/distributed-database.ts';
import { freePort } from '../fixtures/free-port.ts';
import { until } from '../fixtures/until.ts';
import { newerVersion } from '../scale/earlier-version.ts';
import { UpgradeClient } from '../scale/upgrade-load.ts';
import { afterAll, test } from './with-citus.ts';

setDefaultTimeout(120_000);

const CLIENTS = 4;
// Of all clients together, in each step of the upgrade.
const ROUNDS = 15;

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('schema, workers and gateway become newer while clients write', async () => {
  const cluster = await startDistributedDatabase();
  undo.push(() => cluster.stop());
  const newer = await newerVersion();
  undo.push(newer.remove);
  const db = openDatabase({
    url: cluster.coordinator.url,
    poolMax: 1,
    statementTimeoutMs: 0,
    isDistributed: true,
  });
  undo.push(() => db.end());
  const addresses = Array.from({ length: 4 }, () => `127.0.0.1:${freePort()}`);
  const workerAddress = `ipv4:${addresses}`;
  const startWorkers = (start: typeof startWorker, at: string[], env = {}) =>
    Promise.all(at.map((listenAddress) => start({ databaseUrl: cluster.nodesUrl(), listenAddress, env })));
  const earlier = await startWorkers(startWorker, addresses.slice(0, 2));
  const [first, second] = [await startGateway({ workerAddress }), await startGateway({ workerAddress })];
  let gateways = [first, second];
  for (const each of [...earlier, ...gateways]) undo.push(each.stop);

  const admin = createAdminClient(earlier[0]?.adminAddress ?? '');
  const urls = () => gateways.map(({ url }) => url);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => UpgradeClient.create(admin, urls)));
  admin.close();
  const stop = new AbortController();
  undo.push(() => stop.abort());
  const work = Promise.all(clients.map((client) => client.work(stop.signal)));
  const rounds = () => clients.reduce((sum, client) => sum + client.rounds, 0);
  const expectProgress = async (what: string) => {
    const begun = rounds();
    await until(
      `${what}: more rounds`,
      () => {
        expect(clients.flatMap(({ wrong }) => wrong)).toEqual([]);
        return rounds() >= begun + ROUNDS;
      },
      30_000,
    );
  };
  await expectProgress('before');

  const migration = spawnChild({
    name: 'migration',
    command: [process.execPath, 'ledger-worker/migrate-main.ts'],
    cwd: newer.directory,
    env: { ...process.env, DATABASE_URL: cluster.coordinator.url },
  });
  undo.push(() => migration.stop());
  await migration.completed(undefined);
  await expectProgress('earlier workers on the newer schema');

  for (const each of await startWorkers(newer.startWorker, addresses.slice(2), { MIGRATE: 'never' })) {
    undo.push(each.stop);
  }
  await expectProgress('earlier and newer workers');
  for (const each of earlier) await each.stop();
  await expectProgress('newer workers');

  const last = await newer.startGateway({ workerAddress });
  undo.push(last.stop);
  gateways = [last];
  await Promise.all([first.stop(), second.stop()]);
  await expectProgress('all newer');

  stop.abort();
  await work;
  for (const { accountId, wrong, acknowledged } of clients) {
    expect(wrong).toEqual([]);
    const rows = await rowsOf(accountId, db);
    expect(rows.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
    const [source] = await db`
      select transaction_count, written_at is not null as "isNewer" from ledger.source where account_id = ${accountId}`;
    expect({ ...source }).toEqual({ transaction_count: rows.length, isNewer: true });
  }
});
