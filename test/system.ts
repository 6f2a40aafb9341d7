/** The system under test: real Postgres and Redis, one worker, one gateway, each a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../ledger-worker/database.ts';
import { ensureRedis } from '../local/install-redis.ts';
import { startSystem } from '../local/system.ts';
import { createAdminClient } from '../proto/ledger.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ledger-test-'));

/** Where worker, gateway, Postgres and Redis log, a file each. */
export const logsDir = join(dataDir, 'logs');

export const system = await startSystem({
  dataDir,
  // The tests need a real one; what cannot be installed here is said, and the tests of the limits then fail.
  beforeRedis: (signal) =>
    ensureRedis({ logFile: join(logsDir, 'redis-install.log'), signal, report: console.log }),
});

/** The app's side of the service: makes accounts, sources and keys. */
export const admin = createAdminClient(system.adminAddress);

/** The database itself: to look at rows, and to make what only time could make. */
export const sql = openDatabase({ url: system.databaseUrl, poolMax: 4, statementTimeoutMs: 0 });

export async function stopSystem(): Promise<void> {
  admin.close();
  await sql.end();
  await system.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
