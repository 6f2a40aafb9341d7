/** A Postgres of its own for a million entries, which logs the plans of the statements on its explained connections. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../../ledger-worker/database/migrate.ts';
import { startPostgres } from '../../../../local/servers/postgres.ts';
import { openOne } from '../../../fixtures/database.ts';
import { LINE_PREFIX, readPlanLog } from './log.ts';

const SETTINGS = {
  // Nobody keeps this data.
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

export type PlansDatabase = Awaited<ReturnType<typeof startPlansDatabase>>;

/** Still empty, and the planner knows it. */
export async function startPlansDatabase() {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-plans-'));
  const logFile = join(directory, 'postgres.log');
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), settings: SETTINGS, logFile });
  const sql = openOne(postgres.url);
  const stop = async () => {
    await sql.end();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await migrate(sql);
    // Only on request.
    await sql`update ledger.upkeep set last_pass = 'infinity'`;
    await sql`vacuum analyze`;
  } catch (error) {
    await stop();
    throw error;
  }
  const explained = new URL(postgres.url);
  explained.searchParams.set('auto_explain.log_min_duration', '0');
  const execute = async (file: string) => {
    await sql.unsafe(await Bun.file(join(import.meta.dir, file)).text());
  };
  return {
    /** Of a connection whose statements are not explained. */
    sql,
    /** The address by which statements are explained. */
    explainedUrl: explained.href,
    log: readPlanLog(logFile, sql),
    /** Creates the accounts of the requests to the Ledger service, without an entry. */
    openAccounts: () => execute('few-accounts.sql'),
    /** With a million entries. */
    async fill() {
      await sql`
        truncate ledger.account, ledger.api_key, ledger.account_of_key, ledger.source, ledger.entry, ledger.write_log,
                 ledger.idempotency_key`;
      await execute('million-entries.sql');
      await sql`vacuum analyze`;
    },
    stop,
  };
}
