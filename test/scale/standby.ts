/** A streaming replica of the test's Postgres. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../ledger-worker/database/connection.ts';
import { startPostgres } from '../../local/servers/postgres.ts';
import { makeDirectoryFor } from '../../local/servers/postgres-cluster.ts';
import { postgresUser } from '../../local/servers/postgres-program.ts';
import { copyByHand, run } from '../deploy/runbook.ts';
import { logsDir, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

export interface Standby {
  /** `postgres://…`, the same after a restart. */
  url: string;
  /** A connection to the standby as a superuser. */
  sql: Sql;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves once it has replayed everything that the primary had at the call. */
  caughtUp(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves once the standby accepts reads. */
export async function startStandby(): Promise<Standby> {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-standby-'));
  const [dataDir, socketDir] = [join(directory, 'data'), join(directory, 'socket')];
  makeDirectoryFor(postgresUser(undefined), directory);
  const [own] = await sql<{ files: string }[]>`select current_setting('data_directory') as files`;
  await copyByHand(system.databaseUrl, own?.files ?? '', dataDir);
  await run('touch "$DATA/standby.signal"', { DATA: dataDir });
  const { username, searchParams } = new URL(system.databaseUrl);
  const settings = { primary_conninfo: `host=${searchParams.get('host')} user=${username}` };

  const logFile = join(logsDir, 'standby.log');
  const newPostgres = () => startPostgres({ dataDir, socketDir, settings, isStandby: true, logFile });
  let postgres = await newPostgres();
  const { url } = postgres;
  const standby = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  return {
    url,
    sql: standby,
    async start() {
      postgres = await newPostgres();
    },
    async pause() {
      await standby`select pg_wal_replay_pause()`;
      await until('replay is paused', async () => {
        const [state] = await standby`select pg_get_wal_replay_pause_state() = 'paused' as "isPaused"`;
        return state?.isPaused;
      });
    },
    async resume() {
      await standby`select pg_wal_replay_resume()`;
    },
    async caughtUp() {
      const [now] = await sql<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`;
      await until('the standby has caught up', async () => {
        const [state] = await standby`
          select pg_last_wal_replay_lsn() >= ${now?.lsn ?? ''}::pg_lsn as "isCaughtUp"`;
        return state?.isCaughtUp;
      });
    },
    async kill() {
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.died;
      await postgres.stop();
    },
    async stop() {
      await standby.end({ timeout: 1 });
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
