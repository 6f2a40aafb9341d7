/** Starts the whole system with its own data directory and durable commits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Redis from 'ioredis';
import { ensureRedis } from '../../local/install/redis.ts';
import { type System, startSystem } from '../../local/system.ts';
import { type CpuSeconds, cpuSeconds } from './cpu.ts';
import { openSql, type Sql } from './sql.ts';

export interface Stack {
  system: System;
  /** For statements between the measurements. */
  sql: Sql;
  /** The measured processes by the name of the component. */
  pids: Map<string, number>;
  cpuSeconds(): CpuSeconds;
  /** Clears the cached keys and the limits. */
  flushRedis(): Promise<void>;
  stop(): Promise<void>;
}

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export async function startStack(): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const system = await startSystem({
    dataDir,
    postgresSettings: DURABLE,
    beforeRedis: (signal) =>
      ensureRedis({ logFile: join(dataDir, 'redis-install.log'), signal, report: console.log }),
  }).catch((error) => {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const sql = openSql(system.databaseUrl);
  const redis = system.redisUrl === undefined ? undefined : new Redis(system.redisUrl);
  const pids = new Map(system.pids);
  const stop = async () => {
    redis?.disconnect();
    await sql.end();
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  system.died.then(async (death) => {
    console.error(death.message);
    await stop();
    process.exit(1);
  });
  return {
    system,
    sql,
    pids,
    cpuSeconds: () => cpuSeconds(pids),
    async flushRedis() {
      await redis?.flushall();
    },
    stop,
  };
}
