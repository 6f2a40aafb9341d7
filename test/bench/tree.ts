/** The whole service: of this checkout, or of another, started by its own `bun run start`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnChild } from '../../local/processes/child.ts';
import { processInfo } from '../../local/processes/process-info.ts';
import { startSystem } from '../../local/system.ts';
import { createAdminClient } from '../../proto/client.ts';
import { allProcesses, PARENT } from './process-tree.ts';
import type { AdminClient } from './target.ts';

export interface Tree {
  name: string;
  url: string;
  admin: AdminClient;
  pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const READY_MS_MAX = 120_000;

/** Part of a component's command line, by its name. */
const COMPONENTS = {
  gateway: 'gateway/main.ts',
  'ledger worker': 'ledger-worker/main.ts',
  Postgres: 'postgres',
  Redis: 'redis-server',
};

/**
 * This checkout, with its database for a second service.
 * @param kept a data directory that stays; absent: a new one, deleted at the stop
 */
export async function startHere(
  name: string,
  kept?: string,
  postgresSettings: Record<string, string> = {},
): Promise<Tree & { databaseUrl: string }> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const system = await startSystem({ dataDir, postgresSettings });
  const admin = createAdminClient(system.adminAddress);
  const { url, databaseUrl } = system;
  const pids = new Map([...system.pids].map(([component, pid]) => [`${name}: ${component}`, pid]));
  const stop = async () => {
    admin.close();
    await system.stop();
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  return { name, url, admin, databaseUrl, pids, stop };
}

export async function startTree(name: string, directory: string): Promise<Tree> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const readyFile = join(dataDir, 'ready.json');
  const child = spawnChild({
    name: `the service of ${directory}`,
    command: [
      ...[process.execPath, join(directory, 'local/start.ts'), '--port', '0'],
      ...['--data', dataDir, '--ready-file', readyFile],
    ],
    cwd: directory,
    env: { ...process.env, DATABASE_URL: undefined, REDIS_URL: undefined },
  });
  const stop = async () => {
    await child.stop([['SIGTERM', 60_000]]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const isReady = (line: string) => line.includes('Ctrl-C stops everything') || undefined;
    await child.line(isReady, { timeoutMs: READY_MS_MAX });
    const { url, adminAddress } = JSON.parse(readFileSync(readyFile, 'utf8'));
    const client = await import(join(directory, 'proto/client.ts'));
    const admin: AdminClient = client.createAdminClient(adminAddress);
    const stopAll = () => {
      admin.close();
      return stop();
    };
    return { name, url, admin, pids: serversOf(name, child.pid), stop: stopAll };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serversOf(name: string, parent: number): Map<string, number> {
  const pids = new Map<string, number>();
  for (const [pid, fields] of allProcesses()) {
    if (Number(fields[PARENT]) !== parent) continue;
    const command = processInfo(pid)?.argv.join(' ') ?? '';
    const found = Object.entries(COMPONENTS).find(([, part]) => command.includes(part));
    if (found !== undefined) pids.set(`${name}: ${found[0]}`, pid);
  }
  return pids;
}
