/** A Postgres of its own for a million entries, which logs the plans of the statements on its explained connections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../../../ledger-worker/database/connection.ts';
import { migrate } from '../../../../ledger-worker/database/migrate.ts';
import { startPostgres } from '../../../../local/servers/postgres.ts';
import { LINE_PREFIX, type PlanLog, readPlanLog } from './log.ts';

const SETTINGS = {
  // Nobody keeps this data.
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  maintenance_work_mem: '256MB',
  // Plans must not change while they are read.
  autovacuum: 'off',
  track_functions: 'all',
  log_line_prefix: LINE_PREFIX,
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '0',
};

export interface PlansDatabase {
  /** Of a connection whose statements are not explained. */
  sql: Sql;
  /** The address by which statements are explained. */
  explainedUrl: string;
  log: PlanLog;
  /** Creates the accounts of the requests to the Ledger service, without an entry. */
  openAccounts(): Promise<void>;
  /** With a million entries. */
  fill(): Promise<void>;
  /** Deletes later writes from the log of writes: the same requests fit below the daily cap again. */
  beginDay(): Promise<void>;
  stop(): Promise<void>;
}

/** Still empty, and the planner knows it. */
export async function startPlansDatabase(): Promise<PlansDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-plans-'));
  const logFile = join(directory, 'postgres.log');
  const postgres = await startPostgres({
    dataDir: join(directory, 'postgres'),
    settings: SETTINGS,
    logFile,
  });
  const sql = openDatabase({ url: postgres.url, poolMax: 1, statementTimeoutMs: 0 });
  const stop = async () => {
    await sql.end();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await migrate(sql);
    // Only on request.
    await sql`update ledger.retention set begun_at = 'infinity'`;
    await sql`vacuum analyze`;
  } catch (error) {
    await stop();
    throw error;
  }
  const explained = new URL(postgres.url);
  explained.searchParams.set('auto_explain.log_min_duration', '0');
  const beginDay = async () => {
    await sql`delete from ledger.write_log where written_at > ${filled}`;
  };
  const openAccounts = async () => {
    await sql.unsafe(await Bun.file(join(import.meta.dir, 'few-accounts.sql')).text());
  };
  let filled = new Date();
  const fill = async () => {
    await sql`
      truncate ledger.account, ledger.api_key, ledger.account_of_key, ledger.source, ledger.entry, ledger.write_log,
               ledger.idempotency_key`;
    await sql.unsafe(await Bun.file(join(import.meta.dir, 'million-entries.sql')).text());
    await sql`vacuum analyze`;
    filled = new Date();
  };
  return {
    sql,
    explainedUrl: explained.href,
    log: readPlanLog(logFile, sql),
    openAccounts,
    fill,
    beginDay,
    stop,
  };
}
