/** The two sides: the service on one plain PostgreSQL, and on distributed books of a coordinator and two nodes. */
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnChild } from '../../../local/processes/child.ts';
import { LEDGER, makeDirectoryFor, POSTGRES_ENVIRONMENT } from '../../../local/servers/postgres-cluster.ts';
import { postgresFlags, postgresUser } from '../../../local/servers/postgres-program.ts';
import { startGateway, startRedis, startWorker } from '../../../local/system.ts';
import { CitusNode } from '../../fixtures/citus-node.ts';
import { findCitus } from '../../fixtures/citus-program.ts';
import { startCleanUp } from '../../fixtures/clean-up.ts';
import { runCommand, startDistributedBooks } from '../../fixtures/distributed-books.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type Keyring, newAccounts, storeAccounts } from '../accounts.ts';
import type { Books } from '../books.ts';
import { openSql } from '../sql.ts';

export const PLAIN = 'plain Postgres';
export const CITUS = 'Citus';

/** The servers whose CPU time belongs to a side. */
export const SERVERS = { [PLAIN]: [PLAIN], [CITUS]: ['coordinator', 'node-1', 'node-2'] };

export interface CitusSide extends Books {
  accounts: Keyring[];
}

// The same for both sides.
const SETTINGS = { fsync: 'on', shared_buffers: '128MB', max_wal_size: '2GB', max_connections: '200' };

/** @returns both sides, with accounts of their own, and the process ids of the database servers by name */
export async function openSides(accounts: number) {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const plain = await startPlain(stops);
    const cluster = await startDistributedBooks({ settings: SETTINGS });
    stops.push(() => cluster.stop());
    const pids = new Map([plain, cluster.coordinator, ...cluster.nodes].map(({ name, pid }) => [name, pid]));
    const sides = [
      await openSide(PLAIN, plain.url, plain.url, accounts, stops),
      await openSide(CITUS, cluster.nodesUrl(), cluster.coordinator.url, accounts, stops),
    ] as const;
    return { sides, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param databaseUrl of the worker @param sqlUrl of the statements between the measurements */
async function openSide(
  name: string,
  databaseUrl: string,
  sqlUrl: string,
  accountCount: number,
  stops: (() => unknown)[],
): Promise<CitusSide> {
  const redis = await startRedis();
  const worker = await startWorker({ databaseUrl });
  const gateway = await startGateway({ workerAddress: worker.address, redisUrl: redis?.url });
  const sql = openSql(sqlUrl);
  stops.push(
    () => redis?.stop(),
    worker.stop,
    gateway.stop,
    () => sql.end(),
  );
  const accounts = newAccounts(accountCount);
  await storeAccounts(sql, accounts);
  return {
    name,
    url: gateway.url,
    databaseUrl,
    sql,
    accounts,
    accountOf: (account) => account,
    stop: async () => {},
  };
}

/** The PostgreSQL that has Citus, without loading it. */
async function startPlain(stops: (() => unknown)[]): Promise<CitusNode> {
  const bin = findCitus();
  const ids = postgresUser(undefined);
  const directory = mkdtempSync(join(tmpdir(), 'ledger-plain-'));
  makeDirectoryFor(ids, directory);
  const cleanUp = startCleanUp(directory);
  stops.push(() => cleanUp.run());
  const postgres = join(bin, 'postgres');
  const setprivFlags = postgresFlags(ids, [postgres, directory]);
  const dataDir = join(directory, 'data');
  const access = [`--username=${LEDGER}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const initdb = [join(bin, 'initdb'), '-D', dataDir, ...access];
  await spawnChild({ name: 'initdb', command: initdb, env: POSTGRES_ENVIRONMENT, setprivFlags }).completed(
    undefined,
  );
  const port = freePort();
  const settings = { ...SETTINGS, port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(dataDir, 'postgresql.conf'), lines.join(''));
  const server = new CitusNode({
    name: PLAIN,
    port,
    postgres,
    dataDir,
    logFile: `${dataDir}.log`,
    setprivFlags,
    onFreeze: () => {},
  });
  stops.push(() => server.stop());
  await server.start();
  const sql = openSql(server.url.replace(/\/ledger$/, '/postgres'));
  await sql.unsafe(`create database ${LEDGER}`);
  await sql.end();
  await runCommand('migrate', server.url);
  return server;
}
